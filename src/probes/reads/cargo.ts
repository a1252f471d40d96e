import { joinPath } from '../../model/key.ts'
import { type Pattern, above, inFolder, isKnown, nameIn, upFrom } from './pattern.ts'
import type { Place } from './place.ts'

/** What a Rust source names that reads files, runs programs or looks at the environment when it is compiled or run. */
const REACHES = /\b(?:fs|File|OpenOptions|Command|Path|PathBuf|include|include_bytes|include_dir|libloading|asm|global_asm|extern|proc_macro|read_dir|current_dir|set_current_dir|env)\b|#!?\[\s*(?:cfg_attr\s*\([^\]]*\bpath\b|path\b)/
const MANIFEST_REACHES = /^\s*\[(?:[\w.-]*\.)?(?:patch|replace)\b|proc-macro|^\s*build\s*=|\bgit\s*=|\blinks\s*=|^\s*\[lints|\bregistry\s*=/m

/** `cargo test`, `check`, `build`, `clippy`, `doc`: the package with all that it is made of, and the packages by path that it asks for. */
export async function followCargo(args: readonly Pattern[], at: Place): Promise<void> {
  const { inputs, folder } = at
  const [verb = ''] = args
  if (!/^(?:test|t|check|c|build|b|clippy|doc|d)$/.test(verb) || !args.every(isKnown)) return inputs.all(`cargo ${isKnown(verb) ? verb : ''} may read anything`)
  const end = args.indexOf('--') === -1 ? args.length : args.indexOf('--')
  for (const arg of args.slice(1, end)) if (!/^--(?:offline|locked|frozen|release|lib|quiet|verbose|all-targets|tests|bins|examples|no-default-features|all-features|message-format=\w+|color=\w+)$|^-[qvj]$|^\d+$|^[\w:]+$/.test(arg)) return inputs.all(`cargo ${arg} may read anything`)
  inputs.env(['RUSTFLAGS', 'RUSTC', 'RUSTC_WRAPPER', 'RUSTC_WORKSPACE_WRAPPER', 'CARGO_TARGET_DIR', 'CARGO_BUILD_RUSTFLAGS', 'CARGO_ENCODED_RUSTFLAGS', 'RUSTDOCFLAGS', 'CARGO_HOME'])
  await inputs.program('rustc', folder)
  for (const up of upFrom(folder)) {
    for (const name of ['.cargo/config.toml', '.cargo/config']) {
      const text = await inputs.text(inFolder(up, name))
      if (text !== null && /\b(?:include|paths|source|env|wrapper|runner|linker|target-dir)\b/.test(text)) inputs.all('a configuration of cargo that leads elsewhere')
    }
    for (const name of ['rust-toolchain', 'rust-toolchain.toml', 'clippy.toml', '.clippy.toml', 'Cargo.lock']) await inputs.content(inFolder(up, name))
  }
  const own = await nearest(upFrom(folder), at)
  if (own === null) return
  await workspace(own, at)
  await packages(own, at)
}

async function nearest(folders: readonly string[], { inputs }: Place): Promise<string | null> {
  for (const up of folders) if ((await inputs.text(inFolder(up, 'Cargo.toml'))) !== null) return up
  return null
}

/** Every manifest from the package up, and those of all members, are read before anything is built. */
async function workspace(own: string, { inputs }: Place): Promise<void> {
  for (const up of upFrom(own)) await inputs.content(inFolder(up, 'Cargo.toml'))
  for (const path of await inputs.listed('.', 'manifests and targets of cargo', (path) => isTarget(path))) if (nameIn(path) === 'Cargo.toml') await inputs.content(path)
}

/** What cargo finds in a package by its place alone. */
const isTarget = (path: string): boolean => nameIn(path) === 'Cargo.toml' || /(?:^|\/)(?:src\/(?:lib|main)|build)\.rs$/.test(path) || /(?:^|\/)(?:src\/bin|examples|tests|benches)\/(?:[^/]+|[^/]+\/main)\.rs$/.test(path)

async function packages(first: string, { inputs }: Place): Promise<void> {
  const seen = new Set<string>()
  const queue = [first]
  for (let folder = queue.shift(); folder !== undefined && !inputs.isFull; folder = queue.shift()) {
    if (seen.has(folder)) continue
    seen.add(folder)
    const manifest = (await inputs.text(inFolder(folder, 'Cargo.toml'))) ?? ''
    if (MANIFEST_REACHES.test(manifest)) return inputs.all(`"${folder}" is built in its own way`)
    if (/^\s*\[workspace\b/m.test(manifest) && !/^\s*\[package\]/m.test(manifest)) return inputs.all('a whole workspace')
    // What is not by path comes from elsewhere: a package there may do anything, and is settled by the lockfile.
    for (const part of dependencies(manifest)) if (!/\bpath\s*=/.test(part)) return inputs.all(`"${folder}" asks for packages of others`)
    for (const [, way = ''] of manifest.matchAll(/\bpath\s*=\s*"([^"\n]{1,300})"/g)) {
      const place = joinPath(folder, way)
      if (place === null) return inputs.strange(way)
      if (place.endsWith('.rs')) await inputs.content(place)
      else queue.push(place)
    }
    await inputs.tree(folder)
    for (const path of await inputs.listed(folder, 'sources', (path) => path.endsWith('.rs'))) {
      const text = (await inputs.text(path)) ?? ''
      if (nameIn(path) === 'build.rs') inputs.all(`"${path}" may do anything`)
      if (REACHES.test(text)) inputs.all(`"${path}" may read anything`)
      for (const [, way = ''] of text.matchAll(/\binclude_str\s*!\s*[([{]\s*(?:"([^"\n]{1,300})")?/g)) {
        const place = way === '' ? null : joinPath(above(path), way)
        if (place === null) inputs.all(`"${path}" includes what only compiling tells`)
        else await inputs.content(place)
      }
    }
  }
}

/** The lines under `[dependencies]` and its like, one a package. */
function dependencies(manifest: string): string[] {
  const found: string[] = []
  let inside = false
  for (const line of manifest.split('\n')) {
    const head = /^\s*\[+([^\]]+)\]/.exec(line)?.[1]
    if (head !== undefined) {
      inside = /(?:^|\.)(?:dev-|build-)?dependencies$/.test(head.trim())
      // A package as a table of its own is not taken apart.
      if (/dependencies\.[\w"-]+$/.test(head.trim())) found.push(head)
    } else if (inside && /^\s*[\w"-]+\s*[.=]/.test(line)) found.push(line)
  }
  return found
}
