import { describe, expect, it } from 'vitest'
import type { NonIdempotentCommit } from '../../src/model/claim.ts'
import type { Outcome } from '../../src/model/outcome.ts'
import { type Step, distilled, ran } from './session.ts'

const API = 'https://api.example.com/orders'
const POST = `curl -s -X POST ${API} -d id=1`
const CHECKED = `curl -sf -X POST ${API} -d id=1`
const TIMED_OUT: Outcome = { is: 'transient' }
const UNKNOWN: Outcome = { is: 'unknown' }

const deedsOf = async (steps: readonly Step[]): Promise<readonly NonIdempotentCommit[]> => (await distilled(steps)).remnant?.non_idempotent_commits ?? []
const inShort = ({ mutation, outcome, target }: NonIdempotentCommit): string => `${mutation.argv[0]} ${outcome.is} ${target.kind} ${target.id}`

describe('a deed', () => {
  it.each([
    ['its own words confirm', ran(`curl -si -X POST ${API}`, 0, 'HTTP/1.1 201 Created\n\n'), 'code'],
    ['its status confirms', ran(CHECKED), 'code'],
    ['its own words confirm, though nobody kept its status', ran(`curl -si -X POST ${API}`, UNKNOWN, 'HTTP/1.1 201 Created\n\n'), 'summary'],
    ['its own words confirm before the time was out', ran(`curl -si -X POST ${API}`, TIMED_OUT, 'HTTP/1.1 201 Created\n\n'), 'summary'],
    ['its status confirms, with the output put away', ran(`${CHECKED} > /dev/null`), 'code'],
  ])('that %s is done', async (_, step, is) => {
    expect((await deedsOf([step])).map(inShort)).toEqual([`curl ${is} http ${API}`])
  })

  it.each([
    ['its status is masked', ran(`${POST} || true`)],
    ['its status is that of a filter', ran(`${POST} | jq .`, 0, '{}')],
    ['its time was out', ran(POST, TIMED_OUT, '')],
    ['a limit of time ended it', ran(`timeout 5 ${POST}`, 124)],
    ['the log has no result', ran(POST, UNKNOWN, '', { output: null })],
    ['it ended well and nobody kept the answer', ran(POST, 0, '{"ok":true}')],
    ['the service failed on it', ran(`curl -si -X POST ${API}`, 0, 'HTTP/1.1 502 Bad Gateway\n\n')],
    ['it ran before what failed', ran(`${POST}; npm test`, 1, '')],
    ['it ran in the background', ran(`${POST} & wait`, 0, '')],
  ])('whose outcome is not known, since %s, is kept as unknown', async (_, step) => {
    const [only, ...more] = await deedsOf([step])
    expect(more).toEqual([])
    expect(only).toMatchObject({ outcome: UNKNOWN, repeat: 'harmful', target: { kind: 'http', id: API }, verification_receipt: { outcome: UNKNOWN } })
    expect(only?.identifier).toMatch(/^POST https:\/\/api\.example\.com\/orders(?: sha256:[0-9a-f]{64})?$/)
  })

  it.each([
    ['failed', ran(CHECKED, 22, 'curl: (22) The requested URL returned error: 500')],
    ['was refused by the service', ran(`curl -si -X POST ${API}`, 0, 'HTTP/1.1 403 Forbidden\n\n')],
    ['never reached it', ran(POST, 6, 'curl: (6) Could not resolve host: api.example.com')],
    ['was refused or cancelled before it ran', ran(POST, TIMED_OUT, '', { output: null })],
    ['may have been passed over for what failed before it', ran(`npm test && ${POST}`, 1, '')],
    ['is a dry run', ran('docker push --help')],
    ['only reads', ran(`curl -s ${API}`)],
    ['is a server of the session itself', ran('curl -s -X POST http://localhost:3000/x', TIMED_OUT, '')],
    ['would change nothing again, and is not confirmed', ran('curl -X PUT https://api.example.com/orders/1', TIMED_OUT, '')],
    ['has a target that the command line does not name', ran('gh pr create --fill', TIMED_OUT, '')],
    ['has a target that the shell works out', ran('curl -s -X POST https://api.example.com/$ID', TIMED_OUT, '')],
  ])('that %s is none', async (_, step) => {
    expect(await deedsOf([step])).toEqual([])
  })

  it.each([
    ['npm publish --registry https://r.example', '+ r@1.0.0\n', 'npm', 'https://r.example r', 'r@1.0.0'],
    ['pnpm publish --registry=https://r.example', '+ r@1.0.0\n', 'npm', 'https://r.example r', 'r@1.0.0'],
    ['bun publish --registry https://r.example', '+ r@1.0.0\n', 'npm', 'https://r.example r', 'r@1.0.0'],
    ['twine upload --repository-url=https://r.example/legacy/ dist/r-1.0.0.tar.gz', 'Uploading r-1.0.0.tar.gz\n', 'pypi', 'https://r.example/legacy r', 'r@1.0.0'],
    ['cargo publish --registry corp', '   Uploading r v1.0.0 (/repo)\n    Uploaded r v1.0.0 to registry `corp`\n', 'crates', 'corp r', 'r@1.0.0'],
    ['cargo publish --registry=corp', '   Uploading r v1.0.0 (/repo)\n    Uploaded r v1.0.0 to registry `corp`\n', 'crates', 'corp r', 'r@1.0.0'],
    ['gem push r-1.0.0.gem --host https://r.example', 'Successfully registered gem: r (1.0.0)\n', 'rubygems', 'https://r.example r', 'r@1.0.0'],
    ['gem push --host=https://r.example r-1.0.0.gem', 'Successfully registered gem: r (1.0.0)\n', 'rubygems', 'https://r.example r', 'r@1.0.0'],
  ])('goes to the registry that the call names: %s', async (line, output, kind, id, identifier) => {
    expect(await deedsOf([ran(line, 0, output)])).toMatchObject([{ target: { kind, id }, identifier, repeat: 'harmful', outcome: { is: 'code', code: 0 } }])
  })

  it('that was later done answers the one of which nobody knows', async () => {
    const done = ran(`curl -sfi -X POST ${API} -d id=1`, 0, 'HTTP/1.1 201 Created\n\n')
    expect((await deedsOf([ran(POST, TIMED_OUT, ''), done])).map(inShort)).toEqual([`curl code http ${API}`])
    expect((await deedsOf([done, ran(POST, TIMED_OUT, '')])).map(inShort)).toEqual([`curl code http ${API}`])
    const other = ran(`curl -sfi -X POST ${API} -d id=2`, 0, 'HTTP/1.1 201 Created\n\n')
    expect((await deedsOf([ran(POST, TIMED_OUT, ''), other])).map(inShort).sort()).toEqual([`curl code http ${API}`, `curl unknown http ${API}`])
  })

  it('that failed afterwards stays of unknown outcome: the first try may have been done', async () => {
    expect((await deedsOf([ran(POST, TIMED_OUT, ''), ran(POST, 7, 'curl: (7) Failed to connect')])).map(inShort)).toEqual([`curl unknown http ${API}`])
  })

  it('rests on its target alone', async () => {
    const { remnant } = await distilled([ran(CHECKED)])
    expect(remnant?.claim_dependency_map.map(([, keys]) => keys)).toEqual([[`target:http/${API}`]])
  })

  it('is told by its own report where git only noted a remote before it', async () => {
    expect(await deedsOf([ran('git remote add origin https://git.example/o/r.git && timeout 90 git push -u origin main 2>&1 | tail -8', 0, 'To https://git.example/o/r.git\n * [new branch]      main -> main\n')])).toHaveLength(1)
  })

  it('whose words the shell works out is told where its target names the place', async () => {
    expect((await deedsOf([ran(`curl -sf -X POST ${API} -H "Authorization: Bearer $TOKEN"`)])).map(inShort)).toEqual([`curl code http ${API}`])
    expect(await deedsOf([ran('git push origin "$BRANCH"', 0, 'To github.com:dev/clockwork.git\n   4d68648..9d53c58  main -> main\n')])).toEqual([])
  })

  it.each([
    `curl -sf -X POST ${API} -H 'Authorization: Bearer ghp_abcdefghijklmnopqrstuvwxyz0123456789'`,
    `curl -sf -u me:hunter2pass9 -X POST ${API}`,
    'curl -sf -d x=1 https://hooks.slack.com/services/T00000000/B00000000/XxYyZz0123456789AbCdEfGh',
  ])('with a secret in its command is not kept: %s', async (line) => {
    const { remnant, purged } = await distilled([ran(line)])
    expect(remnant?.non_idempotent_commits ?? []).toEqual([])
    expect(purged.map(({ rule }) => rule)).toContain('secret')
  })
})

describe('a request whose words stand in a file of the moment', () => {
  const OPENED = 'https://github.com/a/b/pull/7\n'
  it.each([
    ['gh pr create -R a/b --title x --body-file /tmp/pr.md', 'gh pr create -R a/b --title x'],
    ['gh pr create -R a/b -F /private/tmp/pr.md --title x', 'gh pr create -R a/b --title x'],
    ['gh pr create -R a/b --title x --body-file=/var/folders/ab/pr.md', 'gh pr create -R a/b --title x'],
    ['gh pr create -R a/b --title x --body-file docs/pr.md', 'gh pr create -R a/b --title x --body-file docs/pr.md'],
  ])('is told without that file: %s', async (command, told) => {
    const [deed] = await deedsOf([ran(command, 0, OPENED)])
    expect(deed?.mutation.argv.join(' ')).toBe(told)
    expect(deed?.identifier).toBe('pull/7')
    expect(deed?.verification_receipt.command.argv.join(' ')).toBe(command)
  })

  it('is not told, where the file says more than the words', async () => {
    expect(await deedsOf([ran('gh release create v1 -R a/b /tmp/app.tar.gz', 0, 'https://github.com/a/b/releases/tag/v1\n')])).toEqual([])
  })
})
