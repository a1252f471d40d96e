import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import verify from '../../src/commands/verify.ts'
import { pathOf } from '../../src/store/git/recipe.ts'
import { aRemnant } from '../remnants.ts'
import { given, stage } from '../stage.ts'

it('finds no fault in a whole store, with copies or without', async () => {
  const { store, host, dir } = stage()
  await store.write(aRemnant())
  await store.write(aRemnant(['other']))
  const whole = { text: '2 checked, no fault', data: { checked: 2, faults: [], absent: [] }, status: 0 }
  expect(await verify.run(given(), host)).toEqual(whole)
  rmSync(join(dir, '.remnants'), { recursive: true })
  expect(await verify.run(given(), host)).toEqual(whole)
})

it('finds nothing to check in an empty store', async () => {
  expect(await verify.run(given(), stage().host)).toMatchObject({ text: '0 checked, no fault', status: 0 })
})

it('names each fault with its repair, and changes nothing by looking', async () => {
  const { store, host, dir } = stage()
  const { digest, ref } = await store.write(aRemnant())
  writeFileSync(join(dir, pathOf(digest)), '{}')
  writeFileSync(join(dir, '.git', ref), '')
  const { text, data, status } = await verify.run(given(), host)
  expect(status).toBe(74)
  expect(data).toMatchObject({ checked: 1, faults: [{ subject: ref, fault: 'is empty' }, { subject: pathOf(digest), fault: 'differs from its ref', repair: 'git remnant checkout' }] })
  expect(text).toBe(`${ref}: is empty\n  repair: git remnant fetch, from a remote that has it whole\n${pathOf(digest)}: differs from its ref\n  repair: git remnant checkout\n1 checked, 2 faults`)
  expect((await verify.run(given(), host)).text).toBe(text)
})

it('names --repair where a whole copy is here, and there alone, and then does it', async () => {
  const { store, host, dir } = stage()
  const { ref, digest } = await store.write(aRemnant())
  const object = (): string[] => readdirSync(join(dir, '.git/objects'), { recursive: true }).map(String).filter((name) => /^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(name))
  for (const name of object()) {
    chmodSync(join(dir, '.git/objects', name), 0o644)
    writeFileSync(join(dir, '.git/objects', name), 'spoilt')
  }
  const found = async () => ((await verify.run(given(), host)).data as { faults: readonly { subject: string; repair: string }[] }).faults.find(({ subject }) => subject === ref)?.repair
  expect(await found()).toBe('git remnant verify --repair, which makes it again from the copy')
  const [path, copy] = [join(dir, pathOf(digest)), readFileSync(join(dir, pathOf(digest)))]
  rmSync(path)
  expect(await found()).toBe('git remnant fetch, from a remote that has it whole')
  writeFileSync(path, copy)
  expect((await verify.run(given({ repair: true }), host)).status).toBe(0)
})

it('says of a list that is spoilt what is lost by it, and how it is said again', async () => {
  const { host, dir } = stage()
  mkdirSync(join(dir, '.git/remnant'), { recursive: true })
  for (const [name, way] of [['own', 'until its session is torn down here again'], ['approvals', 'what it denied is to be denied again'], ['signers', '"git remnant deny"']] as const) {
    writeFileSync(join(dir, '.git/remnant', name), '\ufffd strange \0 line that is longer than any line of a list may ever be in this file\n')
    const { faults } = (await verify.run(given(), host)).data as { faults: readonly { subject: string; repair: string }[] }
    expect(faults.find(({ subject }) => subject === `remnant/${name}`)?.repair).toContain(way)
  }
})

it('checks only what is asked for by name', async () => {
  const { store, host, dir } = stage()
  const { digest } = await store.write(aRemnant())
  const other = await store.write(aRemnant(['other']))
  writeFileSync(join(dir, '.git', other.ref), '')
  expect(await verify.run(given({ DIGEST: [digest.slice(0, 8), digest] }), host)).toMatchObject({ data: { checked: 1, faults: [] }, status: 0 })
  expect(await verify.run(given({ DIGEST: [other.digest.slice(0, 8)] }), host)).toMatchObject({ data: { checked: 1 }, status: 74 })
})

it('says no where one of the names is not here', async () => {
  const { store, host } = stage()
  const { digest } = await store.write(aRemnant())
  const absent = digest.startsWith('0000') ? 'ffff' : '0000'
  expect(await verify.run(given({ DIGEST: [digest, absent] }), host)).toEqual({ text: `no remnant "${absent}" here\n1 checked, no fault`, data: { checked: 1, faults: [], absent: [absent] }, status: 1 })
})
