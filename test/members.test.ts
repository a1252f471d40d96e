import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sets, sourceOf, sources, top } from './floors.ts'

/** What every member of a set has, whatever it is called there. */
interface Member {
  readonly id?: string
  readonly kind?: string
  readonly why: string
}

const idOf = (member: Member): string => member.id ?? member.kind ?? ''

const filesOf = (set: string): string[] =>
  readdirSync(join(top, 'src', set), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name.replace(/\.ts$/, ''))
    .sort()

/** The array that `src/SET.ts` exports. */
async function listOf(set: string): Promise<Member[]> {
  const exported = Object.values((await import(`../src/${set}.ts`)) as Record<string, unknown>)
  return exported.find((value): value is Member[] => Array.isArray(value)) ?? []
}

describe.each(sets())('the set of %s', (set) => {
  let members: Member[]
  beforeAll(async () => {
    members = await listOf(set)
  })

  it('lists every file of its folder, under the name of the file, once', () => {
    expect(members.map(idOf).sort()).toEqual(filesOf(set))
  })

  it('has a reason for each member', () => {
    expect(members.filter(({ why }) => !/^\S.{20,}$/s.test(why)).map(idOf)).toEqual([])
  })

  it('has a test for each member', () => {
    expect(filesOf(set).filter((id) => !existsSync(join(top, 'test', set, `${id}.test.ts`)))).toEqual([])
  })
})

describe('a member', () => {
  it('is asked for by its id nowhere outside itself', async () => {
    const ids = (await Promise.all(sets().map(listOf))).flat().map(idOf)
    const found = sources().flatMap((path) => asksForIn(sourceOf(path), ids).map((id) => ({ path, id })))
    expect(found.filter(({ path, id }) => !path.endsWith(`/${id}.ts`) && !path.includes(`/${id}/`))).toEqual([])
  })

  it.each([
    ["if (rule.id === 'no-deixis') return", ['no-deixis']],
    ["list.filter(({ id }) => id !== 'no-deixis')", ['no-deixis']],
    ["switch (probe.id) { case 'tree': return 1 }", ['tree']],
    ["if (entry.kind === 'tree') return", []],
    ["const id = 'tree'", []],
  ])('is found where %s asks for it', (source, ids) => {
    expect(asksForIn(source, ['no-deixis', 'tree'])).toEqual(ids)
  })
})

function asksForIn(source: string, ids: readonly string[]): string[] {
  const compared = [...source.matchAll(/\bid\s*[!=]==?\s*['"]([a-z0-9-]+)['"]/g)].map(([, id]) => id as string)
  const switched = [...source.matchAll(/switch \([^)]*\bid\)\s*\{([^}]*)/g)].flatMap(([, body]) => [...(body as string).matchAll(/case ['"]([a-z0-9-]+)['"]/g)].map(([, id]) => id as string))
  return [...compared, ...switched].filter((id) => ids.includes(id))
}

describe('the tests', () => {
  it('are all run: every test file has the name by which they are found', () => {
    const files = readdirSync(join(top, 'test'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
    const holdsTests = files.filter((path) => /^(?:describe|it|test)(?:\.each)?\(/m.test(sourceOf(`test/${path}`)))
    const exported = /^export (?:const|function|async function) \w*[Ss]uite\b/m
    expect(holdsTests.filter((path) => !path.endsWith('.test.ts') && !exported.test(sourceOf(`test/${path}`)))).toEqual([])
  })

  it('are none skipped or alone', () => {
    const files = readdirSync(join(top, 'test'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.test.ts'))
    const marked = files.filter((path) => /^\s*(?:describe|it|test)\.(?:skip|only|todo)\b/m.test(sourceOf(`test/${path}`)))
    expect(marked).toEqual([])
  })
})
