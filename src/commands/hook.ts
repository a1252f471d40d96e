import { join } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import { table } from '../base/table.ts'
import type { Answer, Command, Host } from '../command.ts'
import { plainText } from '../model/plain.ts'

export default {
  name: 'hook',
  kind: 'plumbing',
  summary: 'What the git hooks call',
  details:
    'post-commit seals the unsealed journals of this work tree and says so in one line. ' +
    'pre-push does the same without a word, reads the lines that git writes to that hook, and names every broken remnant among what is pushed; ' +
    'then it runs the regression gates that the pushed commits touch, and names the red ones. ' +
    'post-merge has fetched what others have shared, at most once a minute. ' +
    'send and fetch are what goes on in the background: the one sends what is due once a push has succeeded.',
  positionals: [{ name: 'name', describe: 'post-commit, post-merge, pre-push, send or fetch', required: true }],
  rest: 'ARG…',
  statuses: { 1: 'pre-push: a broken remnant is among what is pushed, or a gate is red' },
  run: async (args, host) => {
    const name = args.text('name') ?? ''
    const hook = Object.hasOwn(HOOKS, name) ? HOOKS[name] : undefined
    if (hook === undefined) throw new RemnantError('misuse', `unknown hook "${name}"`, { hint: `there are ${Object.keys(HOOKS).filter((known) => !BEHIND.includes(known)).join(', ')}` })
    return hook(host, args.rest)
  },
} satisfies Command

const HOOKS: Readonly<Record<string, (host: Host, args: readonly string[]) => Promise<Answer>>> = table({
  'post-commit': postCommit,
  'post-merge': async (host) => {
    const { FETCH_AGAIN_MS, fetchInBackground } = await import('../host/sharing.ts')
    return { data: { started: await fetchInBackground(host, FETCH_AGAIN_MS.merge) } }
  },
  'pre-push': async (host, [remote]) => (await import('./hook/pre-push.ts')).prePush(host, remote),
  send: async (host, [remote, ...pushed]) => (await import('./hook/background.ts')).sendBehind(host, remote, pushed),
  fetch: async (host, [remote]) => (await import('./hook/background.ts')).fetchBehind(host, remote),
})

/** Started by ourselves alone. */
const BEHIND = ['send', 'fetch']

async function postCommit(host: Host): Promise<Answer> {
  const { commonDir } = await host.repository()
  const journals = host.files.list(join(commonDir, 'remnant', 'journals'))
  if (!journals.some(({ name }) => name.endsWith('.jsonl'))) return { data: { sealed: [] } }
  const [{ sealJournals }, { purgesInWords }] = await Promise.all([import('./teardown.ts'), import('./teardown/answer.ts')])
  const all = await sealJournals(host)
  if (all.length === 0) return { data: { sealed: [] } } // they are of other work trees
  const sealed = all.flatMap(({ digest }) => (digest === null ? [] : [digest]))
  const purged = all.flatMap((one) => one.purged)
  const undeclared = all.flatMap((one) => one.undeclared)
  const kept = sealed.length === 0 ? 'nothing of the journal was kept' : `sealed ${sealed.map((digest) => digest.slice(0, 12)).join(', ')}`
  return { text: `git-remnant: ${kept}${purged.length === 0 ? '' : `; purged ${purgesInWords(purged)}`}${undeclared.length === 0 ? '' : `; of what was declared, ${undeclared.map(({ record_id }) => record_id).slice(0, 3).map((id) => `"git remnant why ${plainText(id, 80)}"`).join(', ')} says why it was not kept`}`, data: { sealed } }
}
