import { isAbsolute, relative, resolve as absolute, sep } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import type { Answer, Command, Host } from '../command.ts'
import { DEFAULT_BUDGET, briefHere } from '../host/briefing.ts'
import type { Repository } from '../host/git.ts'
import { resolveHere } from '../host/here.ts'
import { MIN_BUDGET } from '../resolve/brief.ts'

export default {
  name: 'brief',
  kind: 'porcelain',
  summary: 'What a successor may rely on here; says nothing when there is nothing',
  details: [
    'States only claims that hold in this working tree, each once, as data. Suspended claims are named by id and not stated.',
    'First comes what has to do with PATH, then with what is changed here or on this branch, then what a successor can act on most; commands that only passed come last.',
    'Tokens are an estimate. What the budget has no room for is counted; the least important goes first.',
  ].join('\n'),
  options: {
    budget: { type: 'number', value: 'N', describe: `tokens to spend (default ${DEFAULT_BUDGET}, at least ${MIN_BUDGET})` },
    for: { type: 'string', value: 'PATH', describe: 'first what has to do with this file or folder' },
    format: { type: 'string', value: 'FORMAT', describe: '"markdown": all of it, as a comment for a pull request' },
  },
  async run(args, host) {
    const budget = args.number('budget') ?? DEFAULT_BUDGET
    if (!Number.isSafeInteger(budget) || budget < MIN_BUDGET)
      throw new RemnantError('misuse', `"--budget" is not a whole number of at least ${MIN_BUDGET}`, { hint: `leave it out for ${DEFAULT_BUDGET} tokens` })
    const format = args.text('format') ?? 'text'
    if (format === 'markdown') return asMarkdown(host)
    if (format !== 'text') throw new RemnantError('misuse', '"--format" is neither "text" nor "markdown"', { hint: 'leave it out for text' })
    const path = pathWithin(args.text('for'), host.cwd, await host.repository())

    const { brief, skipped } = await briefHere(host, budget, path)
    if (skipped.length > 0) host.warn(`${skipped.length} of the stored remnants can't be read and were skipped; "git remnant verify" names them`)

    return { ...(brief.text !== '' && { text: brief.text }), data: { ...brief } }
  },
} satisfies Command

/** What was proved, what is dead and what was done: for readers, so without a budget. */
async function asMarkdown(host: Host): Promise<Answer> {
  const { resolution, skipped } = await resolveHere(host)
  const text = (await import('../resolve/markdown.ts')).markdownOf(resolution)
  return { ...(text !== '' && { text }), data: { text, skipped: skipped.length } }
}

/** PATH from the top of the work tree; null: none was given. */
function pathWithin(path: string | undefined, cwd: string, { workTree }: Repository): string | null {
  if (path === undefined || workTree === null) return null
  const within = relative(workTree, absolute(cwd, path))
  if (within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within))
    throw new RemnantError('misuse', '"--for" names a path outside this working tree', { hint: 'give a path of a file or folder of this repository' })
  return within === '' ? '.' : within.split(sep).join('/')
}
