import { RemnantError } from '../base/errors.ts'
import type { Arguments, Command, Host } from '../command.ts'
import { refusalOfWords } from '../distill/admit.ts'
import { readEffect } from '../model/declaration.ts'
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
    const refusal = await refusalOfWords(declared, { session: host.env['GIT_REMNANT_SESSION'] ?? '', root: await rootOf(host) }, await host.sets())
    if (refusal === null) return { text: 'admitted: teardown keeps it if this call stands in the session log, and the log bears it out', data: { admitted: true, rule: null, reason: null } }
    const hint = refusal.rule === 'effect' ? EFFECT_HINT : null
    return { text: [`refused by ${refusal.rule}: ${refusal.reason}${refusal.word === undefined ? '' : ` ("${refusal.word}")`}`, ...(hint === null ? [] : [`hint: ${hint}`])].join('\n'), data: { admitted: false, ...refusal, hint }, status: 1 }
  },
} satisfies Command

/** Its exact form by an example of each kind of help: what is needed, what to use, or a check that shows it again. */
const EFFECT_HINT = 'say it as --effect "require tool node", "use command npm test" or "avoid path dist" (use|avoid|require command|path|key|tool|interface VALUE), or name its check with --gate "npm test"'

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
