import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../../src/base/canonical.ts'
import reads from '../../../src/probes/reads.ts'
import { type Ground, ground, valueOf } from '../ground.ts'

const JS = { '.gitignore': 'node_modules\n', 'package.json': '{}', 'src/far.js': 'exports.n = 1\n', 'src/near.js': "exports.n = require('./far.js').n\n", 'test/a.test.js': "const { n } = require('../src/near.js')\n", 'test/hook.js': '' }
const GO = { 'go.mod': 'module x\n', 'near/near.go': 'package near\n', 'far/far.go': 'package far\n', 'near/near_test.go': 'package near\n' }

/** A repository in which the runners are installed as npm does it, and a go that is no go. */
function project(files: Readonly<Record<string, string>>): { made: Ground; env: Record<string, string> } {
  const made = ground(files)
  mkdirSync(join(made.top, 'node_modules/.bin'), { recursive: true })
  for (const name of ['jest', 'mocha', 'vitest']) {
    made.write(`node_modules/${name}/package.json`, `{"name":"${name}","version":"1.0.0","bin":"cli.js"}`)
    made.write(`node_modules/${name}/cli.js`, '#!/usr/bin/env node\nrequire("./run.js")\n', 0o755)
    made.write(`node_modules/${name}/run.js`, 'for (const path of process.argv.slice(2)) require(path)\n')
    symlinkSync(`../${name}/cli.js`, join(made.top, 'node_modules/.bin', name))
  }
  const bin = join(made.home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'go'), '#!/bin/sh\necho go version go1.22.0 linux/amd64\n', { mode: 0o755 })
  return { made, env: { PATH: `${bin}:${process.env.PATH}` } }
}

describe('what a runner of tests reads', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ...['npx vitest run test/a.test.js', 'vitest run a', 'npx jest test/a.test.js', 'jest -t two', 'npx --no-install jest a', 'npx mocha test/a.test.js', 'mocha -r ./test/hook.js test/a.test.js'].map(
      (command): [string, Readonly<Record<string, string>>, readonly string[]] => [command, JS, ['src/far.js', 'src/near.js', 'test/a.test.js']],
    ),
    ['mocha --require ./test/hook.js', JS, ['test/hook.js']],
    ['node --test test/a.test.js', JS, ['src/far.js', 'src/near.js', 'test/a.test.js']],
    ['go test ./near', GO, ['near/near.go', 'near/near_test.go', 'far/far.go', 'go.mod']],
    ['go test -run TestNear ./...', GO, ['near/near.go', 'far/far.go']],
  ])('is the sources that its tests reach: %s', async (command, files, paths) => {
    const { made, env } = project(files)
    const value = () => valueOf(reads, canonical(['.', ...command.split(' ')]), made.world({ env }))
    const before = await value()
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    for (const path of paths) {
      made.write(path, `${(files as Record<string, string>)[path]}\n`)
      expect(await value(), path).not.toBe(before)
      made.write(path, (files as Record<string, string>)[path] as string)
      expect(await value(), path).toBe(before)
    }
  })
})
