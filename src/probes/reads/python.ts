import { joinPath } from '../../model/key.ts'
import { Graph, packageOf } from './python/graph.ts'
import { ANY, type Pattern, above, inFolder, isKnown, leadsOut, nameIn, placeOf, upFrom, within } from './pattern.ts'
import type { Place } from './place.ts'
import { takesInput } from './stdin.ts'

const CONFIGS = ['pytest.ini', '.pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg', 'pytest.toml', '.pytest.toml']

/** `python FILE`, `-m unittest|pytest|py_compile|MODULE …`, `-c TEXT`. `bare`: the working folder is not looked in for modules. */
export async function followPython(args: readonly Pattern[], at: Place, bare = false): Promise<void> {
  const { inputs, folder } = at
  inputs.env(['PYTHONPATH', 'PYTHONHOME', 'PYTHONSTARTUP', 'PYTHONINSPECT', 'PYTHONSAFEPATH', 'PYTEST_ADDOPTS', 'PYTEST_PLUGINS'])
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Pattern
    const rest = args.slice(i + 1)
    if (/^-[BdEOOqsSuvbxIP]+$/.test(arg)) continue
    if (arg === '-W' || arg === '-X') i += 1
    else if (arg === '-m') return module(rest[0] ?? ANY, rest.slice(1), at, bare)
    else if (arg === '-c') {
      if (!isKnown(rest[0] ?? ANY)) return inputs.all('a text that only running tells')
      inputs.source(rest[0] as string, '<string>.py')
      const graph = new Graph([folder], at)
      await graph.source(rest[0] as string, inFolder(folder, '<string>'), '')
      return graph.follow()
    } else if (arg.startsWith('-') || !isKnown(arg)) return inputs.all('a python whose script only running tells')
    else if (leadsOut(arg, folder)) return inputs.strange(arg)
    else {
      const place = placeOf(arg, folder)
      if (place === null || place === '?') return inputs.strange(arg)
      if ((await inputs.present(place)) === 'folder') return inputs.all('a folder that is run')
      const graph = new Graph([above(place)], at)
      await graph.add(place, '')
      return graph.follow()
    }
  }
  takesInput(at)
  return inputs.all('a python that reads what it is given')
}

async function module(name: Pattern, args: readonly Pattern[], at: Place, bare: boolean): Promise<void> {
  const { inputs, folder } = at
  const words = args.filter((arg) => !arg.startsWith('-'))
  if (!args.every(isKnown) || !isKnown(name)) return inputs.all('a module that only running tells')
  // The tests of pytest get an empty one.
  const graph = new Graph(bare ? [] : [folder], { ...at, fed: at.fed === true || (name === 'pytest' && !args.some((arg) => /^-\w*s|^--capture/.test(arg))) })
  await graph.roots()
  if (name === 'unittest') return unittest(args, graph, at)
  if (name === 'pytest') return pytest(args, graph, at)
  if (name === 'py_compile' || name === 'tabnanny' || name === 'json.tool') {
    if (words.length === 0 && name === 'json.tool') takesInput(at)
    for (const word of words) await inputs.path(word, folder, 'read')
    return
  }
  if (name === 'compileall') {
    if (words.length === 0) inputs.all('all that can be imported')
    for (const word of words) await inputs.path(word, folder, 'read')
    return
  }
  if (!(await graph.module(`${name}.__main__`)) && !(await graph.module(name))) {
    await graph.strange(name)
    return inputs.all(`"${name}" may read anything`)
  }
  return graph.follow()
}

/** `unittest a.b`, `unittest tests/test_a.py`, `unittest discover -s DIR -t TOP -p PATTERN`. */
async function unittest(args: readonly Pattern[], graph: Graph, at: Place): Promise<void> {
  const { inputs, folder } = at
  const flags = args.filter((arg) => !/^-(?:[vqfbc]+|-verbose|-quiet|-failfast|-buffer|-catch|-locals)$/.test(arg))
  if (flags[0] === 'discover' || flags.length === 0) {
    let [start, top, pattern] = ['.', '', 'test*.py']
    const options = flags.slice(1)
    const plain: string[] = []
    for (let i = 0; i < options.length; i++) {
      const option = options[i] as string
      if (/^(?:-s|--start-directory)$/.test(option)) start = options[++i] ?? '.'
      else if (/^(?:-t|--top-level-directory)$/.test(option)) top = options[++i] ?? '.'
      else if (/^(?:-p|--pattern)$/.test(option)) pattern = options[++i] ?? ''
      else if (/^-[kvqfb]/.test(option)) i += option === '-k' ? 1 : 0
      else if (option.startsWith('-')) return inputs.all(`unittest ${option} may read anything`)
      else plain.push(option)
    }
    start = plain[0] ?? start
    pattern = plain[1] ?? pattern
    top = plain[2] ?? top
    const [place, root] = [joinPath(folder, start), joinPath(folder, top === '' ? start : top)]
    if (place === null || root === null || !/^[\w*.-]+$/.test(pattern)) return inputs.all('tests that only running tells')
    if ((await inputs.present(place)) !== 'folder' || !within(place, root)) return inputs.all('tests that only running tells')
    graph.root(root)
    const [before = '', behind = ''] = pattern.split('*')
    const fits = (path: string): boolean => path.endsWith('.py') && (pattern.split('*').length > 2 || (pattern.includes('*') ? nameIn(path).startsWith(before) && nameIn(path).endsWith(behind) : nameIn(path) === pattern))
    const found = await inputs.listed(place, `tests ${pattern} and packages`, (path) => fits(path) || nameIn(path) === '__init__.py')
    for (const path of found) {
      const own = nameIn(path).slice(0, -3)
      await graph.module([packageOf(path, root), own === '__init__' ? '' : own].filter((step) => step !== '').join('.'))
      await graph.add(path, packageOf(path, root))
    }
    return graph.follow()
  }
  for (let i = 0; i < flags.length; i++) {
    const name = flags[i] as string
    if (name === '-k') i += 1
    else if (name.startsWith('-')) return inputs.all(`unittest ${name} may read anything`)
    else {
      const dotted = name.endsWith('.py') ? name.slice(0, -3).replace(/^\.\//, '').replaceAll('/', '.') : name
      if (!(await graph.module(dotted))) {
        await graph.strange(dotted)
        return inputs.all(`"${name}" is no module of the repository`)
      }
    }
  }
  return graph.follow()
}

async function pytest(args: readonly Pattern[], graph: Graph, at: Place): Promise<void> {
  const { inputs, folder } = at
  const paths: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string
    if (arg === '-p') {
      if (!/^no:\w+$/.test(args[++i] ?? '')) return inputs.all('a plugin')
    } else if (/^-p(?=no:)/.test(arg)) continue
    else if (/^-[qvxsl]+$/.test(arg) || /^--(?:tb|maxfail|durations|color|capture|strict-markers|strict|no-header|no-summary|verbose|quiet|exitfirst|showlocals)(?:=\w+)?$/.test(arg) || /^-r\w*$/.test(arg)) continue
    else if (/^-[km]$/.test(arg)) i += 1
    else if (arg.startsWith('-')) return inputs.all(`pytest ${arg} may read anything`)
    else paths.push(arg.replace(/::.*$/s, '').replace(/\[.*$/s, ''))
  }
  const places = paths.length === 0 ? [folder] : paths.flatMap((path) => joinPath(folder, path) ?? [])
  if (places.length < paths.length) return inputs.all('tests that lie outside')
  const ups = new Set(places.flatMap((place) => upFrom(place)))
  for (const up of ups)
    for (const name of CONFIGS) {
      if (/\.py$/.test(up)) continue
      const text = await inputs.text(inFolder(up, name))
      if (text !== null && /pytest/.test(text)) inputs.all(`"${inFolder(up, name)}" settles how tests run`)
    }
  for (const up of ups) if (!/\.py$/.test(up)) for (const name of ['setup.py', 'conftest.py']) name === 'setup.py' ? await inputs.present(inFolder(up, name)) : await graph.test(inFolder(up, name))
  for (const place of places) {
    if ((await inputs.present(place)) === 'folder') {
      const found = await inputs.listed(place, 'tests of pytest', (path) => path.endsWith('.py') && /^(?:test_.*|.*_test|conftest|__init__)\.py$/.test(nameIn(path)))
      for (const path of found) await graph.test(path)
      const texts = await inputs.listed(place, 'test*.txt', (path) => /^test.*\.(?:txt|rst)$/.test(nameIn(path)))
      for (const path of texts) await inputs.content(path)
    } else await graph.test(place)
  }
  graph.runBy(['pytest', '_pytest', 'pluggy'])
  await graph.follow()
  graph.fixtures()
}
