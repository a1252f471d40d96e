import { table } from '../base/table.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { failed, npmPackage, telling, unfound } from '../model/ending.ts'
import { type Key, joinPath } from '../model/key.ts'
import { refused } from '../model/refusal.ts'
import type { Ending, Failure, Invocation, Toolchain } from '../model/toolchain.ts'
import { absentToolKey, asksVersion, behindQuieter, hasOption, isGateName, keysIn, optionOf, programKeys, programOf, toolKey, upwards } from '../model/toolchain.ts'
import { definedBy, scriptIn } from './package-scripts/script.ts'

export default {
  id: 'package-scripts',
  why: 'npm, pnpm, Yarn, Bun and Vite+ run what package.json calls a script; the words that fail are those of the tool behind it, or their own about packages.',
  knows,
  headsSteps: true,
  summary: () => null,
  failure(ending) {
    return ofNpm(ending) ?? ofOthers(ending) ?? (knows(ending.command)?.delegates === true ? ofScript(ending) : failed(ending, null, []))
  },
} satisfies Toolchain

function knows(command: CanonicalCommand): Invocation | null {
  const found = programOf(command)
  const manager = MANAGERS.test(found.program) ? found.program : MANAGERS.test(found.runner ?? '') && behindQuieter(command.argv.slice(1))[0] === found.program ? (found.runner as string) : null
  const { args } = found
  if (manager === null || (manager === 'bun' && /\.[cm]?[jt]sx?$/.test(args[0] ?? ''))) return null
  if (manager === found.program && (asksVersion(args) || (args.length === 1 && args[0] === '-v')))
    return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
  const folder = joinPath(command.folder, optionOf(args, ['--prefix', '-C', '--dir', '--cwd']) ?? '.') ?? command.folder
  const tools = manager === found.program ? [toolKey(command.folder, manager)] : programKeys(command)
  const runtime = manager === 'bun' ? [] : [toolKey(command.folder, 'node')]
  const keys = [...tools, ...runtime, ...upwards(folder, ['package.json'])]
  const script = scriptIn(manager, found)
  if (script === null) return { verifies: false, readsSources: false, delegates: false, keys: [...keys, ...upwards(folder, [...(CONFIGS[manager] ?? []), ...(LOCKFILES[manager] ?? [])])] }
  return {
    verifies: isGateName(script.name) && !hasOption(args, ['--if-present', '--dry-run', '--help', '-h']) && !hasOption(script.rest, IDLE),
    readsSources: true,
    delegates: script.own !== true,
    keys: [...new Set([...keys, ...definedBy(manager, script, folder, args), ...(script.own === true ? keysIn('file', folder, ['bunfig.toml']) : [])])],
  }
}

const MANAGERS = /^(?:npm|pnpm|yarn|bun|vp)$/
const LOCKFILES: Readonly<Record<string, readonly string[]>> = table({
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  pnpm: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  vp: ['pnpm-lock.yaml', 'package-lock.json', 'yarn.lock', 'bun.lock'],
})
/** What says from where packages come. Which scripts there are, it does not say. */
const CONFIGS: Readonly<Record<string, readonly string[]>> = table({ npm: ['.npmrc'], pnpm: ['.npmrc'], yarn: ['.yarnrc.yml', '.yarnrc'], bun: ['bunfig.toml'] })
const IDLE = ['--watch', '--watchAll', '-w', '-u', '--update', '--updateSnapshot', '--update-snapshots', '--fix', '--write', '--ui', '--help', '--listTests']

/** What npm says of its own: lines that begin with `npm error`. */
function ofNpm(ending: Ending): Failure | 'transient' | null {
  const { command, output } = ending
  const { folder } = command
  const unknown = /^Unknown command: "([^"]{1,100})"$/m.exec(output)
  if (unknown !== null && command.argv.includes(unknown[1] as string)) return failed(ending, 'usage', [unknown[0]], programKeys(command))
  const lines = output.split('\n').flatMap((line) => /^npm (?:error|ERR!) (.{1,1000})$/.exec(line)?.[1] ?? [])
  if (lines.length === 0) return null
  const told = (shape: RegExp): string[] => lines.filter((line) => shape.test(line)).map((line) => `npm error ${line}`)
  const manifest = upwards(folder, ['package.json'])
  const tool = programKeys(command)
  const none = told(/^Missing script: |^No workspaces found/)
  if (none.length > 0) {
    // A script that was started is named first; what it lacks then is another one, or one of another package.
    const asked = scriptIn('npm', programOf(command))?.name
    const isOwn = !/^> \S/m.test(output) && none.every((line) => !line.includes('script: ') || line.endsWith(`script: "${asked}"`))
    return (isOwn ? unfound : failed)(ending, 'usage', none, [...tool, ...manifest])
  }
  const canceled = lines.flatMap((line) => /canceled due to missing packages and no YES option: \["(@?[^"@]{1,100})/.exec(line)?.[1] ?? [])
  const absent = canceled.flatMap((name) => (name.includes('/') ? [] : [absentToolKey(folder, name)]))
  if (absent.length > 0) return failed(ending, 'program-missing', told(/canceled due to missing packages/), absent)
  const lockfiles = upwards(folder, ['package.json', 'package-lock.json', 'npm-shrinkwrap.json'])
  switch (lines.map((line) => /^code (E[A-Z0-9]+)$/.exec(line)?.[1]).find((code) => code !== undefined)) {
    case 'ERESOLVE':
      return failed(ending, 'dependency', told(/^code |^(?:Could not resolve dependency|Found|peer |Conflicting peer dependency)\b|^ERESOLVE (?:unable|could not)/), [...tool, ...lockfiles])
    case 'E404':
    case 'ETARGET':
    case 'ENOVERSIONS': {
      const names = lines.flatMap((line) => npmPackage(/^(?:404|notarget) .*(?:'|for )((?:@[\w.~-]+\/)?[\w.~-]+)@/.exec(line)?.[1] ?? '.') ?? [])
      const said = told(/^code |^404 {1,3}(?:The requested resource|'.*is not in)|^notarget No matching/)
      return names.length === 0 ? null : failed(ending, 'dependency', said, [...names.map((name): Key => `lock:npm/${name}`), ...manifest])
    }
    case 'EBADENGINE':
    case 'EBADPLATFORM':
      return failed(ending, 'dependency', told(/^(?:code|engine|notsup) /), [...tool, toolKey(folder, 'node'), ...lockfiles])
    case 'EUSAGE':
      if (told(/can only install with an existing package-lock\.json/).length > 0)
        return failed(ending, 'path-missing', told(/can only install with an existing/), keysIn('absent', folder, ['package-lock.json', 'npm-shrinkwrap.json']))
      if (told(/can only install packages when your package\.json and/).length > 0)
        return failed(ending, 'dependency', told(/can only install packages|^Missing: |^Invalid: /), [...tool, ...lockfiles])
      return failed(ending, 'usage', told(/\S/).slice(0, 3), tool)
    case 'ENOENT':
      return told(/Could not read package\.json/).length === 0 ? null : unfound(ending, 'path-missing', ['npm error enoent Could not read package.json'], upwards(folder, ['package.json'], 'absent'))
    case 'EJSONPARSE':
      return failed(ending, 'red', told(/^code |^JSON\.parse /), manifest)
    case 'EACCES':
    case 'EPERM':
      return failed(ending, 'denied', told(/^(?:code|syscall) /), ['privilege'])
    case 'E401':
    case 'E403':
    case 'ENEEDAUTH':
    case 'EOTP':
      return refused(ending, told(/^(?:code|need auth|40[13]) /))
    default:
      return null
  }
}

/** The same of pnpm, Yarn and Bun. */
function ofOthers(ending: Ending): Failure | 'transient' | null {
  const { command, output } = ending
  const { folder } = command
  const lines = output.split('\n').filter((line) => line.length <= 1000)
  const manifest = upwards(folder, ['package.json'])
  const script = firstOf(NO_SCRIPT, lines)
  if (script !== null && command.argv.includes(script.name)) {
    const program = /script/i.test(script.line) ? [] : [absentToolKey(folder, script.name)]
    return unfound(ending, 'usage', [script.line], [...programKeys(command), ...manifest, ...program])
  }
  const version = firstOf(NO_PACKAGE, lines)
  const wanted = npmPackage(version?.name ?? '.')
  if (version !== null && wanted !== null) return failed(ending, 'dependency', [version.line], [`lock:npm/${wanted}`, ...manifest])
  const stale = lines.find((line) => /^\s*ERR_PNPM_(?:OUTDATED_LOCKFILE|PEER_DEP_ISSUES)\b|^error Your lockfile needs to be updated|YN0028: .*lockfile would have been/.test(line))
  if (stale !== undefined) return failed(ending, 'dependency', [stale], [...programKeys(command), ...manifest, ...upwards(folder, ['pnpm-lock.yaml', 'yarn.lock'])])
  return null
}

const NO_SCRIPT: readonly RegExp[] = [
  /^\s*ERR_PNPM_NO_SCRIPT\S*\s+Missing script: (\S{1,100})/,
  /^\s*ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\s+Command "([^"]{1,100})" not found/,
  /^error Command "([^"]{1,100})" not found\./,
  /^(?:Usage Error: )?Couldn't find a script named "([^"]{1,100})"\./,
  /^error: [Ss]cript not found "([^"]{1,100})"/,
]
const NO_PACKAGE: readonly RegExp[] = [
  /^\s*ERR_PNPM_(?:NO_MATCHING_VERSION|FETCH_404)\s.{0,300}(?:for |\/)((?:@[\w.~-]+\/)?[\w.~-]+)(?:@| |: )/,
  /^error Couldn't find any versions for "([^"]{1,200})"/,
  /^error Couldn't find package "((?:@[^"@/]{1,100}\/)?[^"@]{1,100})/,
]

/** The first line that has one of the shapes, and the name in it. */
function firstOf(shapes: readonly RegExp[], lines: readonly string[]): { line: string; name: string } | null {
  for (const line of lines)
    for (const shape of shapes) {
      const name = shape.exec(line)?.[1]
      if (name !== undefined) return { line, name }
    }
  return null
}

/** A script whose tool no toolchain knows. What a shell says of a missing program is the fallback's. */
function ofScript(ending: Ending): Failure | 'transient' | null {
  if (ending.code === 126 || ending.code === 127) return failed(ending, null, [])
  return failed(ending, 'red', telling(ending.output))
}
