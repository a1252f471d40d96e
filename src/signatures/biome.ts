import { closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, namedFiles, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'biome',
  why: 'Biome rules off each finding under its file and rule, and closes with how many files it checked and what it found.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'biome' && program !== '@biomejs/biome') return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const checks = /^(?:check|lint|format|ci)$/.test(args[0] ?? '')
    const keys = [...programKeys(command), ...upwards(folder, ['package.json', 'biome.json', 'biome.jsonc']), 'lock:npm/@biomejs/biome', ...namedFiles(folder, args)]
    return { verifies: checks && !hasOption(args, ['--write', '--fix', '--apply', '--apply-unsafe', '--unsafe', '--help', '-h']), readsSources: checks, delegates: false, keys: [...new Set(keys)] }
  },
  diagnoses: true,
  summary(output) {
    const lines = closing(output, 30)
    const at = lines.findLastIndex((line) => CHECKED.test(line))
    if (at === -1) return null
    const rest = lines.slice(at + 1)
    if (rest.some((line) => /^Found [1-9]\d* errors?\.$/.test(line) || /^(?:check|lint|format|ci) ━{3,}$/.test(line))) return { passed: false }
    return rest.every((line) => /^Found \d+ (?:warnings?|infos?)\.$/.test(line)) && !/^Checked 0 /.test(lines[at] as string) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    const found = lines.flatMap((line, i) => {
      const head = /^(\S.{0,300}?)(?::\d+:\d+)? ((?:lint|assist|syntax|parse|format|organizeImports|suppressions|deserialize)(?:\/[\w/]{1,100})?)(?: {1,2}FIXABLE)? {1,2}━{3,}$/.exec(line)
      if (head === null) return []
      const said = lines.slice(i + 1, i + 5).map((one) => /^ {2}([×✖!i]) (\S.{0,300})$/.exec(one)).find((one) => one !== null)
      return said !== undefined && /[!i]/.test(said[1] as string) ? [] : [`${head[1]}: ${head[2]}${said === undefined ? '' : `: ${said[2]}`}`]
    })
    return failed(ending, 'red', found.sort())
  },
} satisfies Toolchain

const CHECKED = /^(?:Checked|Formatted|Linted) \d+ files? in \S+?\. (?:No fixes (?:applied|needed)|Fixed \d+ files?)\.$/
