import { decodeUtf8, parseJson } from '../base/canonical.ts'
import { objectOf, wordOf } from '../base/json.ts'
import { table } from '../base/table.ts'
import type { Reading } from '../model/key.ts'
import { COORDINATES, withoutUserInfo } from '../model/mutation.ts'
import { databaseAt } from '../model/place.ts'
import type { Probe, World } from '../model/probe.ts'

const KINDS: Readonly<Record<string, (id: string, world: World) => Promise<Reading>>> = table({
  'git-remote': gitRemote,
  npm: npmPackage,
  github: (id, world) => forgeProject(id, world, 'github.com', 2),
  gitlab: (id, world) => forgeProject(id, world, 'gitlab.com', null),
  migrations: migrationsOf,
  terraform: terraformOf,
  machine: async () => ({ unreadable: 'it is on one machine, and no key names a machine' }),
})

export default {
  id: 'target',
  why: 'What was done outside stays done as long as the same name means the same place.',
  argument: 'KIND/ID of a mutation\'s target (git-remote/origin)',
  async read(argument, world) {
    const cut = argument.indexOf('/')
    const [kind, id] = [argument.slice(0, cut), argument.slice(cut + 1)]
    const read = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
    // A coordinate names its place whoever reads it: it is where it was.
    if (cut !== -1 && id !== '' && COORDINATES.has(kind)) return { value: id }
    return cut === -1 || id === '' || read === undefined ? { unreadable: 'no way to read a target of this kind' } : read(id, world)
  },
} satisfies Probe

/** A remote by name, or a URL that some remote has. */
async function gitRemote(id: string, world: World): Promise<Reading> {
  const remotes = await world.pushUrls()
  const named = remotes.get(id)
  if (named !== undefined && named.length > 0) return { value: named.map(withoutUserInfo).sort().join(' ') }
  const url = withoutUserInfo(id)
  const known = [...remotes.values()].flat().some((one) => withoutUserInfo(one) === url)
  return known ? { value: url } : { unreadable: 'no remote of this name or URL is configured' }
}

/** `OWNER/REPO`, with the host before it where it is another; where groups nest, a first step with a dot is a host. */
async function forgeProject(id: string, world: World, host: string, steps: number | null): Promise<Reading> {
  const own = steps === null ? !/^[^/]*\./.test(id) : id.split('/').length === steps
  const place = own ? `${host}/${id}` : id
  const urls = [...(await world.pushUrls()).values()].flat()
  return urls.some((url) => placeOf(withoutUserInfo(url)) === place.toLowerCase()) ? { value: place } : { unreadable: 'no remote names this repository' }
}

/** `host/owner/repo` of a URL; a forge's own name for SSH over HTTPS is the forge. */
function placeOf(url: string): string | null {
  const parts = /^(?:(?:https?|ssh|git):\/\/)?([\w.-]+)(?::\d+)?[/:]\/?([^/\s:]+(?:\/[^/\s]+)+)\/?$/i.exec(url.slice(0, 1000))
  return parts === null ? null : `${parts[1]}/${parts[2]}`.toLowerCase().replace(/\.git$/, '').replace(/^ssh\.github\.com\//, 'github.com/').replace(/^altssh\.gitlab\.com\//, 'gitlab.com/')
}

/** The database that the folder's tool is told by `DATABASE_URL`; of one machine, or told elsewhere, it can't be told from another. */
async function migrationsOf(folder: string, world: World): Promise<Reading> {
  const url = world.env('DATABASE_URL') ?? (await dotenv(folder, world))
  if (url === null) return { unreadable: 'neither the environment nor the .env of its folder names the database' }
  const database = databaseAt(url)
  return database !== null && COORDINATES.has(database.kind) ? { value: database.id } : { unreadable: 'its database is on one machine, and no key names a machine' }
}

async function dotenv(folder: string, world: World): Promise<string | null> {
  const bytes = await world.read(folder === '.' ? '.env' : `${folder}/.env`)
  const line = /^[ \t]*(?:export[ \t]+)?DATABASE_URL[ \t]*=[ \t]*(\S{1,1000})[ \t]*$/m.exec(Buffer.from(bytes ?? []).toString('utf8'))
  return line === null ? null : (line[1] as string).replace(/^(["'])(.*)\1$/, '$2')
}

/** A configuration's folder and the workspace that is chosen there. */
async function terraformOf(folder: string, world: World): Promise<Reading> {
  if ((await world.stat(folder))?.kind !== 'folder') return { unreadable: 'there is no such folder' }
  const chosen = await world.read(folder === '.' ? '.terraform/environment' : `${folder}/.terraform/environment`)
  const workspace = world.env('TF_WORKSPACE') || Buffer.from(chosen ?? []).toString('utf8').trim() || 'default'
  return /^[\w.-]{1,100}$/.test(workspace) ? { value: `${folder} ${workspace}` } : { unreadable: 'its workspace has a strange name' }
}

/** The registry and the package; where the deed's own words named one, it is that; else which registry counts is decided as npm decides it. */
async function npmPackage(name: string, world: World): Promise<Reading> {
  if (/^https?:\/\/\S+ /.test(name)) return { value: name }
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : null
  const names = [...(scope === null ? [] : [`${scope}:registry`]), 'registry']
  const sources = [await publishConfig(name, world), await npmrc(world.read('.npmrc'), world), await npmrc(world.homeFile('.npmrc'), world)]
  const fromEnv = world.env('npm_config_registry') ?? world.env('NPM_CONFIG_REGISTRY')
  for (const setting of names)
    for (const [rank, source] of sources.entries()) {
      const configured = (rank === 1 && setting === 'registry' ? fromEnv : undefined) || source.get(setting)
      if (configured) return { value: `${withoutUserInfo(configured).replace(/\/+$/, '')} ${name}` }
    }
  return { value: `default ${name}` }
}

async function publishConfig(name: string, world: World): Promise<ReadonlyMap<string, string>> {
  const tree = await world.tree('.')
  const paths = (tree?.files ?? []).map(({ path }) => path).filter((path) => path === 'package.json' || path.endsWith('/package.json'))
  for (const path of paths) {
    const bytes = await world.read(path)
    const manifest = objectOf(bytes === null ? null : jsonIn(bytes))
    if (manifest.name === name)
      return new Map(Object.entries(objectOf(manifest.publishConfig)).flatMap(([key, value]) => (wordOf(value) === null ? [] : [[key, String(value)] as const])))
  }
  return new Map()
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return parseJson(decodeUtf8(bytes))
  } catch {
    return null
  }
}

/** The registries of an `.npmrc`; nothing else in it is looked at. */
async function npmrc(file: Promise<Uint8Array | null>, world: World): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const line of Buffer.from((await file) ?? []).toString('utf8').split('\n')) {
    const setting = /^\s*((?:@[^\s:=]+:)?registry)\s*=\s*(\S+)\s*$/.exec(line)
    if (setting === null) continue
    const value = (setting[2] as string).replace(/^(["'])(.*)\1$/, '$2')
    found.set(setting[1] as string, value.replace(/\$\{(\w+)\}/g, (whole, variable: string) => world.env(variable) ?? whole))
  }
  return found
}
