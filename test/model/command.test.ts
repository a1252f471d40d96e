import { describe, expect, it } from 'vitest'
import { CanonicalCommand, commandKey, commandOf, isOutside, shown } from '../../src/model/command.ts'

describe('a canonical command', () => {
  it('has every field, and its environment sorted', () => {
    expect(commandOf(['x'])).toEqual({ folder: '.', env: [], argv: ['x'], where: 'here', privilege: 'user' })
    expect(commandOf(['x'], { env: [['b', '1'], ['B', '2'], ['a', '3']] }).env).toEqual([['B', '2'], ['a', '3'], ['b', '1']])
  })

  it('leaves the list that it was made from as it is', () => {
    const env: [string, string][] = [['b', '1'], ['a', '2']]
    commandOf(['x'], { env })
    expect(env).toEqual([['b', '1'], ['a', '2']])
  })

  it('is equal by its content, whatever the order of its fields', () => {
    expect(commandKey({ privilege: 'user', where: 'here', argv: ['x'], env: [], folder: '.' })).toBe(commandKey(commandOf(['x'])))
  })

  it.each([
    ['folder', { folder: 'a' }],
    ['env', { env: [['A', '1']] as [string, string][] }],
    ['where', { where: 'container:web' }],
    ['privilege', { privilege: 'root' as const }],
  ])('is another with another %s', (_, more) => {
    expect(commandKey(commandOf(['x'], more))).not.toBe(commandKey(commandOf(['x'])))
  })

  it.each([
    ['no word', { ...commandOf(['x']), argv: [] }],
    ['a place without a name', { ...commandOf(['x']), where: 'container:' }],
    ['a place of another kind', { ...commandOf(['x']), where: 'cloud:x' }],
    ['another privilege', { ...commandOf(['x']), privilege: 'admin' }],
    ['a field more', { ...commandOf(['x']), shell: 'bash' }],
    ['text without UTF-8', commandOf(['\ud800'])],
  ])('is refused with %s', (_, command) => {
    expect(CanonicalCommand.safeParse(command).success).toBe(false)
  })
})

describe('a command for a person', () => {
  it.each([
    ['npm test', commandOf(['npm', 'test'])],
    ["echo 'a b' '' 'it'\\''s'", commandOf(['echo', 'a b', '', "it's"])],
    ["A=1 B='x y' npm test", commandOf(['npm', 'test'], { env: [['A', '1'], ['B', 'x y']] })],
    ['env a-b=1 x', commandOf(['x'], { env: [['a-b', '1']] })],
    ['sudo A=1 x', commandOf(['x'], { privilege: 'root', env: [['A', '1']] })],
    ['docker exec web x y', commandOf(['x', 'y'], { where: 'container:web' })],
    ['docker exec -u root -e A=1 web x', commandOf(['x'], { where: 'container:web', privilege: 'root', env: [['A', '1']] })],
    ['ssh h x', commandOf(['x'], { where: 'host:h' })],
    ["ssh h 'ls -l'", commandOf(['ls', '-l'], { where: 'host:h' })],
    ["ssh h 'ls '\\''a b'\\'''", commandOf(['ls', 'a b'], { where: 'host:h' })],
    ['x < in.txt', commandOf(['x', '<', 'in.txt'])],
    ["x < 'a b'", commandOf(['x', '<', 'a b'])],
    ["x '<'", commandOf(['x', '<'])],
    ["'<' x", commandOf(['<', 'x'])],
    ["'A=1' x", commandOf(['A=1', 'x'])],
    ["'if' x", commandOf(['if', 'x'])],
    ["'sudo' x", commandOf(['sudo', 'x'])],
    ["'docker' exec web x", commandOf(['docker', 'exec', 'web', 'x'])],
    ['docker build .', commandOf(['docker', 'build', '.'])],
    ["'ssh' h x", commandOf(['ssh', 'h', 'x'])],
  ])('%s', (text, command) => {
    expect(shown(command)).toBe(text)
  })
})

describe('a folder', () => {
  it.each([
    ['.', false],
    ['a/b', false],
    ['..a', false],
    ['a/..b', false],
    ['..', true],
    ['../a', true],
    ['/a', true],
    ['C:/a', true],
    ['c:/a', true],
    ['C:a', false],
  ])('%s outside the repository: %s', (folder, outside) => {
    expect(isOutside(folder)).toBe(outside)
  })
})
