import { RemnantError } from '../base/errors.ts'
import type { Command } from '../command.ts'
import { knownClaims } from '../host/guarding/indexing.ts'
import { lookAt } from '../host/guarding.ts'

export default {
  name: 'guard',
  kind: 'porcelain',
  summary: 'Whether a command is a known dead end here, or was already done',
  details: [
    'Looks CMD up among all live claims, as the hook of an agent does before a call, and says what is known of it: nothing, a note, a',
    'reason to ask (a mutation that was made before, or may have been), or a dead end. CMD is not run and nothing is noted.',
    'A list is one word: guard -- \'cd a && npm test\'.',
  ].join('\n'),
  rest: 'CMD…',
  statuses: { 1: 'the guard would ask or deny: a dead end that stands, or a mutation that was made or may have been; 0 for a note' },
  async run(args, host) {
    const [first, ...more] = args.rest
    if (first === undefined || first.trim() === '') throw new RemnantError('misuse', 'there is no command to look up', { hint: 'write it behind "--", as "git remnant guard -- npm publish"' })
    const repository = await host.repository()
    if (repository.workTree === null) throw new RemnantError('missing', 'a bare repository has no work tree', { hint: 'run it in a work tree' })
    const claims = await knownClaims(host)
    const { decision } = await lookAt(more.length === 0 ? first : args.rest, host.cwd, { claims, repository, env: host.env, files: host.files, call: null, said: null })
    const { decision: is, text, claim_id, digest } = decision
    return { ...(text !== '' && { text }), data: { decision: is, reason: text === '' ? null : text, claim_id, digest }, status: is === 'ask' || is === 'deny' ? 1 : 0 }
  },
} satisfies Command
