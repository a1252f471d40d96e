import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openGit } from '../../src/host/git.ts'
import { openStore } from '../../src/store.ts'
import { removeExclude, wantsExclude } from '../../src/store/exclude.ts'
import { aRemnant } from '../remnants.ts'
import { ENV, type Stage, stage } from '../stage.ts'

const excludeOf = (staged: Stage): string => join(staged.repository.commonDir, 'info', 'exclude')
const text = (staged: Stage): string => readFileSync(excludeOf(staged), 'latin1')

it.each<[string, string | null]>([
  ['with git\'s own comments', '# git ls-files --others --exclude-from=.git/info/exclude\n# *.[oa]\n'],
  ['with nothing in it', ''],
  ['without its last line break', '*.o\n*.log'],
  ['with the line ends of Windows', '*.o\r\n*.log\r\n'],
  ['in another encoding', 'caf\xe9\n'],
  ['that is not there', null],
])('hides .remnants/ in an exclude file %s, and gives it back byte for byte', async (_title, before) => {
  const staged = stage()
  if (before === null) rmSync(join(staged.repository.commonDir, 'info'), { recursive: true })
  else writeFileSync(excludeOf(staged), before, 'latin1')
  await staged.store.write(aRemnant())
  expect(text(staged).split('\n')).toContain('/.remnants/')
  expect(staged.git('status', '--porcelain')).toBe('')
  removeExclude(staged.repository, staged.files)
  if (before === null) expect(existsSync(join(staged.repository.commonDir, 'info'))).toBe(false)
  else expect(text(staged)).toBe(before)
  expect(staged.git('status', '--porcelain')).toBe('?? .remnants/\n')
})

it('takes only its own line out of a file that somebody changed since', async () => {
  const staged = stage()
  writeFileSync(excludeOf(staged), '*.o')
  await staged.store.write(aRemnant())
  writeFileSync(excludeOf(staged), `${text(staged)}*.log\n`)
  removeExclude(staged.repository, staged.files)
  expect(text(staged)).toBe('*.o\n*.log\n')
})

it.each(['/.remnants/', '.remnants/', '.remnants'])('adds nothing where the user wrote "%s", and leaves that line there', async (line) => {
  const staged = stage()
  writeFileSync(excludeOf(staged), `${line}\n*.o\n`)
  await staged.store.write(aRemnant())
  removeExclude(staged.repository, staged.files)
  expect(text(staged)).toBe(`${line}\n*.o\n`)
})

it('adds the line once: whoever takes it out again meant it', async () => {
  const staged = stage()
  const before = text(staged)
  await staged.store.write(aRemnant())
  writeFileSync(excludeOf(staged), before)
  await staged.store.write(aRemnant(['other']))
  expect(text(staged)).toBe(before)
  removeExclude(staged.repository, staged.files)
  expect(text(staged)).toBe(before)
})

it.each<[string, (staged: Stage) => void]>([
  ['tracked', (staged) => (staged.write('.remnants/ab/note.txt', 'x'), staged.git('add', '-A'))],
  ['about to be tracked', (staged) => staged.write('.remnants/README.md', 'x')],
])('does not hide a .remnants/ that is %s', async (_title, prepare) => {
  const staged = stage()
  prepare(staged)
  const before = text(staged)
  await staged.store.write(aRemnant())
  expect(text(staged)).toBe(before)
  expect(await wantsExclude(staged.repository, staged.files, async () => openGit(staged.repository, ENV))).toBe(false)
})

it('leaves a bare repository and its exclude file alone', async () => {
  const staged = stage({ layout: 'bare' })
  const before = text(staged)
  await staged.store.write(aRemnant())
  expect(text(staged)).toBe(before)
})

it('writes through an exclude file that is a link of the user\'s', async () => {
  const staged = stage()
  const elsewhere = join(staged.base, 'my-excludes')
  writeFileSync(elsewhere, '*.o\n')
  rmSync(excludeOf(staged))
  symlinkSync(elsewhere, excludeOf(staged))
  await staged.store.write(aRemnant())
  expect(readFileSync(elsewhere, 'utf8')).toBe('*.o\n/.remnants/\n')
  removeExclude(staged.repository, staged.files)
  expect(readFileSync(elsewhere, 'utf8')).toBe('*.o\n')
})

it('hides what checkout brings into a clone that only fetched', async () => {
  const [from, to] = [stage(), stage()]
  await from.store.write(aRemnant())
  to.git('fetch', '-q', from.dir, 'refs/remnants/*:refs/remnants/*')
  const store = openStore({ repository: to.repository, git: async () => openGit(to.repository, ENV), files: to.files })
  expect((await store.checkout()).restored).toHaveLength(1)
  expect(to.git('status', '--porcelain')).toBe('')
})
