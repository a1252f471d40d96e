import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import checkout from '../../src/commands/checkout.ts'
import { encodeRemnant } from '../../src/model/remnant.ts'
import { pathOf } from '../../src/store/git/recipe.ts'
import { aRemnant } from '../remnants.ts'
import { given, stage } from '../stage.ts'

it('brings back what is missing, rewrites what differs, and leaves the rest alone', async () => {
  const { store, host, dir, git } = stage()
  const [one, two, three] = [await store.write(aRemnant()), await store.write(aRemnant(['two'])), await store.write(aRemnant(['three']))]
  const head = git('rev-parse', 'HEAD')
  rmSync(join(dir, pathOf(one.digest)))
  writeFileSync(join(dir, pathOf(two.digest)), '{ }')
  expect(await checkout.run(given(), host)).toEqual({ text: '2 copies brought back', data: { restored: 2, faults: [] } })
  for (const [{ digest }, gate] of [[one, 'npm test'], [two, 'two'], [three, 'three']] as const) expect(readFileSync(join(dir, pathOf(digest)))).toEqual(encodeRemnant(aRemnant([gate])).bytes)
  expect(await checkout.run(given(), host)).toMatchObject({ text: 'no copy had to be brought back' })
  expect(git('rev-parse', 'HEAD')).toBe(head)
  expect(git('status', '--porcelain')).toBe('')
})

it('names what it can\'t bring back, and brings the rest', async () => {
  const { store, host, dir } = stage()
  const bad = await store.write(aRemnant())
  const good = await store.write(aRemnant(['two']))
  rmSync(join(dir, '.remnants'), { recursive: true })
  writeFileSync(join(dir, '.git', bad.ref), '')
  const { text, data } = await checkout.run(given(), host)
  expect(data).toMatchObject({ restored: 1, faults: [{ subject: pathOf(bad.digest) }] })
  expect(text).toContain(`repair: git remnant verify ${bad.digest.slice(0, 12)}`)
  expect(readFileSync(join(dir, pathOf(good.digest)))).toEqual(encodeRemnant(aRemnant(['two'])).bytes)
})

it('needs a work tree', async () => {
  await expect(checkout.run(given(), stage({ layout: 'bare' }).host)).rejects.toMatchObject({ fault: 'missing', message: 'a bare repository has no work tree' })
})
