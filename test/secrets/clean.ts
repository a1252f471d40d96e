import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

type Read = (path: string) => string

/**
 * Texts without a secret, as commands, outputs and statements have them: written by hand, and made out of what lies on this
 * machine anyway: lockfile, names of packages and files, identifiers, messages of a compiler in its languages, digests of all kinds.
 * `top`: this repository's folder.
 */
export function cleanTexts(top: string): readonly string[] {
  const read: Read = (path) => readFileSync(join(top, path), 'utf8')
  return [...new Set([...written(read), ...locked(read), ...files(top), ...identifiers(read), ...messages(read), ...digests(), ...sentences(read)])]
}

const written = (read: Read): string[] => read('test/ephemera/clean.txt').split('\n').filter((line) => line !== '')

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
}

const locked = (read: Read): string[] =>
  Object.entries((JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages).flatMap(([path, { version, integrity, resolved }]) =>
    integrity === undefined
      ? []
      : [`npm install ${path.replace(/^.*node_modules\//, '')}@${version}`, `      "integrity": "${integrity}",`, `"${path}": { "resolved": "${resolved}" }`, `npm error EINTEGRITY ${integrity} integrity checksum failed when using sha512`],
  )

const files = (top: string): string[] =>
  ['src', 'test', 'hooks', 'node_modules/@types/node', 'node_modules/zod', 'node_modules/yargs', 'node_modules/unbash', 'node_modules/vitest/dist', 'node_modules/rolldown/dist', 'node_modules/vite/dist']
    .flatMap((folder) => (readdirSync(join(top, folder), { recursive: true }) as string[]).map((name) => `${folder}/${name}`))
    .sort()
    .filter((_, i) => i % 3 === 0)
    .map((path, i) => [`npx eslint ${path}`, `error: cannot open '${path}'`, `cat ${path} | head -20`, `    at run (${path}:12:7)`][i % 4] as string)

const identifiers = (read: Read): string[] =>
  [...new Set(read('node_modules/typescript/lib/typescript.d.ts').match(/\b[A-Za-z_]\w{19,}\b/g))].filter((_, i) => i % 4 === 0).map((name, i) => [`error TS2304: Cannot find name '${name}'.`, `ReferenceError: ${name} is not defined`, `grep -rn ${name} src`][i % 3] as string)

const messages = (read: Read): string[] =>
  ['de', 'ja', 'ru', 'zh-cn', 'tr', 'pl', 'fr'].flatMap((language) => Object.entries(JSON.parse(read(`node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`)) as Record<string, string>).filter((_, i) => i % 23 === 0).map(([key, text], i) => (i % 3 === 0 ? `${key}: ${text}` : `src/a.ts(3,5): error TS2322: ${text}`)))

const hash = (kind: string, text: string, form: 'hex' | 'base64'): string => createHash(kind).update(text).digest(form)

/** What names a content, in the ways in which tools write it. */
const digests = (): string[] =>
  Array.from({ length: 40 }, (_, i) => `content ${i}`).flatMap((text, i) => {
    const [sha1, sha256, md5, base64, long] = [hash('sha1', text, 'hex'), hash('sha256', text, 'hex'), hash('md5', text, 'hex'), hash('sha256', text, 'base64'), hash('sha512', text, 'base64')]
    return [
      `git show ${sha1}`,
      `git cherry-pick ${sha1.slice(0, 12)}`,
      `[main ${sha1.slice(0, 7)}] Make it so`,
      `index ${sha1.slice(0, 7)}..${sha256.slice(0, 7)} 100644`,
      `docker pull registry.example.com/app@sha256:${sha256}`,
      ` => => exporting manifest sha256:${sha256}`,
      `github.com/dev/app v1.${i}.0 h1:${base64}`,
      `checksum = "${sha256}"`,
      `  --hash=sha256:${sha256} \\`,
      `"resolution": { "integrity": "sha512-${long}" }`,
      `  checksum: 10c0/${hash('sha512', text, 'hex')}`,
      `/nix/store/${nix(sha256)}-glibc-2.${i}/lib/libc.so.6`,
      `assert '${md5}' == '${sha1.slice(0, 32)}'`,
      `dist/assets/index-${base64.slice(0, 8).replace(/[+/]/g, 'x')}.js  12.${i} kB`,
      `static/js/main.${md5.slice(0, 8)}.chunk.js`,
      `sha256-${base64}`,
      `<script integrity="sha384-${hash('sha384', text, 'base64')}" crossorigin="anonymous">`,
      `WHEEL numpy-1.${i}.4-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl`,
      `node_modules/.pnpm/@vitest+runner@4.${i}.12_${md5.slice(0, 26)}/node_modules`,
      `k8s.io/api v0.0.0-20240${1 + (i % 9)}01120000-${sha1.slice(0, 12)}`,
      `arn:aws:lambda:eu-central-1:123456789012:function:order-service-${i}`,
      `gcr.io/project-name/service:${sha1}`,
      `ETag: W/"${sha1.slice(0, 27)}"`,
      `error: object file .git/objects/${sha1.slice(0, 2)}/${sha1.slice(2)} is empty`,
    ]
  })

const nix = (hex: string): string => [...hex].slice(0, 32).map((digit, i) => '0123456789abcdfghijklmnpqrsvwxyz'[(Number.parseInt(digit, 16) * 2 + (i % 2)) % 32]).join('')

/** Prose of the project's own pages, and what an agent would say of such things. */
const sentences = (read: Read): string[] => [
  ...read('README.md').split(/\n|(?<=[.:;]) /).map((line) => line.trim()).filter((line) => line.length > 30).filter((_, i) => i % 2 === 0),
  'The API token is read from the environment variable DEPLOY_TOKEN.',
  'Passwords are hashed with bcrypt before they are stored.',
  'The `password` field of a user is never sent to the browser.',
  'npm publish needs a one-time password for this package.',
  'The bearer token of a request is checked by middleware/auth.ts.',
  'curl needs --user for the staging server.',
  'The option --token-file names a file, and --token is refused.',
  'Basic authentication is off in production.',
  'A session cookie lives for 14 days.',
  'The secret is kept in the vault under secret/data/app.',
  'export GITHUB_TOKEN=$(gh auth token)',
  'docker login --username dev --password-stdin registry.example.com',
  'psql postgres://app:$PGPASSWORD@localhost/app -c "select 1"',
  'git clone https://github.com/dev/app.git',
  'ssh-keygen -t ed25519 -f id_test -N ""',
  "Error: secretOrPrivateKey must have a value",
  "TypeError: Cannot read properties of undefined (reading 'accessToken')",
  'jwt malformed',
  'error: invalid key size for AES_256_GCM_SHA384',
  'KeyError: \'AWS_SECRET_ACCESS_KEY\'',
  'openssl s_client -connect example.com:443 -servername example.com',
  'gpg: signing failed: No secret key',
  'Permission denied (publickey,password).',
  'remote: Invalid username or token. Password authentication is not supported for Git operations.',
  'fatal: could not read Password for \'https://github.com\': terminal prompts disabled',
  'kubectl get secret app-tls -o yaml',
  'aws sts get-caller-identity --profile staging',
  'token: required, string',
  'password must be at least 12 characters',
  '"token": null,',
  'SyntaxError: Unexpected token < in JSON at position 0',
  'Unexpected token: operator (>)',
  'tokens: 1245 in, 310 out',
  'max_tokens=4096 temperature=0',
  'AUTH_URL=https://auth.example.com/oauth/authorize',
  'API_KEY_HEADER=X-Api-Key',
  'expect(form.password).toBe(undefined)',
  'const secretKey = process.env.SECRET_KEY',
  'PASSWORD_MIN_LENGTH=12',
]
