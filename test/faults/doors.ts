import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { agents } from '../../src/agents.ts'
import { canonical, parseStrict } from '../../src/base/canonical.ts'
import { sha256 } from '../../src/base/digest.ts'
import { RemnantError } from '../../src/base/errors.ts'
import { localFaults } from '../../src/commands/verify/local.ts'
import { draft, seal } from '../../src/distill.ts'
import { parse } from '../../src/distill/parse.ts'
import { ephemera } from '../../src/ephemera.ts'
import { formats } from '../../src/formats.ts'
import { claimsFile, commandName, targetName } from '../../src/guard/form.ts'
import { readKnown } from '../../src/host/agent-config/known.ts'
import { oursIn, withHooks, withoutHooks } from '../../src/host/agent-config/edit.ts'
import { openApprovals } from '../../src/host/trust/approvals.ts'
import { loadConfig } from '../../src/host/config.ts'
import type { Files } from '../../src/host/files.ts'
import type { Repository } from '../../src/host/git.ts'
import { decide } from '../../src/host/guarding.ts'
import { readJournal, takeJournals } from '../../src/host/journals.ts'
import { openLogFrom } from '../../src/host/log.ts'
import { openMemo } from '../../src/host/memo.ts'
import { proofsIn, redsIn } from '../../src/host/proofs.ts'
import { purgesOf } from '../../src/host/purge-log.ts'
import { toldLater } from '../../src/host/sharing.ts'
import { openSignerList } from '../../src/host/trust/signers.ts'
import { readCache } from '../../src/host/world/cache.ts'
import { openVersions } from '../../src/host/world/versions.ts'
import { commandOf } from '../../src/model/command.ts'
import { AMBIENT, STRUCTURAL } from '../../src/model/key.ts'
import { outlineOf } from '../../src/model/outline.ts'
import { claimsOf, decodeRemnant, encodeRemnant, incoherence } from '../../src/model/remnant.ts'
import { outcomesIn, readShell } from '../../src/model/shell.ts'
import { looksOnly, posixOf } from '../../src/model/shell/powershell.ts'
import { decodeSignature } from '../../src/model/signature.ts'
import { signersIn } from '../../src/model/signer.ts'
import { mutations } from '../../src/mutations.ts'
import { rules } from '../../src/rules.ts'
import { toolchains } from '../../src/signatures.ts'
import { removeExclude, wantsExclude } from '../../src/store/exclude.ts'
import { openLocalLists } from '../../src/store/local-lists.ts'
import { RemnantScan } from '../../src/store/scan.ts'
import { openSentList, ownRefs } from '../../src/store/sync/queue.ts'
import { listRefs, readRef } from '../../src/store/git/refs.ts'
import { openTombstones } from '../../src/store/sync/tombstones.ts'
import { readVerified } from '../../src/store/signing/verified.ts'
import { resolve, wantedKeys } from '../../src/resolve.ts'
import { PAYLOADS } from '../agents/saying.ts'
import { aRemnant } from '../remnants.ts'

/** A way in for bytes that somebody else wrote, or a crash, or a disk. */
export interface Door {
  readonly name: string
  readonly seeds: readonly Uint8Array[]
  /** Takes them in. A RemnantError is a clear refusal; anything else that is thrown is a crash. */
  enter(bytes: Uint8Array): Promise<unknown> | unknown
  close?(): void
}

const sets = { formats, probes: [], rules, toolchains, ephemera, mutations }
const ROOT = '/home/dev/clockwork'
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')
const bytesOf = (...texts: readonly string[]): Uint8Array[] => texts.map((one) => Buffer.from(one))

/** Every door; `logs`: the folder of golden logs. */
export function doors(logs: string): Door[] {
  return [...readdirSync(logs, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => logDoor(name, join(logs, name))), remnantDoor(), scannerDoor(), signatureDoor(), configDoor(), signersDoor(), ...agents.map(payloadDoor), agentConfigDoor(), journalDoor(join(logs, 'observation/journal.jsonl')), guardDoor(), ...localDoors(), refsDoor(), shellDoor(), powershellDoor()]
}

/** A session log on its whole way: to a remnant that can be read back. */
function logDoor(name: string, folder: string): Door {
  const seeds = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.turns.json'))
    .flatMap(({ name: file }) => {
      const whole = readFileSync(join(folder, file))
      const lines = whole.toString('utf8').split('\n')
      // Of a long log its beginning, and its beginning with its end; a document only as a whole.
      return lines.length > 14 && !/\.(?:json|traj)$/.test(file) ? bytesOf(lines.slice(0, 12).join('\n'), [...lines.slice(0, 2), ...lines.slice(-11)].join('\n')) : [whole]
    })
  return {
    name: `logs of ${name}`,
    seeds,
    async enter(bytes) {
      const faults: RemnantError[] = []
      const log = await openLogFrom(once(bytes), formats, (fault) => void faults.push(fault))
      const made = await draft(parse(log.lines, log.format, (fault) => void faults.push(fault)), sets, { journal: false, roots: [ROOT], ambient: AMBIENT, structural: STRUCTURAL })
      const { remnant } = seal(made, new Map(made.wanted.map((key) => [key, { value: key.startsWith('absent') ? 'absent' : 'x' }])), 'here')
      if (remnant === null) return
      const { bytes: written, digest } = encodeRemnant(remnant)
      decodeRemnant(written, digest)
    },
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function remnantDoor(): Door {
  return {
    name: 'remnants',
    seeds: [aRemnant(), aRemnant(['npm test', 'make lint', 'go test ./...'], { supersedes: [['a'.repeat(64), ['b'.repeat(64)]]], ephemeral_exclusion_list: [{ kind: 'uuid', count: 2 }] })].map((remnant) => encodeRemnant(remnant).bytes),
    enter(bytes) {
      const digest = sha256(bytes)
      const remnant = decodeRemnant(bytes, digest)
      claimsOf(remnant)
      if (incoherence(remnant) !== null) throw new Error('an incoherent remnant was taken')
      const held = [{ digest, remnant, rank: 'other' as const }]
      resolve(held, new Map(wantedKeys(held).map((key) => [key, { value: 'x' }])))
    },
  }
}

/** The quick reading of copies: what it takes, the full one takes too, and it is as canonical. */
function scannerDoor(): Door {
  const scan = new RemnantScan()
  return {
    name: 'remnants, scanned',
    seeds: remnantDoor().seeds,
    enter(bytes) {
      const outline = scan.outline(bytes, true)
      const digest = sha256(bytes)
      if (outline === null) return void decodeRemnant(bytes, digest)
      let refused: unknown = null
      try {
        if (!isDeepStrictEqual(outline, outlineOf(decodeRemnant(bytes, digest)))) refused = 'as something else'
      } catch (fault) {
        refused = fault
      }
      if (refused !== null) throw new Error('the scanner took what the decoder refuses', { cause: refused })
    },
  }
}

function signatureDoor(): Door {
  const remnant = 'a'.repeat(64)
  const seed = canonical({ schema: 'git-remnant/signature/1', remnant, signature: '-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgAAAA\n-----END SSH SIGNATURE-----\n' })
  return { name: 'signatures', seeds: bytesOf(seed), enter: (bytes) => decodeSignature(bytes, sha256(bytes), remnant) }
}

const PLACE: Repository = { commonDir: '/c', gitDir: '/c', workTree: '/w', objectFormat: 'sha1', refStorage: 'files', bare: false, shallow: false } as Repository

/** Files that hold these bytes under some names, and nothing else; writing is forgotten. */
function filesWith(bytes: Uint8Array, names: (path: string) => boolean, listed: Readonly<Record<string, readonly string[]>> = {}): Files {
  return {
    read: (path) => (names(path) ? bytes : null),
    write: () => {},
    append: () => {},
    move: () => true,
    remove: () => {},
    list: (path) => (listed[path] ?? []).map((name) => ({ name, kind: 'file' as const })),
    stat: (path) => (names(path) ? { kind: 'file' as const, size: bytes.byteLength, mode: 0o600, changed: 1, id: path } : null),
    stream: () => once(bytes),
  }
}

function configDoor(): Door {
  const seed = JSON.stringify({
    schema: 'git-remnant/config/1', repository_root: 'a'.repeat(40), ambient: ['os-release'], structural: ['platform'], env_values: ['CI'], gate: { setup: [['npm', 'ci']], copy: ['node_modules'], timeout_s: 60, slow: false },
    interfaces: { api: { command: ['node', 'v.mjs'] } }, guard: 'note', share: 'origin', signers: 'signers',
  })
  return {
    name: 'configuration',
    seeds: bytesOf(seed, '{}'),
    enter: (bytes) => {
      loadConfig(PLACE, filesWith(bytes, (path) => path === '/w/.remnants/config.json'))
      loadConfig(PLACE, filesWith(bytes, (path) => path === '/c/remnant/config.json'))
    },
  }
}

function signersDoor(): Door {
  return {
    name: 'files of signers',
    seeds: bytesOf('a@example.com namespaces="git-remnant" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g\n# c\n\n*@x.org cert-authority,valid-before="20300101" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g\n'),
    enter: (bytes) => signersIn(text(bytes)),
  }
}

/** What a host's hook brings: read, and told back. */
function payloadDoor(agent: (typeof agents)[number]): Door {
  const own = PAYLOADS.flatMap(([, payload, host]) => (host === agent.id ? [JSON.stringify(payload)] : []))
  const after = own.map((payload) => payload.replace('PreToolUse', 'PostToolUse').replace('BeforeTool', 'AfterTool').replace(/}$/, ',"tool_response":{"stdout":"x","exitCode":1,"llmContent":"Exit Code: 1"},"toolResult":{"resultType":"failure","textResultForLlm":"<exited with exit code 1>"},"duration_ms":3}'))
  return {
    name: `payloads of ${agent.id}`,
    seeds: bytesOf(...own, ...after),
    enter(bytes) {
      let payload
      try {
        payload = JSON.parse(text(bytes)) as ReturnType<typeof parseStrict>
      } catch {
        return
      }
      agents.filter((one) => one.recognise(payload))
      for (const moment of ['', ...agent.hooks.points.map(({ event }) => event)]) {
        const event = agent.read(payload, moment)
        if (event === null) continue
        for (const decision of ['silent', 'note', 'ask', 'deny'] as const) agent.tell(event, { decision, text: decision === 'silent' ? '' : 'A fact.', claim_id: null, digest: null })
        agent.brief(event, 'A fact.')
      }
    },
  }
}

function agentConfigDoor(): Door {
  const [agent] = agents
  const hooks = (agent as (typeof agents)[number]).hooks
  return {
    name: 'configurations of agents',
    seeds: bytesOf('{}', '{\n  // mine\n  "hooks": { "PreToolUse": [ { "matcher": "Bash", "hooks": [ { "type": "command", "command": "x" } ] } ] },\n  "permissions": {}\n}\n'),
    enter(bytes) {
      const edited = withHooks(text(bytes), hooks, (event) => `command -v git-remnant >/dev/null 2>&1 && [ -x '/p/hooks/guard' ] || exit 0; exec '/p/hooks/guard' claude-code ${event}`)
      oursIn(text(bytes))
      if (edited !== null && withoutHooks(edited.text, edited.steps, hooks.fields) !== text(bytes)) throw new Error('what was put in could not be taken out again')
    },
  }
}

function journalDoor(path: string): Door {
  const lines = readFileSync(path, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.stringify({ ...(JSON.parse(line) as object), worktree: '/w' }))
  return {
    name: 'journals',
    seeds: bytesOf(`${lines.join('\n')}\n`, `${lines.slice(0, 2).join('\n')}\n`),
    async enter(bytes) {
      const there = new Set(['/c/remnant/journals/x.jsonl'])
      const files = { ...filesWith(bytes, (asked) => there.has(asked), { '/c/remnant/journals': ['x.jsonl'] }), move: (from: string, to: string) => there.delete(from) && there.add(to).has(to) }
      for (const journal of await takeJournals('/w', null, PLACE, files))
        await draft(readJournal(journal, '/w', files), sets, { journal: true, roots: ['/w'], ambient: AMBIENT, structural: STRUCTURAL })
    },
  }
}

/** The guard's two files, and a call that is about what they say. */
function guardDoor(): Door {
  const base = mkdtempSync(join(tmpdir(), 'remnant-doors-'))
  for (const folder of ['.git/objects', '.git/refs', '.git/remnant']) mkdirSync(join(base, folder), { recursive: true })
  writeFileSync(join(base, '.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(base, '.git/config'), '[core]\n\trepositoryformatversion = 0\n')
  const command = JSON.parse(canonical(commandOf(['jest']))) as never
  const key = canonical(command)
  const known = { claim_id: 'a'.repeat(64), digest: 'b'.repeat(64), rank: 'own' as const, grounds: [{ key: 'absent-tool:jest', sealed: sha256('absent'), value: 'absent', stamp: null }] }
  const filed = [
    { name: commandName(key), entry: { is: 'dead-end' as const, ...known, command: key, class: 'program-missing' as const, signature: 'jest: command not found', until: ['absent-tool:jest'] } },
    { name: targetName('git-remote/origin'), entry: { is: 'deed' as const, ...known, command: key, operation: 'push', target: 'git-remote/origin', identifier: 'refs/heads/main', state_hash: null, unknown: false } },
  ]
  const event = { host: 'claude-code', session: 's', moment: 'before' as const, call: 'c', cwd: base, tool: 'shell' as const, edits: [], outcome: { is: 'unknown' as const }, output: null, transcript: null }
  return {
    name: 'index of the guard',
    seeds: bytesOf(claimsFile(filed as never, ['git push'])),
    async enter(bytes) {
      writeFileSync(join(base, '.git/remnant/guard-claims'), bytes)
      for (const line of ['jest', 'git push origin main']) await decide({ ...event, command: line }, { env: { PATH: '/nowhere', HOME: base }, now: () => new Date(0) })
    },
    close: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** Whatever lies under `remnant/`: by each of its readers, and by `verify`. */
function localDoors(): Door[] {
  const hex = (digit: string): string => digit.repeat(64)
  const sealed = (header: string, body: string): string => `${header} ${sha256(body)}\n${body}`
  const readers: Readonly<Record<string, readonly [seed: string, read: (files: Files) => unknown]>> = {
    own: [`${hex('a')}\n${hex('b')}\n`, (files) => [openLocalLists('/c', files).own(), ownRefs(PLACE as never, files)]],
    known: [`git-remnant-known 1\n${hex('a')}\n`, (files) => openLocalLists('/c', files).known()],
    reported: [`${hex('a')}\n`, (files) => openLocalLists('/c', files).reported()],
    approvals: [`allow command ${hex('a')}\ndeny command ${hex('b')}\nallow config ${hex('c')}\n`, (files) => openApprovals(PLACE, files, 'r').list()],
    signers: ['allow a@example.com namespaces="git-remnant" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g\ndeny ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g\n', (files) => openSignerList(PLACE, files).allowed],
    verified: [`git-remnant-verified 1\n${hex('a')} ${hex('b')} good ${hex('c')} 1780000000000 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g\n`, (files) => readVerified('/c', files)],
    proofs: [`${hex('a')} ${'b'.repeat(40)} PROVEN ${hex('c')}\n`, (files) => proofsIn(PLACE, files)],
    reds: [`${hex('a')} ${hex('b')}\n`, (files) => redsIn(PLACE, files)],
    'agents.json': ['{"files":{"/w/.claude/settings.local.json":{"file":true,"folders":[],"steps":[{"gone":"","added":"x"}]}},"hidden":{"made":false,"lines":["/.claude/settings.local.json\\n"]}}', (files) => readKnown('/c', files)],
    'exclude-before': ['{"existed":true,"folderExisted":true,"added":"/.remnants/\\n","done":true}', (files) => (removeExclude(PLACE, files), wantsExclude(PLACE, files, () => Promise.reject(new RemnantError('missing', 'no git'))))],
    'cache/verdicts-x': [sealed('git-remnant-verdicts 2 0 0', '{"grounds":{"mark":"m","asked":[],"passed":[],"readings":{}},"sizes":[["told",2]]}\n{}'), async (files) => (await openMemo({ installation: '/p', files, repository: async () => PLACE })).last(['told'])?.text('told')],
    'cache/tools.json': ['[["npm",{"path":"/usr/bin/npm","size":1,"changed":2,"inode":3},"11.0.0"]]', (files) => openVersions('/c/remnant/cache/tools.json', files)],
    'cache/roots.json': [`{"${'a'.repeat(40)}":"${'b'.repeat(40)}"}`, (files) => readCache('/c/remnant/cache/roots.json', files)],
    'sharing/unread': ['not sent: x\n', (files) => toldLater(PLACE, files)],
    'purged/x.jsonl': [`{"rule":"uuid","reason":"r","record_id":"rec","list":"verified_invariants"}\n`, (files) => purgesOf('rec', PLACE, files)],
    [`tombstones/${hex('a')}/${hex('b')}.json`]: [canonical({ schema: 'git-remnant/tombstone/1', remnant: hex('a'), forgotten_at: '2026-06-01T12:00:00Z', replaced_by: null }), (files) => (openTombstones('/c', files).audit(), openTombstones('/c', files).read(hex('a')))],
    'sent/x': [`refs/remnants/${hex('a')}\n`, (files) => openSentList('/c', files, 'address')],
  }
  return Object.entries(readers).map(([path, [seed, read]]) => ({
    name: `remnant/${path.replace(/[0-9a-f]{64}/g, 'X')}`,
    seeds: bytesOf(seed),
    async enter(bytes) {
      const [folder = '', name = ''] = path.includes('/') ? [`/c/remnant/${path.slice(0, path.lastIndexOf('/'))}`, path.slice(path.lastIndexOf('/') + 1)] : ['/c/remnant', path]
      const listed = { [folder]: [name], ...(path.startsWith('tombstones/') && { '/c/remnant/tombstones': [hex('a')] }) }
      const files = filesWith(bytes, (asked) => asked === `/c/remnant/${path}` || (path.startsWith('sent/') && asked.startsWith('/c/remnant/sent/')), listed)
      await read(files)
      localFaults(PLACE, files)
    },
  }))
}

/** Refs of remnants, loose and packed. */
function refsDoor(): Door {
  const base = mkdtempSync(join(tmpdir(), 'remnant-doors-'))
  const digest = 'c'.repeat(64)
  mkdirSync(join(base, 'refs/remnants'), { recursive: true })
  const place = { ...PLACE, commonDir: base }
  let turn = 0
  return {
    name: 'refs',
    seeds: bytesOf(`# pack-refs with: peeled fully-peeled sorted \n${'a'.repeat(40)} refs/heads/main\n${'b'.repeat(40)} refs/remnants/${digest}\n`, `${'b'.repeat(40)}\n`, 'ref: refs/heads/main\n'),
    enter(bytes) {
      // Written beside and renamed by whoever writes it; here a size that differs tells it from the last one.
      turn += 1
      writeFileSync(join(base, 'packed-refs'), Buffer.concat([bytes, Buffer.from('\n'.repeat(turn % 7))]))
      writeFileSync(join(base, 'refs/remnants', digest), bytes)
      const refs = listRefs(place)
      for (const each of refs.digests) refs.get(each)
      readRef(place, digest)
    },
    close: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** Command texts, by the shell's grammar and by all that asks it. */
function shellDoor(): Door {
  const seeds = [
    'npm test', 'cd packages/a && npm run build 2>&1 | tail -20', 'bash -lc "CI=1 npx jest --ci | tee out.txt"', 'git commit -m "$(cat <<\'EOF\'\nmessage\nEOF\n)" && git push origin main',
    'for f in *.js; do node "$f" || exit 1; done', 'docker exec -it web sh -c \'cd /app; make test\'', 'if [ -f x ]; then echo $((1+2)); else (cd y; ls) & fi', 'cat <<EOF > f\n$X ${Y:-z}\nEOF', 'sudo -u root env A=b timeout 10 nice -n 5 make -j8 lint; echo $?',
    'psql "$URL" -c "select 1; drop table x"', 'ssh host "cd /srv && ./deploy.sh"', 'curl -X POST https://x.example/api -d @body.json', 'case $1 in a) x;; *) y;; esac', 'f() { x; }; f', '[[ $a =~ ^(b+)+$ ]] && echo {1..1000000}',
  ]
  return {
    name: 'command texts',
    seeds: bytesOf(...seeds),
    enter(bytes) {
      const reading = readShell(text(bytes), { folder: '.', root: ROOT } as never)
      outcomesIn(reading, { is: 'code', code: 1 })
      for (const { command } of reading.commands) for (const mutation of mutations) mutation.names.length + JSON.stringify(command).length
    },
  }
}

/** Command texts of a host that runs them in PowerShell. */
function powershellDoor(): Door {
  const seeds = [
    'npm test; if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }', 'Get-Content -Raw "src/a b.ts" | Select-String -Pattern "x" -Context 2,3', "Set-Location 'packages/a'; $env:CI = '1'; npx vitest run 2>&1 | Select-Object -Last 20",
    '@\'\nline\n\'@ | Set-Content -Path x.txt; git add x.txt', '& "C:\\Program Files\\nodejs\\npm.cmd" run build', 'Get-ChildItem -Recurse | ForEach-Object { $_.FullName } | Out-File list.txt', '$x = "$(Get-Date)"; Write-Output `"$x`"', 'cmd /c "npm test & exit 1"',
  ]
  return {
    name: 'command texts of PowerShell',
    seeds: bytesOf(...seeds),
    enter(bytes) {
      const [typed, posix] = [text(bytes), posixOf(text(bytes))]
      looksOnly(typed)
      if (posix !== null) outcomesIn(readShell(posix, { folder: '.', root: ROOT } as never), { is: 'code', code: 1 })
    },
  }
}
