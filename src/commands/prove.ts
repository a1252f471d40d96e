import { relative } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import type { Arguments, Command, Host } from '../command.ts'
import { principalOf } from '../distill/assess.ts'
import { approvalsHere } from '../host/trust/approvals.ts'
import { appendProof, gateDigest, redDigest } from '../host/proofs.ts'
import { type CanonicalCommand, shown } from '../model/command.ts'
import { readShell } from '../model/shell.ts'
import { type Fix, fixIn, isOwn, testFilesOf } from '../host/proofs/fix.ts'
import { type Known, gateFor, knownOf, recordedReds, residualsOf } from './prove/known.ts'
import { raise } from './prove/raise.ts'
import { outcomeOf, redOf, redefines, trySide } from './prove/side.ts'
import { inLines, sideOf } from './prove/telling.ts'

export default {
  name: 'prove',
  kind: 'porcelain',
  summary: 'Show a gate red on a commit\'s parent and green on the commit',
  details:
    'Runs the gate twice on the parent, with the commit\'s own test files laid over it, and twice on the commit, in temporary ' +
    'trees of both; your own tree, index and stash are left alone. Without --gate it takes the gate of this clone\'s own claims ' +
    'that rests on what the commit changes. PROVEN: red, then green. VACUOUS: green on both. STILL_RED: the commit does not ' +
    'turn it. FLAKY: two runs of one tree differ. INFRA_FAILURE: a run says nothing about the code (a program, package or test ' +
    'is missing, it took too long, it failed otherwise than by a failing test, or the commit changes what the gate does, and no tests ' +
    'are seen to pass). What came of it is noted in this clone. A ' +
    'residual of this clone whose patch the commit is, is raised by PROVEN alone: sealed anew with its proof, as reproduced.',
  positionals: [{ name: 'commit', describe: 'the fix (default HEAD)' }],
  options: { gate: { type: 'string', value: 'CMD', describe: 'the gate, as it is typed in this folder; it is run because you typed it' } },
  statuses: { 1: 'it is not proven', 77: 'the gate is not approved, or the commit is on no branch of this clone' },
  async run(args, host) {
    const git = await host.git()
    const fix = await fixIn(args.text('commit') ?? 'HEAD', git)
    if (!(await isOwn(fix.commit, git)))
      throw new RemnantError('refused', `commit "${fix.commit.slice(0, 12)}" is on no branch of this clone`, { hint: 'make a branch of it, once you trust its code' })
    const known = await knownOf(host)
    const command = await gateOf(args, fix, known, host)
    if ((await host.sets()).mutations.some((mutation) => mutation.intends(command) !== null))
      throw new RemnantError('refused', 'the gate changes the world outside, and would do so four times', { hint: 'name a test, a build or a check' })
    const recorded = recordedReds(command, fix, known)

    const overlay = { commit: fix.commit, paths: testFilesOf(fix) }
    const red = await trySide({ commit: fix.parent, overlay, command, recorded }, host)
    const green = await trySide({ commit: fix.commit, command, recorded }, host)
    const redefined = redefines(command, fix.changed, await host.sets())
    const outcome = outcomeOf(red, green, redefined)

    const signature = redOf(red)
    appendProof({ gate: gateDigest(command), commit: fix.commit, outcome, red: signature === null ? null : redDigest(signature) }, await host.repository(), host.files)
    const residuals = residualsOf(command, fix, known)
    const raised = outcome === 'PROVEN' ? await raise(residuals, green, fix, host) : null
    return {
      text: inLines({ command, fix, red, green, outcome, recorded: recorded.size > 0, redefined, residuals, raised }),
      data: {
        outcome,
        red: sideOf(red),
        green: sideOf(green),
        gate: command,
        commit: fix.commit,
        parent: fix.parent,
        test_files: overlay.paths,
        claims: [...new Set(residuals.map(({ claim }) => claim.claim_id))],
        sealed: raised?.is === 'sealed' ? { digest: raised.written.digest, ref: raised.written.ref } : null,
      },
      status: outcome === 'PROVEN' ? 0 : 1,
    }
  },
} satisfies Command

/** As typed, which approves it; else the one that the claims of this clone lead to, if it was approved here. */
async function gateOf(args: Arguments, fix: Fix, known: Known, host: Host): Promise<CanonicalCommand> {
  const typed = args.text('gate')
  if (typed !== undefined) return readGate(typed, host)
  const command = gateFor(fix, known)
  if ((await approvalsHere(host)).isApproved(command)) return command
  throw new RemnantError('refused', `the gate "${shown(command)}" is not approved in this clone`, { hint: 'read it, then type it with --gate, or "git remnant allow" it' })
}

async function readGate(text: string, host: Host): Promise<CanonicalCommand> {
  const { workTree } = await host.repository()
  const folder = workTree === null ? '.' : relative(workTree, host.cwd).replaceAll('\\', '/') || '.'
  const principal = principalOf(readShell(text, { folder, root: workTree }))
  if (principal !== null && !principal.symbolic) return principal.command
  throw new RemnantError('misuse', 'the gate is not one command that can be read', { hint: 'type one command without variables or lists: --gate CMD' })
}
