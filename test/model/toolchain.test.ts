import { describe, expect, it } from 'vitest'
import { commandOf } from '../../src/model/command.ts'
import { asksVersion, hasOption, isGateName, namedFiles, optionOf, programKeys, programOf, toolKey, upwards } from '../../src/model/toolchain.ts'

const words = (line: string) => ({ argv: line.split(' ') })

describe('the program of a command', () => {
  it.each([
    ['jest src/a.test.js', 'jest', null],
    ['npx jest', 'jest', 'npx'],
    ['npx -y jest@29 --ci', 'jest', 'npx'],
    ['npx --yes -p typescript tsc --noEmit', 'tsc', 'npx'],
    ['npx -c jest', 'npx', null],
    ['npx @scope/tool check', '@scope/tool', 'npx'],
    ['npm exec -- vitest run', 'vitest', 'npm'],
    ['npm test', 'npm', null],
    ['pnpm exec eslint .', 'eslint', 'pnpm'],
    ['pnpm vitest run', 'vitest', 'pnpm'],
    ['pnpm -s vitest run', 'vitest', 'pnpm'],
    ['pnpm -s', 'pnpm', null],
    ['pnpm -s -r test', 'pnpm', null],
    ['pnpm install', 'pnpm', null],
    ['pnpm -r test', 'pnpm', null],
    ['yarn tsc', 'tsc', 'yarn'],
    ['yarn add left-pad', 'yarn', null],
    ['bun run build', 'bun', null],
    ['bunx vitest', 'vitest', 'bunx'],
    ['uv run pytest -q', 'pytest', 'uv'],
    ['uv run --with httpx python -m pytest', 'pytest', 'uv'],
    ['uv run check.py', 'python', 'uv'],
    ['poetry run pytest', 'pytest', 'poetry'],
    ['python3 -m pytest tests', 'pytest', 'python3'],
    ['python3 -W error -m unittest', 'unittest', 'python3'],
    ['python3 x.py -m y', 'python3', null],
    ['coverage run -m pytest', 'pytest', 'coverage'],
    ['./node_modules/.bin/tsc -p .', 'tsc', null],
    ['node_modules/.bin/eslint .', 'eslint', null],
    ['node --experimental-vm-modules node_modules/.bin/jest', 'jest', 'node'],
    ['node node_modules/typescript/bin/tsc', 'tsc', 'node'],
    ['node node_modules/jest/bin/jest.js', 'jest', 'node'],
    ['node src/cli.js', 'node', null],
    ['/usr/bin/node x.js', 'node', null],
    ['./scripts/x.sh --all', './scripts/x.sh', null],
    ['.venv/bin/pytest -q', 'pytest', null],
    ['../venv/bin/python -m pytest -q', 'pytest', 'python'],
    ['./env/bin/python x.py', 'python', null],
    ['.venv\\Scripts\\python.exe -m pytest', 'pytest', 'python'],
    ['/srv/app/.venv/bin/pytest', '/srv/app/.venv/bin/pytest', null],
    ['tools/env/bin/check', 'tools/env/bin/check', null],
    ['corepack pnpm exec tsc', 'tsc', 'corepack'],
    ['mise exec go@1.26 -- go test ./...', 'go', 'mise'],
    ['mise x -q node@20 npm:typescript@5 -- npx jest', 'jest', 'mise'],
    ['mise exec -- pytest', 'pytest', 'mise'],
    ['mise exec go@1.26 go test', 'mise', null],
    ['mise exec -c pytest', 'mise', null],
    ['mise exec --command pytest -- x', 'mise', null],
    ['mise run test', 'mise', null],
    ['asdf exec ruby x.rb', 'ruby', 'asdf'],
    ['asdf install ruby', 'asdf', null],
    ['direnv exec . cargo test', 'cargo', 'direnv'],
    ['direnv allow .', 'direnv', null],
    ['devenv shell -- cargo test', 'cargo', 'devenv'],
    ['devenv test', 'devenv', null],
  ])('stands behind what only starts it: %s', (line, program, runner) => {
    expect(programOf(words(line))).toMatchObject({ program, runner })
  })

  it('keeps its own arguments alone', () => {
    expect(programOf(words('npx -y jest@29 --ci a.test.js')).args).toEqual(['--ci', 'a.test.js'])
    expect(programOf(words('npx -y jest@29')).fetched).toBe(true)
    expect(programOf(words('npx jest')).fetched).toBe(false)
  })

  it('never fails on odd command lines', () => {
    for (const line of ['npx', 'npx --', 'pnpm', 'python -m', 'uv run', 'node', 'yarn exec', 'npx npx npx npx npx npx x', 'mise exec --', 'mise exec', 'asdf exec', 'direnv exec', 'direnv exec .', 'devenv shell', 'devenv shell --']) expect(programOf(words(line)).program).not.toBe('')
  })
})

describe('keys of a program', () => {
  it.each([
    ['jest', '.', ['tool:jest']],
    ['npx jest', 'packages/a', ['tool:packages/a/jest']],
    ['./.venv/bin/pytest -q', '.', ['tool:.venv/bin/pytest']],
    ['../.venv/bin/python -m pytest', 'server', ['tool:.venv/bin/python']],
    ['.venv\\Scripts\\python.exe -m pytest', 'server', ['tool:server/.venv/Scripts/python.exe']],
    ['npx jest@29', '.', ['tool:npx']],
    ['yarn jest', '.', ['tool:jest', 'tool:yarn', 'file:package.json']],
    ['python3 -m pytest', '.', ['tool:python3']],
    ['uv run pytest', '.', ['tool:uv', 'file:pyproject.toml', 'file:uv.lock']],
    ['asdf exec go test', 'a', ['tool:a/asdf', 'file:a/.tool-versions', 'file:.tool-versions']],
    ['direnv exec . ./check.sh', '.', ['tool:direnv', 'file:.envrc', 'file:check.sh']],
    ['node node_modules/.bin/jest', '.', ['tool:node', 'tool:jest']],
    ['./check.sh', 'scripts', ['file:scripts/check.sh']],
    ['../../check.sh', 'scripts', []],
    ['/home/dev/x.sh', '.', []],
  ])('say what decides which one runs: %s in %s', (line, folder, keys) => {
    expect(programKeys(commandOf(line.split(' '), { folder }))).toEqual(keys)
  })

  it('are those of a tool in the root without a folder', () => {
    expect(toolKey('.', 'npm')).toBe('tool:npm')
    expect(toolKey('packages/a', 'npm')).toBe('tool:packages/a/npm')
  })

  it('look upwards to the root, the nearest first', () => {
    expect(upwards('packages/a', ['package.json'])).toEqual(['file:packages/a/package.json', 'file:packages/package.json', 'file:package.json'])
    expect(upwards('.', ['x'])).toEqual(['file:x'])
  })

  it('hold nothing that no key can hold', () => {
    expect(namedFiles('.', ['a\u0001b.ts', `${'x'.repeat(600)}.ts`])).toEqual([])
  })
})

describe('files that arguments name', () => {
  it.each([
    [['src/a.test.ts'], ['file:p/src/a.test.ts']],
    [['tests/test_a.py::TestK::test_key'], ['file:p/tests/test_a.py']],
    [['--config=jest.unit.json'], ['file:p/jest.unit.json']],
    [['-c', 'x.toml'], ['file:p/x.toml']],
    [['<', 'input'], ['file:p/input']],
    [['--outputFile=report.json', '-o', 'out.js', '--outFile', 'b.js'], []],
    [['src', 'src/**/*.ts', 'https://example.org/a.json', '@scope/a.js', './...', 'v1.2', '-x.ts', '/etc/x.conf', '../../x.ts'], []],
  ])('are paths to files: %j', (args, keys) => {
    expect(namedFiles('p', args)).toEqual(keys)
  })
})

describe('options', () => {
  it('have a value behind them or an equals sign', () => {
    expect(optionOf(['--config', 'a'], ['--config', '-c'])).toBe('a')
    expect(optionOf(['--config=a'], ['--config', '-c'])).toBe('a')
    expect(optionOf(['-c'], ['-c'])).toBeNull()
  })

  it('are on unless they say false', () => {
    expect([['--watch'], ['--watch=true'], ['--watch=false'], ['--watchman'], []].map((args) => hasOption(args, ['--watch']))).toEqual([true, true, false, false, false])
  })

  it('ask for a version only when they stand alone', () => {
    expect([['--version'], ['-V'], ['--version', 'x'], []].map(asksVersion)).toEqual([true, true, false, false])
  })
})

describe('the name of a gate', () => {
  it.each(['test', 'test:unit', 'lint', 'build', 'typecheck', 'type-check', 'typeCheck', 'check', 'check:types', 'tsc', 'verify', 'ci', 'e2e', 'unit', 'format:check', 'build-prod'])('is %s', (name) => {
    expect(isGateName(name)).toBe(true)
  })

  it.each(['start', 'dev', 'serve', 'test:watch', 'watch', 'deploy', 'publish', 'release', 'format', 'lint:fix', 'fix', 'build:watch', 'latest', 'contest', 'test:update', 'clean', ''])('is not %s', (name) => {
    expect(isGateName(name)).toBe(false)
  })
})
