import { readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { objectOf, wordOf } from '../../base/json.ts'
import type { Program } from '../../model/probe.ts'
import { realOrNull } from './paths.ts'

/** What an installer wrote beside a program about it. */
export interface Installed {
  readonly package: string
  readonly version: string
}

const MAX_MANIFEST = 1024 * 1024
const MAX_SHIM = 16 * 1024
const MAX_DISTRIBUTIONS = 2000

/** The nearest package.json above a program (no higher than `ceiling`) that has a version and whose `bin` names that very file. */
export function packageVersion(program: Program, ceiling: string): Installed | null {
  for (const path of [program.path, ...shimTargets(program)]) {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const manifest = objectOf(jsonAt(join(folder, 'package.json')))
      const version = wordOf(manifest.version)
      if (version !== null && binsOf(manifest.bin).some((bin) => realOrNull(resolve(folder, bin)) === path)) return { package: wordOf(manifest.name) ?? '', version }
      if (folder === ceiling || folder === dirname(folder)) break
    }
  }
  return null
}

const binsOf = (bin: unknown): string[] => (typeof bin === 'string' ? [bin] : Object.values(objectOf(bin)).flatMap((path) => (typeof path === 'string' ? [path] : [])))

/** What a small shell script in `node_modules/.bin` starts, as pnpm and others write them. */
function shimTargets({ path, size }: Program): readonly string[] {
  if (size > MAX_SHIM || basename(dirname(path)) !== '.bin') return []
  const targets = [...(textAt(path) ?? '').matchAll(/"\$basedir\/([^"$]+)"/g)].map(([, way]) => realOrNull(resolve(dirname(path), way as string)))
  return [...new Set(targets)].filter((target) => target !== null)
}

/** The version of a package manager that the project names in `packageManager`, which corepack's stand-in would start. */
export function pinnedVersion(name: string, top: string): string | null {
  const pinned = /^(\w+)@([^+\s]+)/.exec(wordOf(objectOf(jsonAt(join(top, 'package.json'))).packageManager) ?? '')
  return pinned?.[1] === STANDS_FOR[name as keyof typeof STANDS_FOR] ? (pinned?.[2] ?? null) : null
}

const STANDS_FOR = { yarn: 'yarn', yarnpkg: 'yarn', pnpm: 'pnpm', pnpx: 'pnpm', npm: 'npm', npx: 'npm' } as const

/** The distribution of a Python environment (`pyvenv.cfg`) whose entry points name the program. */
export function pythonVersion({ found }: Program): Installed | null {
  const environment = dirname(dirname(found))
  if (textAt(join(environment, 'pyvenv.cfg')) === null) return null
  const entry = new RegExp(`^${basename(found).replace(/[^\w-]/g, '\\$&')}\\s*=`, 'm')
  for (const library of namesIn(join(environment, 'lib')))
    for (const name of namesIn(join(environment, 'lib', library, 'site-packages')).slice(0, MAX_DISTRIBUTIONS)) {
      const parts = /^(.+)-([^-]+)\.dist-info$/.exec(name)
      if (parts === null) continue
      if (entry.test(textAt(join(environment, 'lib', library, 'site-packages', name, 'entry_points.txt')) ?? ''))
        return { package: parts[1] as string, version: parts[2] as string }
    }
  return null
}

function jsonAt(path: string): unknown {
  try {
    return JSON.parse(textAt(path) ?? 'null')
  } catch {
    return null
  }
}

function textAt(path: string): string | null {
  try {
    const stat = statSync(path)
    return stat.isFile() && stat.size <= MAX_MANIFEST ? readFileSync(path, 'utf8') : null
  } catch {
    return null
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
