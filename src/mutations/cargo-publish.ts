import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { joinPath } from '../model/key.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'cargo-publish',
  why: 'A version of a crate is there for ever; it can be yanked, never replaced.',
  names: ['cargo publish', 'cargo yank'],
  intends(command) {
    const call = readCall(command)
    if (call === null) return null
    const identifier = call.name !== null && call.version !== null ? `${call.name}@${call.version}` : null
    return { repeat: call.yanks ? 'convergent' : 'harmful', target: call.name === null ? null : crateAt(call.registry, call.name), identifier }
  },
  async identify(command, world) {
    const call = readCall(command)
    if (call === null || call.yanks || command.argv.some((arg) => /^(?:--manifest-path|--config|-Z|--workspace|--all)(?:=|$)/.test(arg))) return null
    const path = joinPath(command.folder, 'Cargo.toml')
    const bytes = call.version !== null || path === null ? null : await world.read(path)
    const [name, version] = call.version !== null ? [call.name, call.version] : packageIn(Buffer.from(bytes ?? []).toString('utf8'))
    const target = name === null || (call.name !== null && call.name !== name) ? null : crateAt(call.registry, name)
    return target === null || version === null ? null : { target, identifier: `${name}@${version}` }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^[ \t]{0,40}error(?:\[|:)|is already uploaded|already exists on/m.test(output)) return 'not-done'
    if (call.yanks) {
      const name = /^[ \t]{0,40}(?:Yank|Unyank) ([\w-]{1,100})@([\w.+-]{1,100})$/m.exec(output)
      return name === null ? null : doneAt(crateAt(call.registry, name[1] as string), `${name[1]}@${name[2]}`)
    }
    const made = [...output.matchAll(/^[ \t]{0,40}(Uploaded|Published) ([\w-]{1,100}) v(\d[\w.+-]{0,100})(?: (?:to registry|at registry) `([^`\n]{1,200})`)?/gm)]
    const names = new Map(made.map(([, , name, version, registry]) => [name as string, { version: version as string, registry: registry ?? call.registry }]))
    const started = [...output.matchAll(/^[ \t]{0,40}Uploading ([\w-]{1,100}) v(\d[\w.+-]{0,100})/gm)]
    if (names.size === 0 && succeeded && started.length === 1) names.set(started[0]?.[1] as string, { version: started[0]?.[2] as string, registry: call.registry })
    const [only, ...more] = names
    return only === undefined || more.length > 0 ? null : doneAt(crateAt(only[1].registry, only[0]), `${only[0]}@${only[1].version}`)
  },
} satisfies Mutation

interface Call {
  readonly yanks: boolean
  readonly registry: string
  readonly name: string | null
  readonly version: string | null
}

function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  if (program !== 'cargo') return null
  const given = readArguments(args.filter((arg, i) => i > 0 || !arg.startsWith('+')), VALUES)
  const verb = given.words[0]
  if ((verb !== 'publish' && verb !== 'yank') || given.has('-n', '--dry-run', '-h', '--help', '--list')) return null
  const [name = null, version = null] = (verb === 'yank' ? (given.words[1] ?? '') : (given.value('-p', '--package') ?? '')).split('@')
  const index = given.value('--index')
  const plain = name !== null && /^[\w-]+$/.test(name) ? name : null
  return { yanks: verb === 'yank', registry: index ?? given.value('--registry') ?? 'crates-io', name: plain, version: given.value('--version', '--vers') ?? version }
}

/** Name and version of `[package]`, each where it stands there in full. */
function packageIn(manifest: string): readonly [string | null, string | null] {
  const lines = manifest.split(/\r?\n/)
  const from = lines.findIndex((line) => /^\s*\[package\]\s*(?:#.*)?$/.test(line))
  const rest = from === -1 ? [] : lines.slice(from + 1)
  const end = rest.findIndex((line) => /^\s*\[/.test(line))
  const said = (field: string): string | null =>
    (end === -1 ? rest : rest.slice(0, end)).flatMap((line) => new RegExp(`^\\s*${field}\\s*=\\s*"([\\w.+-]{1,100})"\\s*(?:#.*)?$`).exec(line)?.[1] ?? [])[0] ?? null
  return [said('name'), said('version')]
}

const VALUES = optionNames('-p --package --registry --index --token --manifest-path --target --target-dir -F --features -j --jobs --color --config -Z --vers --version --lockfile-path')

const crateAt = (registry: string, name: string): Target | null => targetOf('crates', registry === 'crates-io' ? name : `${registry.replace(/^[\w+]*:\/\/[^/@]*@/, '')} ${name}`)
