/** Whether a source of the repository names git as a program that it starts, or a library that does git's work. */
export function namesGit(text: string, path: string): boolean {
  if (INSTALLED.test(path) || DATA.test(path)) return false
  if (/\$[({]shell\s[^)}\n]{0,400}\bgit\s/.test(text)) return true
  if (/['"](?:simple-git|nodegit|isomorphi[c]-git|git2|rugged)(?:\/[^'"\n]{0,100})?['"]|^[ \t]*(?:import|from)[ \t]+(?:git|pygit2|dulwich)\b/m.test(text)) return true
  if (!/['"`]git(?:\.exe)?(?:['"`]|\s+[-a-z])/.test(text)) return /\.(?:rb|pl|pm)$/.test(path) && /%x.git\s/.test(text)
  return /child_process|subprocess|\bos\s*\.\s*(?:system|popen|exec|spawn)|\b(?:execa|zx|Open3|popen)\b|cross-spawn|Command::new|\bsystem\s*[('"]|\bBun\b/.test(text) || (/\.(?:rb|pl|pm)$/.test(path) && /`git\s/.test(text))
}

/** Whether a source of the repository asks where the home folder is. A shell's `~` and `$HOME` are followed. */
export const namesHome = (text: string, path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|py|rb|pl|rs)$/.test(path) && !INSTALLED.test(path) && /\bhomedir\s*\(|\b(?:env|environ|ENV|getenv|var|var_os)\b.{0,12}\b(?:HOME|USERPROFILE)\b|\bexpanduser\b|\bPath\s*\.\s*home\s*\(/.test(text)

const INSTALLED = /(?:^|\/)node_modules\//
const DATA = /\.(?:json|toml|ya?ml|lock|md|txt|cfg|ini)$/
