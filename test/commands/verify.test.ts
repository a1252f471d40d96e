import { rmSync, writeFileSync } from 'node:fs'
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
  expect(text).toBe(`${ref}: is empty\n  repair: get it again from a clone that has it whole\n${pathOf(digest)}: differs from its ref\n  repair: git remnant checkout\n1 checked, 2 faults`)
  expect((await verify.run(given(), host)).text).toBe(text)
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
