import { describe, expect, it } from 'vitest'
import { isClosed, isGrounded } from '../../src/guard/closed.ts'
import type { DeadEnd } from '../../src/guard/entry.ts'
import type { Key } from '../../src/model/key.ts'

const end = (line: string, signature: string, keys: readonly Key[] = ['tool:x'], of: DeadEnd['class'] = 'usage'): DeadEnd => ({
  is: 'dead-end', claim_id: 'a', digest: 'b', rank: 'own', class: of, signature, until: [],
  command: JSON.stringify(['.', [], line.split(' '), 'here', 'user']),
  grounds: keys.map((key) => ({ key, sealed: '', value: null, stamp: null })),
})

describe('a refused word', () => {
  it.each<[string, string, readonly Key[], boolean, boolean]>([
    ['git status --tpyo', "error: unknown option `tpyo'", ['tool:git'], true, true],
    ['cc --tpyo -c a.c', 'cc: error: unrecognized command-line option ‘--tpyo’', ['tool:cc'], true, true],
    ['node --tpyo ok.js', 'node: bad option: --tpyo', ['tool:node'], true, true],
    ['python3 --tpyo app.py', 'unknown option --tpyo', ['tool:python3'], true, true],
    ['python3 args.py --no', 'args.py: error: unrecognized arguments: --no', ['tool:python3'], false, true],
    ['python3 args.py --no', 'args.py: error: unrecognized arguments: --no', ['tool:python3', 'tree:.'], true, true],
    ['python3 -m pip frobnicate', 'ERROR: unknown command "frobnicate"', ['tool:python3'], false, false],
    ['./opts.sh --no', 'opts.sh: unknown option: --no', ['tool:sh'], false, true],
    ['npm run biuld', 'npm error Missing script: "biuld"', ['tool:npm', 'file:package.json'], true, true],
    ['npm run biuld', 'npm error Missing script: "biuld"', ['tool:npm'], true, false],
    ['npm frobnicate', 'Unknown command: "frobnicate"', ['tool:npm'], true, true],
    ['git psuh', "git: 'psuh' is not a git command. See 'git --help'.", ['tool:git'], true, false],
    ['make tset', "make: *** No rule to make target 'tset'. Stop.", ['tool:make', 'file:Makefile'], true, false],
    ['pytest --mine', 'pytest: error: unrecognized arguments: --mine', ['tool:pytest'], false, false],
  ])('of `%s` (%s, on %j): its grounds show how it ends: %s; its tool alone decides: %s', (line, signature, keys, grounded, closed) => {
    expect(isGrounded(end(line, signature, keys))).toBe(grounded)
    if (grounded) expect(isClosed(end(line, signature, keys))).toBe(closed)
  })

  it.each<[string, DeadEnd['class'], readonly Key[], boolean]>([
    ['jest --ci', 'program-missing', ['absent-tool:jest'], true],
    ['./x.sh', 'program-missing', ['absent-tool:y'], false],
    ['make check', 'program-missing', ['absent-tool:y', 'file:Makefile'], false],
    ['make check', 'program-missing', ['absent-tool:y', 'reads:[".","make","check"]'], true],
    ['npm test', 'dependency', ['absent:node_modules/left-padd', 'file:package.json'], false],
    ['npm test', 'dependency', ['absent:node_modules/left-padd', 'tree:.'], true],
    ['npm ci', 'dependency', ['tool:npm', 'file:package-lock.json'], true],
    ['node x.js', 'dependency', ['absent:node_modules/left-padd'], false],
    ['node x.js', 'path-missing', ['absent:conf.json'], false],
    ['tidy -config no.conf', 'path-missing', ['absent:no.conf'], true],
  ])('of `%s` (%s, on %j) is judged only where its sources were looked at, or do not matter: %s', (line, of, keys, grounded) => {
    expect(isGrounded(end(line, 'words', keys, of))).toBe(grounded)
  })
})
