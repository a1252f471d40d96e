import { join, resolve } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import type { Arguments, Command, Host } from '../command.ts'
import { type Refusal, refusalOfWords } from '../distill/admit.ts'
import { rootRelative } from '../distill/normalise.ts'
import { readEffect } from '../model/declaration.ts'
import { neededPath } from '../model/effect.ts'
import type { SessionWorld } from '../model/ephemeron.ts'
import { splitKey } from '../model/key.ts'
import type { Declared } from '../model/observation.ts'

export default {
  name: 'claim',
  kind: 'porcelain',
  summary: 'Declare a conclusion; it is stored at teardown, if the log bears it out',
  details:
    'For an agent, whose every call stands in its log. Stores nothing: it checks the words against the rules and prints one line. ' +
    'Teardown reads the claim from this very call in the log, and keeps it only if the command that --by names (without it, the ' +
    'last command before) passed. Where no agent keeps a log, "git remnant run -- git remnant claim …" puts the call into the ' +
    'journal. EFFECT, which only --gate can stand in for, is what a ' +
    'successor may now do: "use|avoid|require command|path|key|tool|interface VALUE".',
  positionals: [{ name: 'statement', describe: 'one declarative sentence that stands alone', required: true }],
  options: {
    by: { type: 'string', value: 'CMD', describe: 'the command whose last result proves it' },
    effect: { type: 'string', value: 'EFFECT', describe: 'what a successor may now do, as "require tool node"' },
    gate: { type: 'string', value: 'CMD', describe: 'a command by which it can be checked again' },
    'root-cause': { type: 'boolean', describe: 'it states why a fault arose' },
  },
  statuses: { 1: 'a rule refuses it' },
  async run(args, host) {
    const declared = declaredBy(args)
    const session = { session: host.env['GIT_REMNANT_SESSION'] ?? '', root: await rootOf(host) }
    const refusal: (Refusal & { readonly word?: string; readonly hint?: string }) | null = (await refusalOfWords(declared, session, await host.sets())) ?? refusalOfPath(declared, session, host)
    if (refusal === null && host.interactive) host.warn(BY_HAND) // on a terminal: an agent's calls and what "run" starts have none
    if (refusal === null) return { text: 'admitted: teardown keeps it if this call stands in the session log, and the log bears it out', data: { admitted: true, rule: null, reason: null } }
    const hint = refusal.rule === 'effect' ? (refusal.hint ?? EFFECT_HINT) : ((await host.sets()).rules.find(({ id }) => id === refusal.rule)?.hint ?? null)
    return { text: [`refused by ${refusal.rule}: ${refusal.reason}${refusal.word === undefined ? '' : ` ("${refusal.word}")`}`, ...(hint === null ? [] : [`hint: ${hint}`])].join('\n'), data: { admitted: false, ...refusal, hint }, status: 1 }
  },
} satisfies Command

const BY_HAND = 'hint: typed by hand it stands in no log: "git remnant run -- git remnant claim …" puts it into the journal'

/** Its exact form by an example of each kind of help: what is needed, what to use, or a check that shows it again. */
const EFFECT_HINT = 'say it as --effect "require tool node", "use command CMD" or "avoid path dist" (use|avoid|require command|path|key|tool|interface VALUE), or name its check with --gate CMD'

/** What a successor is to use or to have must be there. null: it is, or nothing of the kind is said. */
function refusalOfPath({ effect }: Declared, session: SessionWorld, { cwd, files }: Host): (Refusal & { readonly hint?: string }) | null {
  const key = effect === null || session.root === null ? null : neededPath({ ...effect, value: rootRelative(effect.value, session) })
  if (key === null || session.root === null) return null
  const path = splitKey(key).argument
  if (files.stat(join(session.root, path)) !== null) return null
  const beside = files.stat(resolve(cwd, path)) !== null
  return { rule: 'effect', reason: 'the path that it names is not there', hint: beside ? 'a path is written from the top of the repository' : 'name a path that is in this work tree, from its top' }
}

function declaredBy(args: Arguments): Declared {
  const effect = args.text('effect')
  const read = effect === undefined ? null : readEffect(effect)
  if (effect !== undefined && read === null)
    throw new RemnantError('misuse', 'the effect can not be read', { hint: EFFECT_HINT })
  return {
    statement: args.text('statement') ?? '',
    by: args.text('by') ?? null,
    effect: read,
    gate: args.text('gate') ?? null,
    root_cause: args.flag('root-cause'),
  }
}

/** A claim may be tried outside any repository. */
async function rootOf(host: Host): Promise<string | null> {
  try {
    return (await host.repository()).workTree
  } catch (cause) {
    if (cause instanceof RemnantError) return null
    throw cause
  }
}
