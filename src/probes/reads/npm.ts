import { objectOf } from '../../base/json.ts'
import { textsIn } from './node/graph.ts'
import { type Pattern, above, inFolder, isKnown, nameIn, placeOf, upFrom } from './pattern.ts'
import type { Place, Start } from './place.ts'
import { followShell } from './shell.ts'

/** `npm test`, `npm run NAME`: the script of the nearest package.json, and what decides how npm runs it. */
export async function followNpm(args: readonly Pattern[], at: Place, start: Start): Promise<void> {
  const { inputs, folder } = at
  const quiet = args.filter((arg) => !/^(?:-s|--silent|--loglevel=\w+|--no-color|--color(?:=\w+)?)$/.test(arg))
  const [verb = '', ...rest] = quiet
  const short: Readonly<Record<string, string>> = { t: 'test', tst: 'test', test: 'test', start: 'start' }
  const name = /^(?:run|run-script|rum|urn)$/.test(verb) ? rest[0] : short[verb]
  const given = /^run|^rum|^urn/.test(verb) ? rest.slice(1) : rest
  const end = given.indexOf('--')
  if (name === undefined || !isKnown(name) || name.startsWith('-') || given.slice(0, end === -1 ? given.length : end).some((arg) => arg.startsWith('-'))) return inputs.all('npm may read anything')
  inputs.env(['npm_config_script_shell', 'npm_config_prefix', 'npm_config_ignore_scripts', 'npm_config_workspace', 'NODE_OPTIONS'])
  const extra = end === -1 ? given : [...given.slice(0, end), ...given.slice(end + 1)]
  let own: string | null = null
  for (const up of upFrom(folder)) {
    const rc = await inputs.text(inFolder(up, '.npmrc'))
    if (rc !== null && /(?:^|\n)\s*(?:script-shell|ignore-scripts|node-options|prefix|workspace)/.test(rc)) inputs.all('an .npmrc that changes how scripts run')
    const path = inFolder(up, 'package.json')
    if (own === null) {
      const there = await inputs.kind(path)
      if (there === 'file') own = up
      else {
        await inputs.present(path)
        if ((await inputs.present(inFolder(up, 'node_modules'))) !== null) return inputs.all('an npm without a package.json')
      }
    } else {
      const root = await inputs.fields(path, ['workspaces'])
      if (root?.['workspaces'] != null) await workspaces(root['workspaces'], up, at)
    }
  }
  if (own === null) return
  const manifest = await inputs.fields(inFolder(own, 'package.json'), ['name', 'version', 'scripts', 'config', 'engines', 'devEngines', 'packageManager', 'bin', 'workspaces'])
  if (manifest?.['workspaces'] != null) await workspaces(manifest['workspaces'], own, at)
  const scripts = objectOf(manifest?.['scripts'])
  if (own !== folder) inputs.leadsUp()
  for (const [one, more] of [[`pre${name}`, []], [name, extra], [`post${name}`, []]] as const) {
    const text = scripts[one]
    if (typeof text !== 'string') continue
    if (more.length > 0 && !more.every((arg) => /^[\w./=:@-]+$/.test(arg))) inputs.all('arguments that a shell reads again')
    await followShell([text, ...more].join(' '), 'sh', [], { ...at, folder: own, depth: at.depth + 1 }, start)
  }
  // Without a start script npm starts this.
  if (name === 'start' && scripts['start'] === undefined) await start(['node', './server.js'], { ...at, folder: own, depth: at.depth + 1 })
}

/** npm looks for its workspaces by the name of each. */
async function workspaces(value: unknown, root: string, { inputs }: Place): Promise<void> {
  const patterns = textsIn(Array.isArray(value) ? value : objectOf(value)['packages'])
  for (const pattern of patterns) {
    const place = placeOf(pattern.replace(/\/+$/, ''), root)
    if (place === null || place === '?' || /\*\*|[[\]{}?!]/.test(pattern)) {
      inputs.all('workspaces that can not be told')
      continue
    }
    const manifests = await inputs.listed(root, `manifests of ${pattern}`, (path) => nameIn(path) === 'package.json' && !/(?:^|\/)node_modules\//.test(path) && matches(above(path), place))
    for (const path of manifests) await inputs.fields(path, ['name'])
  }
}

function matches(path: string, place: string): boolean {
  const [steps, wanted] = [path.split('/'), place.split('/')]
  return steps.length === wanted.length && wanted.every((step, i) => step === '*' || step === steps[i] || (step.includes('*') && steps[i]?.startsWith(step.slice(0, step.indexOf('*'))) === true))
}
