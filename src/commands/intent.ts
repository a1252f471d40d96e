import { randomUUID } from 'node:crypto'
import { relative } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import type { Command } from '../command.ts'
import { appendIntent, harmfulAt, intentLine } from '../host/guarding/intent.ts'
import { openSession } from '../host/journals.ts'
import { commandOf, shown } from '../model/command.ts'
import { OBSERVATION_SCHEMA, TYPED } from '../model/observation.ts'
import { data } from '../resolve/words.ts'

export default {
  name: 'intent',
  kind: 'porcelain',
  summary: 'Note a mutation before it is made, so that a crash in between is seen',
  details: [
    'Where CMD would change the outside and do harm if done again, it is noted in this work tree\'s journal with what it would make, if that can',
    'be told. If no result follows, a successor is told that its outcome is not known. The hooks of an agent and "git remnant run" do',
    'this by themselves. CMD is not run. A list is one word: intent -- \'npm test && npm publish\'.',
  ].join('\n'),
  options: { session: { type: 'string', value: 'SESSION', describe: 'the session to which it belongs; GIT_REMNANT_SESSION otherwise' } },
  rest: 'CMD…',
  statuses: { 1: 'CMD is no mutation that would do harm again, as far as its words tell; nothing was noted' },
  async run(args, host) {
    const [first, ...more] = args.rest
    if (first === undefined || first.trim() === '') throw new RemnantError('misuse', 'there is no command to note', { hint: 'write it behind "--", as "git remnant intent -- npm publish"' })
    const repository = await host.repository()
    const worktree = repository.workTree
    if (worktree === null) throw new RemnantError('missing', 'a bare repository has no work tree', { hint: 'run it in a work tree' })
    const { mutations, probes } = await host.sets()
    const world = await host.world()
    const harmful = await harmfulAt(more.length === 0 ? first : args.rest, host.cwd, worktree, mutations, world)
    if (harmful === null) return { text: 'nothing was noted: this is no mutation that would do harm again, as far as its words tell', data: { noted: false, session: null, record_id: null, target: null, identifier: null }, status: 1 }

    const session = args.text('session') ?? host.env['GIT_REMNANT_SESSION'] ?? (await openSession('git-remnant', worktree, repository, host.files)) ?? `run-${randomUUID()}`
    const base = {
      schema: OBSERVATION_SCHEMA,
      host: 'git-remnant',
      session,
      record_id: `${TYPED}${randomUUID()}`,
      at: null,
      kind: 'intent',
      folder: relative(worktree, host.cwd).replaceAll('\\', '/') || '.',
      head: null,
      command: more.length === 0 ? first : shown(commandOf(args.rest)),
      edits: [],
      declared: null,
    } as const
    await appendIntent(intentLine({ ...base, edits: [] }, harmful, host.now(), worktree), harmful, { repository, files: host.files, reading: async () => ({ probes, world }) })
    const target = harmful.named?.target ?? harmful.mutation.intends(harmful.command)?.target ?? null
    const { identifier } = harmful
    const what = target === null ? NOTHING_KEPT : [`${target.kind} ${target.id}`, ...(identifier === null ? [] : [identifier])].map(data).join(', ')
    return { text: `noted: ${what}`, data: { noted: true, session, record_id: base.record_id, target, identifier, kept: target !== null } }
  },
} satisfies Command

const NOTHING_KEPT = 'what it would make can not be told, so nothing of it will be kept unless its result says what it made'
