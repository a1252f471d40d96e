import type { Command } from './command.ts'

/** A verb's name, and its command for whoever asks for it: one verb's code is loaded at a time. */
export interface Verb {
  readonly name: string
  load(): Promise<Command>
}

const verb = (name: string, load: () => Promise<{ readonly default: Command }>): Verb => ({ name, load: async () => (await load()).default })

/** The verbs in the order in which help shows them: porcelain, then plumbing. */
export const verbs: readonly Verb[] = [
  verb('init', () => import('./commands/init.ts')),
  verb('deinit', () => import('./commands/deinit.ts')),
  verb('doctor', () => import('./commands/doctor.ts')),
  verb('run', () => import('./commands/run.ts')),
  verb('claim', () => import('./commands/claim.ts')),
  verb('intent', () => import('./commands/intent.ts')),
  verb('teardown', () => import('./commands/teardown.ts')),
  verb('brief', () => import('./commands/brief.ts')),
  verb('resolve', () => import('./commands/resolve.ts')),
  verb('reprobe', () => import('./commands/reprobe.ts')),
  verb('gate', () => import('./commands/gate.ts')),
  verb('prove', () => import('./commands/prove.ts')),
  verb('guard', () => import('./commands/guard.ts')),
  verb('list', () => import('./commands/list.ts')),
  verb('show', () => import('./commands/show.ts')),
  verb('log', () => import('./commands/log.ts')),
  verb('why', () => import('./commands/why.ts')),
  verb('checkout', () => import('./commands/checkout.ts')),
  verb('push', () => import('./commands/push.ts')),
  verb('fetch', () => import('./commands/fetch.ts')),
  verb('forget', () => import('./commands/forget.ts')),
  verb('sign', () => import('./commands/sign.ts')),
  verb('verify', () => import('./commands/verify.ts')),
  verb('allow', () => import('./commands/allow.ts')),
  verb('deny', () => import('./commands/deny.ts')),
  verb('observe', () => import('./commands/observe.ts')),
  verb('distill', () => import('./commands/distill.ts')),
  verb('fingerprint', () => import('./commands/fingerprint.ts')),
  verb('isolate', () => import('./commands/isolate.ts')),
  verb('canonical', () => import('./commands/canonical.ts')),
  verb('hook', () => import('./commands/hook.ts')),
]

/** Every command, in the order of help: for the build and the tests, which need them all. */
export const allCommands = (): Promise<Command[]> => Promise.all(verbs.map((verb) => verb.load()))
