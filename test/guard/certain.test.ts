import { describe, expect, it } from 'vitest'
import { certainIn, certainMutation, harmfulIn, inLoginShell, operationOf, readingOf } from '../../src/guard/certain.ts'
import { commandOf } from '../../src/model/command.ts'
import { readShell } from '../../src/model/shell.ts'
import { mutations } from '../../src/mutations.ts'

const read = (text: string) => readShell(text, { folder: '.', root: '/repo' })
const certain = (text: string): string | null => {
  const command = certainIn(text, read(text))
  return command === null ? null : `${command.folder} ${command.argv.join(' ')}`
}

describe('the command of a text that is sure to run, in the world as it is', () => {
  it.each([
    ['jest', '. jest'],
    ['jest --ci 2>&1 | tail -20', '. jest --ci'],
    ['cd packages/a && jest', 'packages/a jest'],
    ['cd /repo/packages/a && jest', 'packages/a jest'],
    ['timeout 60 jest', '. jest'],
    ['bash -lc "jest --ci"', '. jest --ci'],
    ['jest; echo "exit: $?"', '. jest'],
    ['echo start && jest && npm run build', '. jest'],
    ['ls && cat package.json && jest', '. jest'],
    ['git status && jest', '. jest'],
    ['npm ci && jest', '. npm ci'],
    ['[ -f x ] && jest', '. [ -f x ]'],
  ])('%s → %s', (text, expected) => {
    expect(certain(text)).toBe(expected)
  })

  it.each([
    'npm ci; jest', // nobody keeps the status of the first
    'if [ -f x ]; then jest; fi',
    'which jest || npm install jest',
    'jest $FILES',
    'jest "$(cat list)"',
    'cd $DIR && jest',
    'cd packages/a 2>/dev/null; jest',
    'cd packages/a || cd b; jest',
    'source venv/bin/activate && pytest',
    '. venv/bin/activate && pytest',
    'alias jest=true; jest',
    'export PATH=/x:$PATH && jest',
    'PATH=/opt/bin jest',
    'REMNANT=0 jest',
    'jest || true', // its failing is provided for
    'echo x > package.json; npm run lint',
    'printf -v PATH /x; jest',
    'for PATH in /x; do jest; done',
    'command_not_found_handle() { true; }; jest',
    'docker exec web jest',
    'ssh host jest',
    'cd /elsewhere && jest',
    'echo done',
    'jest "',
    '',
  ])('has none: %s', (text) => {
    expect(certain(text)).toBeNull()
  })
})

describe('plain words', () => {
  it.each(['jest', 'npm run test:unit -- --ci', 'npx jest', 'timeout 60 npm test', 'nice make all', 'time make', 'cd a', 'cd a b', 'env A=b jest', 'A=b jest', 'sudo make', 'exec jest', '/usr/bin/make', './gradlew build', 'node /repo/a.mjs', 'git -C a status', 'command jest', 'if x', 'true', '. x', 'docker exec web jest', 'bash -c jest', 'sh x.sh', 'nohup jest', 'python -m pytest', 'make -C packages/a', 'xargs jest', 'ssh host ls', 'function x', 'test -f x', 'jest  --ci', ' jest', 'jest ', 'export A=b', 'set -e', 'tail -5', 'cat x'])('are read as the grammar reads them: %s', (text) => {
    const place = { folder: 'packages/b', root: '/repo' }
    expect(readingOf(text, place)).toEqual(readShell(text, place))
  })
})

describe('a mutation that is sure to be made', () => {
  it.each([
    ['npm publish', 'npm publish'],
    ['npm test && npm publish', 'npm publish'],
    ['npm run lint && npm run build && npm publish --tag next', 'npm publish --tag next'],
    ['npm publish --dry-run', null],
    ['npm version patch && npm publish', null],
    ['npm test; npm publish', 'npm publish'],
    ['npm publish & wait', null],
    ['git push origin main', null],
    ['npm test || npm publish', null],
    ['REMNANT=0 npm publish', null],
  ])('%s → %s', (text, expected) => {
    expect(certainMutation(text, read(text), mutations)?.command.argv.join(' ') ?? null).toBe(expected)
  })

  it.each([
    ['npm version patch && npm publish', ['npm publish']],
    ['if ok; then cargo publish; fi; npm publish', ['cargo publish', 'npm publish']],
    ['npm publish $ARGS', []],
    ['git push', []],
    ['npm publish "', []],
  ])('may be made: %s → %j', (text, expected) => {
    expect(harmfulIn(read(text), mutations).map(({ command }) => command.argv.join(' '))).toEqual(expected)
  })
})

describe('what a command does', () => {
  it.each([
    ['npm publish --tag x', 'npm publish'],
    ['gh release create v1', 'gh release create'],
    ['gh release delete v1', 'gh release delete'],
    ['/usr/bin/cargo publish -p lib', 'cargo publish'],
    ['npm publish ./dir', 'npm publish'],
    ['curl -X POST https://x.example', 'curl'],
  ])('%s → %s', (line, expected) => {
    expect(operationOf(commandOf(line.split(' ')))).toBe(expected)
  })
})

describe('a login shell', () => {
  it.each(['bash -lc x', '/bin/sh -l -c x', 'zsh --login -c "x y"', 'cd a && env -i bash -e -lc x', 'bash -cl x', 'bash -l'])('is seen in %s', (text) => expect(inLoginShell(text)).toBe(true))
  it.each(['bash -c x', 'sh -e -c x', 'npm run lint -- -l', 'ls -l', 'bash x.sh && ls -l', 'ssh host ls', 'bash --norc -c x'])('is not seen in %s', (text) => expect(inLoginShell(text)).toBe(false))
})
