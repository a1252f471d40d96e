import { expect, it } from 'vitest'
import { type World, nearestAbove } from '../../src/model/probe.ts'

const world = (folders: Readonly<Record<string, number>>): World =>
  ({ stat: async (path: string) => (folders[path] === undefined ? null : { kind: 'folder', size: 0, changed: folders[path], moved: 7, executable: true, mode: 7 }) }) as unknown as World

it.each<[string, Readonly<Record<string, number>>, number]>([
  ['a/b/c', { '.': 1, a: 2, 'a/b': 3 }, 3],
  ['a/b/c', { '.': 1, a: 2 }, 2],
  ['a/b/c', { '.': 1 }, 1],
  ['a', { '.': 1, a: 2 }, 1],
  ['a/b', {}, Number.POSITIVE_INFINITY],
])('the nearest folder above %s tells when something in it was last made or removed: %j', async (path, folders, changed) => {
  expect((await nearestAbove(path, world(folders))).changed).toBe(changed)
})
