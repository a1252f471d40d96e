import { isAbsolute, relative, resolve as absolute, sep } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import type { Command } from '../command.ts'
import type { Repository } from '../host/git.ts'
import { resolveHere } from '../host/here.ts'
import { splitKey, type Key } from '../model/key.ts'
import { MIN_BUDGET, briefOf } from '../resolve/brief.ts'

const DEFAULT_BUDGET = 300

export default {
  name: 'brief',
  kind: 'porcelain',
  summary: 'What a successor may rely on here; says nothing when there is nothing',
  details: [
    'States only claims that hold in this working tree, each once, as data. Suspended claims are named by id and not stated.',
    'Tokens are an estimate. What the budget has no room for is counted; the least important goes first.',
  ].join('\n'),
  options: {
    budget: { type: 'number', value: 'N', describe: `tokens to spend (default ${DEFAULT_BUDGET}, at least ${MIN_BUDGET})` },
    for: { type: 'string', value: 'PATH', describe: 'first what has to do with this file or folder' },
  },
  async run(args, host) {
    const budget = args.number('budget') ?? DEFAULT_BUDGET
    if (!Number.isSafeInteger(budget) || budget < MIN_BUDGET)
      throw new RemnantError('misuse', `"--budget" is not a whole number of at least ${MIN_BUDGET}`, { hint: `leave it out for ${DEFAULT_BUDGET} tokens` })
    const path = pathWithin(args.text('for'), host.cwd, await host.repository())

    const { resolution, skipped } = await resolveHere(host)
    if (skipped.length > 0) host.warn(`${skipped.length} of the stored remnants can't be read and were skipped; "git remnant verify" names them`)

    const tokensOf = resolution.remnants.length === 0 ? () => 0 : (await import('tokenx')).estimateTokenCount
    const touches = (folder: string, keys: readonly Key[]) => path !== null && [folder, ...keys.map((key) => splitKey(key).argument)].some((place) => touch(place, path))
    const brief = briefOf(resolution, { budget, touches, tokensOf })
    return { ...(brief.text !== '' && { text: brief.text }), data: { ...brief } }
  },
} satisfies Command

/** PATH from the top of the work tree; null: none was given. */
function pathWithin(path: string | undefined, cwd: string, { workTree }: Repository): string | null {
  if (path === undefined || workTree === null) return null
  const within = relative(workTree, absolute(cwd, path))
  if (within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within))
    throw new RemnantError('misuse', '"--for" names a path outside this working tree', { hint: 'give a path of a file or folder of this repository' })
  return within === '' ? '.' : within.split(sep).join('/')
}

/** One lies within the other. The top of the work tree touches everything, so that it says nothing of any path. */
const touch = (place: string, path: string): boolean =>
  place !== '' && place !== '.' && (place === path || path === '.' || place.startsWith(`${path}/`) || path.startsWith(`${place}/`))
