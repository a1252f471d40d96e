import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import hook from '../../src/commands/hook.ts'
import { aRemnant } from '../remnants.ts'
import { given, stage } from '../stage.ts'

const ZERO = '0'.repeat(40)

describe('hook', () => {
  it('refuses a hook that is none', async () => {
    const { host } = stage()
    for (const name of ['pre-commit', 'constructor', ''])
      await expect(hook.run(given({ name }), host)).rejects.toMatchObject({ fault: 'misuse', message: `unknown hook "${name}"`, hint: 'there are post-commit, post-merge, pre-push' })
  })

  it('post-commit is silent where no journal is unsealed, and asks nothing else of its host', async () => {
    const { host } = stage()
    const no = async (): Promise<never> => {
      throw new Error('asked for')
    }
    expect(await hook.run(given({ name: 'post-commit' }), { ...host, git: no, store: no, config: no, sets: no, world: no })).toEqual({ data: { sealed: [] } })
  })

  it('pre-push answers which refs are broken, for programs too', async () => {
    const { host, store, git } = stage()
    const { ref } = await store.write(aRemnant())
    const commit = git('rev-parse', ref).trim()
    const lines = `${ref} ${commit} ${ref} ${ZERO}\nrefs/heads/main ${git('rev-parse', 'main').trim()} refs/remnants/notes ${ZERO}\n(delete) ${ZERO} refs/remnants/gone ${commit}\n`
    expect(await hook.run(given({ name: 'pre-push' }, ['origin', 'url']), { ...host, stdin: Readable.from([Buffer.from(lines)]) })).toEqual({
      status: 1,
      text: expect.stringMatching(/^git-remnant: push stopped: "refs\/remnants\/notes" is no digest of a remnant\nhint: /),
      data: { broken: [{ subject: 'refs/remnants/notes', fault: 'is no digest of a remnant' }] },
    })
  })

  it.each([
    ['nothing', ''],
    ['an empty line', '\n'],
    ['what git never writes', 'one two\n\0\n'],
  ])('pre-push passes %s', async (_, input) => {
    const { host } = stage()
    expect(await hook.run(given({ name: 'pre-push' }, ['origin']), { ...host, stdin: Readable.from([Buffer.from(input)]) })).toMatchObject({ status: 0, text: '', data: { broken: [] } })
  })
})
