import { describe, expect, it } from 'vitest'
import scripts from '../../src/signatures/package-scripts.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const npm = (...lines: string[]) => lines.map((line) => `npm error ${line}\n`).join('')
const E404 = npm('code E404', '404 Not Found - GET https://registry.example/nopkg', '404', "404  The requested resource 'nopkg@1' could not be found or you do not have permission to access it.", '404')
const ETARGET = npm('code ETARGET', 'notarget No matching version found for @a/b@99.0.0.', 'notarget In most cases you or one of your dependencies are requesting')
const ERESOLVE = npm(
  'code ERESOLVE', 'ERESOLVE unable to resolve dependency tree', '', 'While resolving: app@1.0.0', 'Found: react@18.2.0', 'node_modules/react', '  react@"18.2.0" from the root project', '',
  'Could not resolve dependency:', 'peer react@"^17.0.0" from some-lib@1.0.0', 'A complete log of this run can be found in: /home/dev/.npm/_logs/2026-01-01T00_00_00_000Z-debug-0.log',
)

const vite = (place: string) => ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((end) => `${place}vite.config.${end}`)

describe('package scripts', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['npm test', 'npm run build', 'pnpm lint', 'pnpm -r test', 'yarn build', 'bun test', 'npm install', 'corepack pnpm test']) expect(knowing(line)).toEqual(['package-scripts'])
    for (const line of ['npx jest', 'bun src/x.ts', 'node x.js']) expect(scripts.knows(typed(line))).toBeNull()
  })

  it.each([
    ['npm test', '.', ['tool:npm', 'tool:node', 'file:package.json']],
    ['npm run test:unit -- --ci', 'p', ['tool:p/npm', 'tool:p/node', 'file:p/package.json', 'file:package.json']],
    ['npm --prefix p test', '.', ['tool:npm', 'tool:node', 'file:p/package.json', 'file:package.json']],
    ['yarn test', '.', ['tool:yarn', 'tool:node', 'file:package.json']],
    ['bun run test', '.', ['tool:bun', 'file:package.json']],
    ['yarn install', '.', ['tool:yarn', 'tool:node', 'file:package.json', 'file:.yarnrc.yml', 'file:.yarnrc', 'file:yarn.lock']],
    ['pnpm lint', '.', ['tool:lint', 'tool:pnpm', 'file:package.json', 'tool:node']],
    ['pnpm -s lint', '.', ['tool:lint', 'tool:pnpm', 'file:package.json', 'tool:node']],
    ['npm test -w pkg', '.', ['tool:npm', 'tool:node', 'file:package.json', 'manifests:package.json']],
    ['npm --workspace pkg run typecheck', '.', ['tool:npm', 'tool:node', 'file:package.json', 'manifests:package.json']],
    ['npm --workspace=pkg test', 'sub', ['tool:sub/npm', 'tool:sub/node', 'file:sub/package.json', 'file:package.json', 'manifests:package.json']],
    ['npm test --workspaces', '.', ['tool:npm', 'tool:node', 'file:package.json', 'manifests:package.json']],
    ['npm test --workspaces=false', '.', ['tool:npm', 'tool:node', 'file:package.json']],
    ['pnpm --filter pkg test', '.', ['tool:pnpm', 'tool:node', 'file:package.json', 'manifests:package.json', 'file:pnpm-workspace.yaml']],
    ['pnpm -r test', '.', ['tool:pnpm', 'tool:node', 'file:package.json', 'manifests:package.json', 'file:pnpm-workspace.yaml']],
    ['pnpm --filter pkg vitest run', '.', ['tool:pnpm', 'tool:node', 'file:package.json', 'tree:.']],
    ['yarn workspace pkg test', '.', ['tool:yarn', 'tool:node', 'file:package.json', 'manifests:package.json']],
    ['pnpm --filter pkg svelte-check', '.', ['tool:pnpm', 'tool:node', 'file:package.json', 'tree:.']],
    ['pnpm --filter pkg lint', '.', ['tool:pnpm', 'tool:node', 'file:package.json', 'manifests:package.json', 'file:pnpm-workspace.yaml']],
    ['pnpm --filter pkg run tsc', '.', ['tool:pnpm', 'tool:node', 'file:package.json', 'manifests:package.json', 'file:pnpm-workspace.yaml']],
    ['yarn workspace pkg tsc', '.', ['tool:yarn', 'tool:node', 'file:package.json', 'tree:.']],
    ['yarn workspaces foreach -A run test', '.', ['tool:yarn', 'tool:node', 'file:package.json', 'manifests:package.json']],
    ['bun --filter pkg build', '.', ['tool:bun', 'file:package.json', 'manifests:package.json']],
    ['vp run test', 'p', ['tool:p/vp', 'tool:p/node', 'file:p/package.json', 'file:package.json', ...vite('file:p/')]],
    ['vp run --filter=pkg test', '.', ['tool:vp', 'tool:node', 'file:package.json', 'manifests:package.json', ...vite('manifests:'), 'file:pnpm-workspace.yaml']],
    ['vp run pkg#test', '.', ['tool:vp', 'tool:node', 'file:package.json', 'manifests:package.json', ...vite('manifests:'), 'file:pnpm-workspace.yaml']],
    ['npm ci', '.', ['tool:npm', 'tool:node', 'file:package.json', 'file:.npmrc', 'file:package-lock.json', 'file:npm-shrinkwrap.json']],
    ['npm --version', '.', ['tool:npm']],
  ])('rests on the manager, node and the definition of the script: %s in %s', (line, folder, keys) => {
    expect(scripts.knows(typed(line, folder))?.keys).toEqual(keys)
  })

  it.each([
    ['npm test', true], ['npm t', true], ['npm run lint', true], ['npm run-script build', true], ['npm -s test', true], ['npm run test:unit', true], ['npm run type-check', true],
    ['pnpm test', true], ['pnpm -s typecheck', true], ['pnpm --silent start', false], ['pnpm -s', false], ['pnpm run check', true], ['pnpm --filter app test', true], ['pnpm build', true], ['yarn test', true], ['yarn lint', true], ['yarn workspace app test', true], ['yarn workspaces run test', true], ['yarn workspaces foreach -A run build', true], ['yarn workspaces foreach -A run fix', false], ['yarn workspaces list', false],
    ['vp run test', true], ['vp test', true], ['vp run build', true], ['vp check', true], ['vp check --fix', false], ['vp test watch', false], ['vp dev', false], ['vp install', false],
    ['bun run test', true], ['bun test', true], ['npm --version', true], ['npm -v', true],
    ['npm start', false], ['npm run dev', false], ['npm run test:watch', false], ['npm test -- --watch', false], ['npm test -- -u', false], ['npm run lint -- --fix', false],
    ['npm run lint:fix', false], ['npm run format', false], ['npm run deploy', false], ['npm run release', false], ['npm run test --if-present', false],
    ['npm install', false], ['npm ci', false], ['npm publish', false], ['npm run', false], ['npm', false], ['yarn', false], ['yarn start', false], ['pnpm add x', false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(scripts.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('hands over to the tools of a script, and only then', () => {
    expect(['npm test', 'npm run dev', 'yarn lint', 'npm install', 'bun test', 'npm --version'].map((line) => scripts.knows(typed(line))?.delegates)).toEqual([true, true, true, false, false, false])
  })

  it('has no closing lines of its own', () => {
    expect(scripts.summary()).toBeNull()
  })

  it.each([
    ['npm run nope', npm('Missing script: "nope"', '', 'To see a list of scripts, run:', '  npm run'), 'usage', ['npm error Missing script: "nope"'], ['tool:npm', 'file:package.json']],
    ['npm foo', 'Unknown command: "foo"\n\nTo see a list of supported npm commands, run:\n  npm help\n', 'usage', ['Unknown command: "foo"'], ['tool:npm']],
    ['npm install nopkg@1', E404, 'dependency', ['npm error code E404', "npm error 404 The requested resource 'nopkg@1' could not be found or you do not have permission to access it."], ['lock:npm/nopkg', 'file:package.json']],
    ['npm install @a/b@99', ETARGET, 'dependency', ['npm error code ETARGET', 'npm error notarget No matching version found for @a/b@99.0.0.'], ['lock:npm/@a/b', 'file:package.json']],
    ['npm install', ERESOLVE, 'dependency', ['npm error code ERESOLVE', 'npm error ERESOLVE unable to resolve dependency tree', 'npm error Found: react@18.2.0', 'npm error Could not resolve dependency:', 'npm error peer react@"^17.0.0" from some-lib@1.0.0'], ['tool:npm', 'file:package.json', 'file:package-lock.json', 'file:npm-shrinkwrap.json']],
    ['npm ci', npm('code EUSAGE', '', 'The `npm ci` command can only install with an existing package-lock.json or', 'npm-shrinkwrap.json with lockfileVersion >= 1.'), 'path-missing', ['npm error The `npm ci` command can only install with an existing package-lock.json or'], ['absent:package-lock.json', 'absent:npm-shrinkwrap.json']],
    ['npm run x', npm('code ENOENT', 'syscall open', 'path /repo/package.json', 'errno -2', "enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/repo/package.json'"), 'path-missing', ['npm error enoent Could not read package.json'], ['absent:package.json']],
    ['npm publish', npm('code ENEEDAUTH', 'need auth This command requires you to be logged in to https://registry.example/'), null, ['npm error code ENEEDAUTH', 'npm error need auth This command requires you to be logged in to https://registry.example/'], []],
    ['npm install', npm('code E401', 'Incorrect or missing password.'), null, ['npm error code E401'], []],
    ['npm publish', npm('code E403', '403 403 Forbidden - PUT https://registry.example/x'), null, ['npm error code E403', 'npm error 403 403 Forbidden - PUT https://registry.example/x'], []],
    ['npm publish', `Failed to replace env in config: \${NPM_TOKEN}\n${npm('code E401', '401 Unauthorized')}`, 'denied', ['npm error code E401', 'npm error 401 Unauthorized'], ['privilege', 'env:NPM_TOKEN']],
    ['npm install', npm('code EACCES', 'syscall mkdir', 'path /srv/x'), 'denied', ['npm error code EACCES', 'npm error syscall mkdir'], ['privilege']],
    ['npx --no jest', npm('npx canceled due to missing packages and no YES option: ["jest@29.7.0"]'), 'program-missing', ['npm error npx canceled due to missing packages and no YES option: ["jest@29.7.0"]'], ['absent-tool:jest']],
    ['pnpm run nope', ' ERR_PNPM_NO_SCRIPT  Missing script: nope\n', 'usage', ['ERR_PNPM_NO_SCRIPT Missing script: nope'], ['tool:pnpm', 'file:package.json']],
    ['yarn nope', 'error Command "nope" not found.\n', 'usage', ['error Command "nope" not found.'], ['tool:nope', 'tool:yarn', 'file:package.json', 'absent-tool:nope']],
    ['bun run nope', 'error: Script not found "nope"\n', 'usage', ['error: Script not found "nope"'], ['tool:bun', 'file:package.json']],
    ['yarn add lodash@99', 'error Couldn\'t find any versions for "lodash" that matches "99"\n', 'dependency', ['error Couldn\'t find any versions for "lodash" that matches "99"'], ['lock:npm/lodash', 'file:package.json']],
  ])('tells classes apart: %s', (line, output, kind, lines, keys) => {
    expect(failureOf(scripts, line, output)).toEqual({ class: kind, lines, keys })
  })

  it.each([
    npm('code ETIMEDOUT', 'network request to https://registry.example/x failed'),
    npm('code ENOTFOUND', 'network request failed'),
    npm('code E429', '429 Too Many Requests'),
    npm('code ENOSPC', 'nospc There appears to be insufficient space'),
  ])('passes over the network, limits and the disk', (output) => {
    expect(scripts.failure(ended('npm install', output))).toBe('transient')
  })

  it('tells the last words of a script whose tool nobody knows', () => {
    expect(failureOf(scripts, 'npm test', '> app@1.0.0 test\n> ./check\n\nchecking\nError: 3 of 9 are wrong\n', 3)).toEqual({ class: 'red', lines: ['Error: 3 of 9 are wrong'], keys: [] })
    expect(scripts.failure(ended('npm run fail', '\n> app@1.0.0 fail\n> exit 3\n\n', 3))).toBeNull()
    expect(scripts.failure(ended('npm install', 'something odd\n', 1))).toBeNull()
  })

  it('leaves a missing program to the fallback', () => {
    expect(scripts.failure(ended('npm run lint', '\n> app@1.0.0 lint\n> eslintx .\n\nsh: 1: eslintx: not found\n', 127))).toBeNull()
  })
})
