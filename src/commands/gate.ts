import { resolve } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import type { Command, Host } from '../command.ts'
import { gatesHere } from '../host/trial/gates.ts'
import type { Git } from '../host/git.ts'
import { plainText } from '../model/plain.ts'
import { signersIn } from '../model/signer.ts'
import { checkSignatures } from '../store/verify/verifying.ts'
import { junitOf } from './gate/junit.ts'
import { type Tried, tryGates } from './gate/run.ts'
import { countsOf, documentOf, inLines, isJudged } from './gate/telling.ts'
import { changedPaths, touched } from './gate/touched.ts'

export default {
  name: 'gate',
  kind: 'porcelain',
  summary: 'Run the regression gates that claims of this clone, or signed ones, name',
  details: [
    'Each distinct command runs once for each commit, in a temporary tree of it, or in the work tree where that is exactly the commit and holds what was installed. Only what was approved in this clone, or signed by an accepted key, is run.',
    '--accept-signers takes a file in the format of ssh-keygen\'s allowed_signers for this run alone. In a pipeline it is to be the base',
    'branch\'s: "REV:PATH" reads it from a commit, and a file of the tree under test would let that tree say whom to trust.',
    'A red gate is run up to three times; one that passes then is FLAKY, which is not green. One that last took over 30 s is named and not run, unless the configuration says "gate.slow".',
    '"infra" means that the run says nothing of the commit: a program or package is missing, or the network failed. Where nothing else came of it, and with --ci wherever one could not be judged, the exit status is 69.',
  ].join('\n'),
  positionals: [{ name: 'ref', many: true, describe: 'the commits to be tried (default HEAD)' }],
  options: {
    'changed-since': { type: 'string', value: 'REV', describe: 'only gates that rest on what changed since REV' },
    'accept-signers': { type: 'string', value: 'FILE', describe: 'whose signatures count too: a file of allowed signers, or REV:PATH' },
    ci: { type: 'boolean', describe: 'for a pipeline: slow gates too, and never a success where none was run' },
    junit: { type: 'string', value: 'FILE', describe: 'write JUnit XML too' },
  },
  statuses: { 1: 'a gate is red or flaky', 77: 'nothing was run: not approved, or with --ci for any reason', 124: 'a gate took too long' },
  async run(args, host) {
    const git = await host.git()
    const refs = args.list('ref').length === 0 ? ['HEAD'] : args.list('ref')
    const commits = [...new Set(await inTurn(refs, (ref) => commitOf(ref, git)))]
    const since = args.text('changed-since')
    const base = since === undefined ? null : await commitOf(since, git)
    const ci = args.flag('ci')

    const known = await gatesHere(host, await signedBy(args.text('accept-signers'), host))
    const tried: Tried[] = []
    for (const commit of commits) {
      const chosen = base === null ? known : await touched(known, await changedPaths(git, base, commit), commit, git)
      tried.push(...(await tryGates(chosen, commit, host, { slow: ci })))
    }

    const junit = args.text('junit')
    if (junit !== undefined) host.files.write(resolve(host.cwd, junit), junitOf(tried), 0o644)
    const counts = countsOf(tried)
    return {
      text: known.length === 0 ? 'no live claim that is trusted here names a gate' : inLines(tried, known.length * commits.length, await isEdited(host)),
      data: {
        commits,
        known: known.length,
        run: tried.filter(isJudged).length,
        counts,
        gates: tried.map(documentOf),
      },
      status: statusOf(counts, ci),
    }
  },
} satisfies Command

/** That nothing was run is never a success in a pipeline; for a person it is one only where nothing stood in the way. */
function statusOf(counts: ReturnType<typeof countsOf>, ci: boolean): number {
  if (counts.red + counts.FLAKY > 0) return 1
  if (counts['timed-out'] > 0) return 124
  if (counts.green > 0) return ci && counts.infra > 0 ? 69 : 0
  if (ci || counts['not-approved'] > 0) return 77
  return counts.infra > 0 ? 69 : 0
}

/** Remnants that are signed by whom a file names; null: none was given. Nothing of it is remembered. */
async function signedBy(file: string | undefined, host: Host): Promise<ReadonlySet<string>> {
  if (file === undefined) return new Set()
  const { signers, unread } = signersIn(await signersText(file, host))
  if (signers.length === 0) throw new RemnantError('malformed', `"${plainText(file, 80)}" names no signer`, { hint: 'a line is: NAME namespaces="git-remnant" ssh-ed25519 AAAA…' })
  if (unread > 0) host.warn(`${unread} lines of "${plainText(file, 80)}" name no signer and count for nothing`)
  return new Set((await checkSignatures(host, { typed: signers })).signed.keys())
}

async function signersText(file: string, host: Host): Promise<string> {
  const path = resolve(host.cwd, file)
  if (host.files.stat(path)?.kind === 'file') return Buffer.from(host.files.read(path) ?? []).toString('utf8')
  const blob = await (await host.git()).try(['cat-file', 'blob', '--end-of-options', file])
  if (blob.status !== 0) throw new RemnantError('misuse', `there is no file "${plainText(file, 80)}", and no such file in a commit`, { hint: 'name a file, or REV:PATH' })
  return Buffer.from(blob.stdout).toString('utf8')
}

async function commitOf(rev: string, git: Git): Promise<string> {
  const { status, stdout } = await git.try(['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`])
  if (status === 0) return Buffer.from(stdout).toString('utf8').trim()
  throw new RemnantError('misuse', `there is no commit "${rev}"`, { hint: 'name a branch, a tag or a commit of this repository' })
}

/** Whether the work tree holds anything that is not committed, but what git ignores and what is kept there for us. */
async function isEdited(host: Host): Promise<boolean> {
  if ((await host.repository()).workTree === null) return false
  const { status, stdout } = await (await host.git()).try(['status', '--porcelain', '--untracked-files=all', '--', ':/', ':(top,exclude).remnants'])
  return status === 0 && stdout.length > 0
}

async function inTurn<T, U>(list: readonly T[], work: (one: T) => Promise<U>): Promise<U[]> {
  const done: U[] = []
  for (const one of list) done.push(await work(one))
  return done
}
