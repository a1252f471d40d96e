import { closing, failed, lasting } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedPaths, optionOf, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'playwright',
  why: 'Playwright Test closes with a count for each way in which tests ended, those that failed by name.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'playwright' && program !== '@playwright/test') return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['-c', '--config'])
    const tests = args[0] === 'test'
    const configs = config === null ? ['ts', 'mts', 'js', 'mjs', 'cjs'].map((end) => `playwright.config.${end}`) : [config]
    const keys = [...programKeys(command), 'lock:npm/@playwright/test' as const, ...keysIn('file', folder, configs), ...(tests ? namedPaths(folder, args.slice(1), VALUES) : [])]
    return { verifies: tests && !hasOption(args, IDLE), readsSources: tests, delegates: false, keys: [...new Set(keys)] }
  },
  summary(output) {
    const lines = closingBlock(output)
    if (lines === null) return null
    if (lines.some((line) => RED.test(line))) return { passed: false }
    return /^ {2}[1-9]\d* passed \(/.test(lines.at(-1) ?? '') && lines.every((line) => GREEN.test(line)) ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const tests = lines.flatMap((line, i) => {
      const name = /^ {2}\d+\) (\S.{0,300}?)(?: ─+)?$/.exec(line)?.[1]
      const thrown = lines.slice(i + 1, i + 12).find((one) => /^ {4}(?:\w*Error|Test timeout)\b/.test(one))
      return name === undefined ? [] : [[name.replace(/:\d+:\d+(?= ›)/, ''), ...(thrown === undefined ? [] : [thrown])]]
    })
    const red = lasting(tests)
    return red === 'transient' ? red : failed(ending, 'red', red)
  },
} satisfies Toolchain

const COUNT = /^ {2}\d+ (?:failed|interrupted|flaky|skipped|did not run|passed)\b|^ {2}\d+ errors? (?:was|were) not a part of any test/
const RED = /^ {2}[1-9]\d* (?:failed$|interrupted$|did not run$|errors? )/
const GREEN = /^ {2}\d+ (?:skipped$|passed \()/
const NAMED = /^ {4}\S/
const REPORT = /^To open last HTML report run:$|^ {2}(?:npx|pnpm|yarn|bunx) (?:exec )?playwright show-report/
const VALUES = new Set(['-c', '--config', '-g', '--grep', '--grep-invert', '-j', '--workers', '--project', '--reporter', '--retries', '--timeout', '--shard', '--output', '--max-failures', '--repeat-each', '--trace'])
const IDLE = ['--list', '--ui', '--debug', '-u', '--update-snapshots', '--pass-with-no-tests', '--help', '-h', '--last-failed', '--only-changed']

/** The counts that close a run, with the tests named among them; null where their beginning is cut off, or something follows. */
function closingBlock(output: string): readonly string[] | null {
  const lines = output.trimEnd().split('\n').filter((line, i, all) => !(REPORT.test(line) || (line === '' && REPORT.test(all[i + 1] ?? ''))))
  while (lines.at(-1)?.trim() === '') lines.pop()
  let at = lines.length
  while (at > 0 && (COUNT.test(lines[at - 1] as string) || NAMED.test(lines[at - 1] as string))) at -= 1
  const block = lines.slice(at)
  // What stands above them shows that they are all there.
  const whole = at > 0 && closing(lines.slice(0, at).join('\n'), 1).length > 0
  return block.some((line) => COUNT.test(line)) && (whole || block.some((line) => RED.test(line))) ? block : null
}
