import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { refuseProse, screen, storable } from '../../src/distill/screen.ts'
import { ephemera } from '../../src/ephemera.ts'
import { commandOf, shown } from '../../src/model/command.ts'
import type { Rule } from '../../src/model/rule.ts'

const SESSION = { session: 'session-7f3a', root: '/srv/clockwork' }
const clean = readFileSync(new URL('../ephemera/clean.txt', import.meta.url), 'utf8').split('\n').filter((line) => line !== '')
const found = (text: string) => screen([{ field: 'statement', text }], SESSION, ephemera)

describe('the screen on ordinary lines', () => {
  it('has more than 200 of them', () => expect(clean.length).toBeGreaterThan(200))
  it.each(clean)('finds nothing in: %s', async (line) => {
    expect(await found(line)).toEqual([])
    expect(await screen([{ field: 'argv', text: shown(commandOf(line.split(' '))) }, ...line.split(' ').map((text) => ({ field: 'argv', text }))], SESSION, ephemera)).toEqual([])
  })
})

// Put together here, so that no file of the repository holds what looks like a credential.
const mixed = (length: number): string => 'a9Zk3Lq7Wm2Xv8Bn5Rt1Yc6Hd4Jf0Gs'.repeat(4).slice(0, length)
const hex = (length: number): string => '3f9a0c71e5b284d6'.repeat(8).slice(0, length)
const upper = (length: number): string => 'Q7M2XK9B4ZT8WL3V'.repeat(4).slice(0, length)
const word = 'hunter' + '2'
const pem = (kind: string, prefix = ''): string =>
  [`-----BEGIN ${kind}PRIVATE` + ' KEY-----', 'MII' + mixed(61), mixed(64), mixed(20) + '==', `-----END ${kind}PRIVATE` + ' KEY-----'].map((line) => prefix + line).join('\n')

const planted: readonly (readonly [string, string])[] = [
  ['GitHub', 'ghp' + '_' + mixed(36)],
  ['GitHub, fine-grained', 'github' + '_pat_' + mixed(22) + '_' + mixed(59)],
  ['GitHub server', 'ghs' + '_' + mixed(36)],
  ['GitLab', 'glpat' + '-' + mixed(20)],
  ['GitLab deploy', 'gldt' + '-' + mixed(20)],
  ['Stripe', 'sk' + '_live_' + mixed(24)],
  ['Stripe restricted', 'rk' + '_test_' + mixed(24)],
  ['Stripe web hook', 'wh' + 'sec_' + mixed(32)],
  ['Google', 'AI' + 'za' + mixed(35)],
  ['Google OAuth', 'ya' + '29.' + mixed(60)],
  ['Google client', 'GOC' + 'SPX-' + mixed(28)],
  ['Hugging Face', 'hf' + '_' + mixed(34)],
  ['Docker', 'dckr' + '_pat_' + mixed(27)],
  ['Vault', 'hv' + 's.' + mixed(24)],
  ['PyPI', 'pypi' + '-AgEIcHlwaS5vcmc' + mixed(60)],
  ['npm', 'npm' + '_' + mixed(36)],
  ['AWS key id', 'AK' + 'IA' + upper(16)],
  ['AWS session key id', 'AS' + 'IA' + upper(16)],
  ['AWS secret', 'AWS_SECRET_' + 'ACCESS_KEY=' + mixed(40)],
  ['Slack bot', 'xox' + 'b-123456789012-1234567890123-' + mixed(24)],
  ['Slack web hook', 'https://hooks.slack' + '.com/services/T' + upper(8) + '/B' + upper(8) + '/' + mixed(24)],
  ['SendGrid', 'SG' + '.' + mixed(22) + '.' + mixed(43)],
  ['OpenAI', 'sk' + '-proj-' + mixed(48)],
  ['Anthropic', 'sk' + '-ant-api03-' + mixed(93) + 'AA'],
  ['Shopify', 'shp' + 'at_' + hex(32)],
  ['Linear', 'lin' + '_api_' + mixed(40)],
  ['DigitalOcean', 'dop' + '_v1_' + hex(64)],
  ['Databricks', 'da' + 'pi' + hex(32)],
  ['Grafana', 'gl' + 'sa_' + mixed(32) + '_' + hex(8)],
  ['Telegram', '123456789' + ':AA' + mixed(33)],
  ['Twilio', 'S' + 'K' + hex(32)],
  ['Mailgun', 'key' + '-' + hex(32)],
  ['age', 'AGE-' + 'SECRET-KEY-1' + upper(58)],
  ['JSON web token', 'ey' + 'JhbGciOiJIUzI1NiJ9.ey' + 'JzdWIiOiIxMjM0NTY3ODkwIn0.' + mixed(43)],
  ['bearer header', 'Authorization: Bear' + 'er ' + mixed(32)],
  ['bearer alone', 'Bear' + 'er ' + mixed(24)],
  ['basic header', 'Authorization: Bas' + 'ic ' + Buffer.from(`anna:${word}`).toString('base64')],
  ['key header', 'X-Api-' + 'Key: ' + mixed(20)],
  ['assigned password', 'PASS' + 'WORD=' + word],
  ['database password', 'PG' + 'PASSWORD=correct-horse'],
  ['YAML password', 'pass' + 'word: ' + word],
  ['JSON password', `{"pass` + `word":"${word}"}`],
  ['JSON token', `{"access_` + `token":"${hex(40)}"}`],
  ['assigned key', 'API_' + 'KEY=' + hex(32)],
  ['any key', 'STRIPE_' + 'KEY=' + mixed(24)],
  ['npmrc token', '//registry.npmjs.org/:_auth' + 'Token=' + '1b2c3d4e-0000-4000-8000-00000000abcd'],
  ['npmrc auth', '_au' + 'th=' + Buffer.from(`anna:${word}`).toString('base64')],
  ['option with =', 'deploy --to' + 'ken=' + mixed(20)],
  ['option and value', 'deploy --to' + 'ken ' + mixed(20)],
  ['password option', 'deploy --pass' + 'word ' + word],
  ['password option of letters', 'deploy --pass' + 'word correcthorse'],
  ['prefixed option', 'deploy --registry-pass' + 'word=' + word],
  ['URL with password', 'https://anna:' + word + '@git.acme.dev/x.git'],
  ['URL of a database', 'postgres://app:' + word + '@db.acme.dev:5432/app'],
  ['URL of a cache', 'redis://:' + word + '@cache:6379'],
  ['URL with a token as user', 'https://' + hex(32) + '@o1.ingest.acme.dev/2'],
  ['connection string', 'Server=db;User Id=sa;Pass' + 'word=' + word + ';'],
  ['storage account', 'Account' + 'Key=' + mixed(64) + '=='],
  ['curl -u', 'curl -u anna:' + word + ' https://acme.dev'],
  ['curl --user', 'curl -sS --user anna:' + word + ' https://acme.dev'],
  ['mysql -p', 'mysql -u root -p' + word + ' app'],
  ['sshpass', 'sshpass -p ' + word + ' ssh host'],
  ['docker login', 'docker login -u ci -p ' + word + ' ghcr.io'],
  ['redis-cli', 'redis-cli -a ' + word + ' ping'],
  ['openssl', 'openssl rsa -in a.pem -passin pass:' + word],
  ['signed URL', 'https://acme.s3.amazonaws.com/a?X-Amz-Signa' + 'ture=' + hex(64)],
  ['cookie', 'Cookie: sid=' + mixed(24)],
  ['private key', pem('RSA ')],
  ['private key without a kind', pem('')],
  ['private key with log prefixes', pem('OPENSSH ', '2 | ')],
  ['private key cut off', pem('EC ').split('\n').slice(0, 3).join('\n')],
  ['private key in JSON', JSON.stringify({ key: pem('') })],
  ['random text', 'set it to ' + mixed(32)],
  ['random base64', 'value ' + 'kJ8s/Qm2' + 'Xv9+Lp4TzR7w' + 'Bn1YcE5='],
]

const BESIDE: readonly (readonly [string, (secret: string) => string])[] = [
  ['a statement', (secret) => `The deploy requires \`${secret}\` in \`apps/web\``],
  ['a command line', (secret) => `cd apps/web && ${secret} --verbose`],
  ['an output', (secret) => `> deploy\n${secret}\nerror: 401 Unauthorized\n`],
  ['a text that calls the search off', (secret) => `// secretlint-disable\n${secret}`],
]

describe('the screen on planted secrets', () => {
  it('has more than 40 shapes', () => expect(new Set(planted.map(([name]) => name)).size).toBeGreaterThan(40))
  for (const [place, text] of BESIDE)
    it.each(planted)(`finds %s in ${place}, and says where without saying what`, async (_, secret) => {
      const secrets = (await found(text(secret))).filter(({ weight }) => weight === 'secret')
      expect(secrets).not.toEqual([])
      for (const finding of secrets) expect(Object.keys(finding).sort()).toEqual(['field', 'kind', 'weight'])
      expect(JSON.stringify(secrets)).not.toContain(secret.slice(-8))
    })

  it.each(planted.filter(([, secret]) => !secret.includes('\n')))('finds %s in a quoted command', async (_, secret) => {
    expect((await found(shown(commandOf(secret.split(' '))))).some(({ weight }) => weight === 'secret')).toBe(true)
  })
})

describe('the screen', () => {
  it('names the fields, each kind once a field', async () => {
    const fields = [
      { field: 'path.argv', text: 'cat /tmp/a1b2/x.json /tmp/a1b2/y.json' },
      { field: 'effect.value', text: 'npm test' },
      { field: 'statement', text: 'The run of session-7f3a is over' },
    ]
    expect(await screen(fields, SESSION, ephemera)).toEqual([
      { kind: 'temporary-path', weight: 'session', field: 'path.argv' },
      { kind: 'session-id', weight: 'session', field: 'statement' },
    ])
  })

  it.each([
    ['a session id', 'session-7f3a'],
    ['a UUID', '1b2c3d4e-0000-4000-8000-00000000abcd'],
    ['a temporary path', '/tmp/tmp.k2/x'],
    ['an ephemeral port', 'localhost:49152'],
    ['a process id', 'pid 1234'],
    ['a time', '2026-06-01T10:22:31Z'],
    ['a date', '2026-06-01'],
    ['a container host', 'root@3f2a1b4c5d6e'],
    ['a home directory', '/home/anna/x'],
    ['a tenant', '--tenant acme'],
    ['a one-time token', '--otp 123456'],
  ])('finds %s in any field', async (_, text) => {
    expect((await found(`The command \`${text}\` passes`)).map(({ weight }) => weight)).toContain('session')
  })

  it('leaves noise alone: in a field it is content', async () => {
    expect(await found('`src/a.ts:12:5` and /usr/lib/x.so and 0x7ffe12345678 and 1.2s and 12 passed')).toEqual([])
  })
})

describe('refusing prose', () => {
  const rule = (id: string, reason: string | null): Rule => ({ id, stage: 'stands-alone', hint: '', why: '', refuse: () => (reason === null ? null : { reason }) })

  it('answers the first rule that refuses', () =>
    expect(refuseProse({ field: 'statement', text: 'x' }, [rule('a', null), rule('b', 'second'), rule('c', 'third')])).toEqual({ rule: 'b', reason: 'second' }))
  it('answers null when all let it pass', () => expect(refuseProse({ field: 'statement', text: 'x' }, [rule('a', null)])).toBeNull())
})

describe('the id of a record', () => {
  it('is kept as hosts make it, with the number of a command among several', async () => {
    const made = `call_${mixed(24)}`
    for (const id of [made, `${made}/2`, `${made}/12`]) expect(await storable(id, ephemera)).toBe(id)
    for (const id of [`${made}/x${mixed(24)}`, `key=${mixed(40)}`]) expect(await storable(id, ephemera)).toMatch(/^[0-9a-f]{64}$/)
  })
})
