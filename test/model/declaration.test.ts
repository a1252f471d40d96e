import { describe, expect, it } from 'vitest'
import { isOurs, readDeclaration, readEffect } from '../../src/model/declaration.ts'
import { readShell } from '../../src/model/shell.ts'

const declared = (more: object = {}): object => ({ statement: 'S', by: null, effect: null, gate: null, root_cause: false, ...more })
const effect = { verb: 'use', kind: 'command', value: 'npm test' }

describe('a declaration', () => {
  it.each<[readonly string[], object | null]>([
    [['git', 'remnant', 'claim', 'S'], declared()],
    [['git-remnant', 'claim', 'S'], declared()],
    [['/usr/local/bin/git-remnant', 'claim', 'S'], declared()],
    [['npx', 'git-remnant', 'claim', 'S'], declared()],
    [['git', '-C', 'a', 'remnant', 'claim', 'S'], declared()],
    [['git', 'remnant', 'claim', '--by', 'npm test', 'S'], declared({ by: 'npm test' })],
    [['git', 'remnant', 'claim', 'S', '--by=npm test'], declared({ by: 'npm test' })],
    [['git', 'remnant', 'claim', 'S', '--gate', 'npm test', '--root-cause'], declared({ gate: 'npm test', root_cause: true })],
    [['git', 'remnant', 'claim', 'S', '--effect', 'use command npm test'], declared({ effect })],
    [['git', 'remnant', 'claim', 'S', '--effect=use:command:npm test'], declared({ effect })],
    [['git', 'remnant', 'claim', 'S', '--json'], declared()],
    [['git', 'remnant', 'claim', '--', '--by'], declared({ statement: '--by' })],
    [['git', 'remnant', 'claim', '--root-cause', '--', 'S'], declared({ root_cause: true })],
    [['git', 'remnant', 'claim', 'S', '--by', '-x'], declared({ by: '-x' })],
    [['git', 'remnant', 'claim'], null],
    [['git', 'remnant', 'claim', ' '], null],
    [['git', 'remnant', 'claim', 'S', 'T'], null],
    [['git', 'remnant', 'claim', 'S', '--by'], null],
    [['git', 'remnant', 'claim', 'S', '--by='], null],
    [['git', 'remnant', 'claim', 'S', '--by', '--gate', 'x'], null],
    [['git', 'remnant', 'claim', 'S', '--by', 'a', '--by', 'b'], null],
    [['git', 'remnant', 'claim', 'S', '--root-cause=yes'], null],
    [['git', 'remnant', 'claim', 'S', '--odd'], null],
    [['git', 'remnant', 'claim', 'S', '-b', 'x'], null],
    [['git', 'remnant', 'claim', 'S', '--effect', 'use'], null],
    [['git', 'remnant', 'claim', 'S', '--effect', 'want command x'], null],
    [['git', 'remnant', 'claims', 'S'], null],
    [['git', 'claim', 'S'], null],
    [['echo', 'git', 'remnant', 'claim', 'S'], null],
    [[], null],
  ])('%j', (argv, expected) => {
    expect(readDeclaration(argv)).toEqual(expected)
  })

  it('is read from the shell text of the call', () => {
    const [call] = readShell(`cd a && git remnant claim "The port is \\"5433\\"" --by 'npm test'`, { folder: '.', root: null }).commands
    expect(readDeclaration(call?.command.argv ?? [])).toEqual(declared({ statement: 'The port is "5433"', by: 'npm test' }))
  })
})

describe('an effect', () => {
  it.each([
    ['use command npm test', effect],
    ['use:command:npm test', effect],
    [' use  command  npm test ', effect],
    ['avoid path src/a:b', { verb: 'avoid', kind: 'path', value: 'src/a:b' }],
    ['require:key:tool:npm', { verb: 'require', kind: 'key', value: 'tool:npm' }],
    ['use tool jq', { verb: 'use', kind: 'tool', value: 'jq' }],
    ['use interface api', { verb: 'use', kind: 'interface', value: 'api' }],
    ['use command', null],
    ['use command ', null],
    ['use commands x', null],
    ['USE command x', null],
    ['', null],
    [`use command ${'x'.repeat(501)}`, null],
    ['use command \ud800', null],
  ])('%j', (text, expected) => {
    expect(readEffect(text)).toEqual(expected)
  })
})

describe('a command of ours', () => {
  it.each<[readonly string[], boolean]>([
    [['git', 'remnant', 'brief'], true],
    [['git', 'remnant'], true],
    [['git-remnant', 'list'], true],
    [['git', '-C', 'x', '-c', 'a=b', '--no-pager', 'remnant', 'list'], true],
    [['/usr/bin/git', 'remnant'], true],
    [['git.exe', 'remnant'], true],
    [['npx', '-y', 'git-remnant@latest', 'list'], true],
    [['node_modules/.bin/git-remnant', 'list'], true],
    [['git', 'status'], false],
    [['git', 'status', 'remnant'], false],
    [['git', '-C', 'remnant', 'status'], false],
    [['npx', 'jest', 'git-remnant'], false],
    [['echo', 'git-remnant'], false],
    [['git'], false],
    [[], false],
  ])('%j', (argv, expected) => {
    expect(isOurs(argv)).toBe(expected)
  })
})
