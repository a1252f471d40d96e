import { readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The house of the README: rooms by floor, and on which side of floor 2 they lie. */
const ROOMS: Readonly<Record<string, { readonly floor: number; readonly side?: 'pipeline' | 'set' }>> = {
  main: { floor: 6 },
  agent: { floor: 6 },
  cli: { floor: 6 },
  commands: { floor: 5 },
  command: { floor: 4 },
  store: { floor: 3 },
  host: { floor: 3 },
  distill: { floor: 2, side: 'pipeline' },
  resolve: { floor: 2, side: 'pipeline' },
  guard: { floor: 2, side: 'pipeline' },
  formats: { floor: 2, side: 'set' },
  rules: { floor: 2, side: 'set' },
  signatures: { floor: 2, side: 'set' },
  ephemera: { floor: 2, side: 'set' },
  mutations: { floor: 2, side: 'set' },
  probes: { floor: 2, side: 'set' },
  agents: { floor: 2, side: 'set' },
  model: { floor: 1 },
  base: { floor: 0 },
}

/** Doors between rooms of one floor: from, to. */
const DOORS = ['main → cli', 'agent → cli', 'store → host']
/** Verbs that another verb may call. */
const CALLS = ['hook → teardown', 'hook → gate']
/** What a floor below 3 may have of Node: nothing that reads or changes anything. */
const PURE_MODULES = ['node:crypto', 'node:util']
const IMPURE_NAMES = ['process', 'globalThis', 'fetch', 'performance', 'console', 'setTimeout', 'setInterval', 'setImmediate', 'require']
const IMPURE_CALLS = ['Date.now', 'Math.random', 'Intl.DateTimeFormat', 'crypto.randomUUID']

export const top = fileURLToPath(new URL('..', import.meta.url))

/** Every file under `src`, as `src/…` with `/`. */
export const sources = (): string[] =>
  readdirSync(join(top, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .sort()

export const sourceOf = (path: string): string => readFileSync(join(top, path), 'utf8')

export const sets = (): string[] => Object.keys(ROOMS).filter((room) => ROOMS[room]?.side === 'set')

/** What breaks the house in one file, as sentences; empty: nothing. */
export function faultsIn(path: string, source: string): string[] {
  const room = roomOf(path)
  const here = ROOMS[room]
  if (here === undefined) return [`${path} lies in no room`]
  const bare = /^(?:export )?const (\w+): (?:Readonly<)?Record<string, .*> = \{/m.exec(source)
  if (bare !== null) return [`${path}: "${bare[1]}" is looked up by words from outside, and must be a table (base/table.ts)`]
  return [...importsIn(source).flatMap((specifier) => faultOf(path, specifier)), ...(here.floor < 3 ? impurities(path, source) : [])]
}

function faultOf(path: string, specifier: string): string[] {
  const from = roomOf(path)
  const floor = ROOMS[from]?.floor ?? -1
  const no = (why: string): string[] => [`${path} imports ${specifier}: ${why}`]
  if (!specifier.startsWith('.')) {
    if (specifier.startsWith('node:')) return floor < 3 && !PURE_MODULES.includes(specifier) ? no(`floor ${floor} has nothing of the outside`) : []
    if (/^(?:yargs|yargs-parser)$/.test(specifier) && from !== 'cli') return no('only the command line parses command lines')
    return specifier === 'isomorphic-git' && floor !== 3 ? no('git is behind the ports of floor 3') : []
  }
  const target = posix.join(posix.dirname(path), specifier)
  const to = roomOf(target)
  const there = ROOMS[to]
  if (!target.startsWith('src/') || there === undefined) return no('it leads out of the house')
  if (!specifier.endsWith('.ts')) return no('it does not end in .ts')
  if (from === to) return within(path, target) ? [] : no(from === 'commands' ? 'verbs do not import one another' : 'members do not import one another')
  if (there.floor > floor) return no(`it leads up, from ${from} to ${to}`)
  if (there.floor < floor || DOORS.includes(`${from} → ${to}`)) return []
  return no(`${from} and ${to} are rooms of one floor`)
}

/** Whether a file may import another of its own room: in a room of members only what is its own. */
function within(path: string, target: string): boolean {
  const room = roomOf(path)
  if (ROOMS[room]?.side !== 'set' && room !== 'commands') return true
  if (path === `src/${room}.ts`) return true
  const from = memberOf(path)
  return from === memberOf(target) || CALLS.includes(`${from} → ${memberOf(target)}`)
}

/** `src/formats/codex/patch.ts` belongs to the member `codex`, as `src/formats/codex.ts` does. */
const memberOf = (path: string): string => (path.split('/')[2] ?? '').replace(/\.ts$/, '')

const roomOf = (path: string): string => (path.split('/')[1] ?? '').replace(/\.ts$/, '')

/** What a source imports, types too, and what it loads later. */
export const importsIn = (source: string): string[] => ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName)

function impurities(path: string, source: string): string[] {
  const found: string[] = []
  const declared = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isDeclaration(node)) declared.add(node.text)
    if (ts.isIdentifier(node) && IMPURE_NAMES.includes(node.text) && isReference(node)) found.push(node.text)
    if (ts.isPropertyAccessExpression(node) && IMPURE_CALLS.includes(node.getText())) found.push(node.getText())
    if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) found.push('the clock')
    if (ts.isCallExpression(node) && node.expression.getText() === 'Date') found.push('the clock')
    if (ts.isMetaProperty(node)) found.push('import.meta')
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true))
  return found.filter((name) => !declared.has(name)).map((name) => `${path} uses ${name}`)
}

/** A name of the file's own, which then stands for nothing global. */
const isDeclaration = ({ parent, text }: ts.Identifier): boolean =>
  (ts.isParameter(parent) || ts.isVariableDeclaration(parent) || ts.isFunctionDeclaration(parent) || ts.isBindingElement(parent)) &&
  parent.name !== undefined &&
  ts.isIdentifier(parent.name) &&
  parent.name.text === text

/** A name that stands for a value: no property, no key, no type. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  return !ts.isTypeNode(parent) && !ts.isTypeElement(parent) && !ts.isQualifiedName(parent) && !ts.isMethodDeclaration(parent)
}
