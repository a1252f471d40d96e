import { Graph, SCRIPT } from './node/graph.ts'
import { ANY, type Pattern, STAR, inFolder, isKnown, nameIn, placeOf } from './pattern.ts'
import type { Place, Start } from './place.ts'
import { takesInput } from './stdin.ts'

/** `node [options] FILE`, `node --test …`, `node --check FILE`, `node -e TEXT`. `from`: where a first file is looked for. */
export async function followNode(args: readonly Pattern[], at: Place, start: Start, from = at.folder): Promise<void> {
  const { inputs, folder } = at
  inputs.env(['NODE_OPTIONS', 'NODE_PATH', 'NODE_REPL_EXTERNAL_MODULE', 'NODE_COMPILE_CACHE'])
  const graph = new Graph(at, start)
  let [tests, checks] = [false, false]
  const files: Pattern[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Pattern
    if (files.length > 0 && !tests) break
    const [option = '', value] = arg.startsWith('--') && arg.includes('=') ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg, undefined]
    const given = (): Pattern => value ?? args[++i] ?? ''
    if (option === '--test') tests = true
    else if (option === '--check' || option === '-c') checks = true
    else if (/^(?:-e|-p|-pe|--eval|--print)$/.test(option)) {
      const text = given()
      if (!isKnown(text)) return inputs.all('a text that only running tells')
      inputs.source(text, '[eval].js')
      await graph.source(text, inFolder(folder, '[eval]'))
      files.push('')
    } else if (/^(?:-r|--require|--import)$/.test(option)) await graph.ask({ specifier: given(), how: 'require' }, folder)
    else if (option === '--test-reporter') {
      if (!/^(?:spec|tap|dot|junit|lcov)$/.test(given())) return inputs.all('a reporter of its own')
    } else if (option === '--env-file') await inputs.path(given(), folder, 'read')
    else if (VALUED.test(option)) given()
    else if (PLAIN.test(option)) continue
    else if (option === '--') continue
    else if (arg.startsWith('-')) return inputs.all(`node ${option} may read anything`)
    else files.push(arg)
  }
  if (tests) return testFiles(files, graph, at)
  if (files.length === 0) takesInput(at)
  if (files.length === 0) return inputs.all('a node that reads what it is given')
  const [file = ''] = files
  if (file === '') return graph.follow()
  const place = isKnown(file) ? placeOf(file, from) : null
  if (isKnown(file) && (place === null || place === '?')) return inputs.strange(file)
  if (place === null || place === '?') return inputs.all('a file that only running tells')
  if (checks) {
    await inputs.content(place)
    return graph.type(place)
  }
  await graph.entry(place)
  return graph.follow()
}

const VALUED = /^--(?:test-name-pattern|test-skip-pattern|test-concurrency|test-timeout|test-shard|test-reporter-destination|test-force-exit|conditions|max-old-space-size|max-semi-space-size|stack-trace-limit|stack-size|unhandled-rejections|dns-result-order|disable-warning)$|^-C$/
const PLAIN = /^--(?:test-only|experimental-test-coverage|no-warnings|no-deprecation|trace-\w[\w-]*|throw-deprecation|pending-deprecation|test-force-exit|expose-gc|abort-on-uncaught-exception|experimental-vm-modules|no-experimental-\w[\w-]*)$/

/** The files that the test runner picks: all scripts that are named or placed as tests are, which may be more than it takes. */
async function testFiles(named: readonly Pattern[], graph: Graph, at: Place): Promise<void> {
  const { inputs, folder } = at
  const found: string[] = []
  const within = async (place: string, all: boolean): Promise<void> => {
    const below = (path: string): string => (place === '.' ? path : path.slice(place.length + 1))
    const wanted = (path: string): boolean => SCRIPT.test(path) && !/(?:^|\/)node_modules\//.test(path) && (all || isTest(below(path)))
    found.push(...(await inputs.listed(place, all ? 'scripts' : 'scripts named or placed as tests', wanted)))
  }
  if (named.length === 0) await within(folder, false)
  for (const name of named) {
    const place = placeOf(name, folder)
    if (isKnown(name) && (place === null || place === '?')) return inputs.strange(name)
    if (place === null || place === '?' || place.includes(ANY)) return inputs.all('tests that only running tells')
    const known = place.replace(/[*?[{].*$/s, STAR)
    if (known.includes(STAR)) await within(known.slice(0, known.indexOf(STAR)).replace(/\/?[^/]*$/, '') || '.', true)
    else if ((await inputs.present(place)) === 'folder') await within(place, true)
    else found.push(place)
  }
  for (const path of found) await graph.entry(path)
  await graph.follow()
}

const isTest = (path: string): boolean => /(?:^|\/)tests?\//.test(path) || /^tests?[-._]|[-._](?:test|spec)\.|^test\./.test(nameIn(path))
