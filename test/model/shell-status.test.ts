import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { outcomesIn, readShell } from '../../src/model/shell.ts'

/** Scripts whose commands are `t NAME STATUS`: each notes that it ran, and ends with that status. */
const scripts = fc.letrec<{ script: string }>((tie) => {
  const command = fc.constantFrom('t @ 0', 't @ 0', 't @ 1', 't @ 3')
  const inner = tie('script')
  const of = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
    fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(''))
  return {
    script: fc.oneof(
      { maxDepth: 3, depthSize: 'large' },
      command,
      of(inner, ' && ', inner),
      of(inner, ' || ', inner),
      of(inner, '; ', inner),
      of('( ', inner, ' )'),
      of('{ ', inner, '; }'),
      of('! { ', inner, '; }'),
      of('{ ', inner, '; } | tail -20'),
      of('{ ', inner, '; } | ', command),
      of('t @ 0 | { ', inner, '; }'),
      of(inner, ' || true'),
      of(inner, ' || exit', fc.constantFrom('', ' 0', ' 3')),
      of(inner, ' && exit', fc.constantFrom('', ' 0', ' 2')),
      of(inner, ' || { ', command, '; exit 4; }'),
      of('{ ', inner, '; exit $?; }'),
      of('set -e; ', inner, '; ', inner),
      of('set -e && ', inner),
      of(inner, ' || set -e; ', inner),
      of('f() { ', inner, '; }; f; ', inner),
      of("eval '", command, "; set -e'; ", inner, '; ', command),
      of('if ', inner, '; then ', inner, '; fi'),
      of('cd / && ', inner),
      of('exec ', command),
    ),
  }
}).script

it('says of no command what a real shell gives the lie to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remnant-shell-'))
  try {
    writeFileSync(join(folder, 't'), '#!/bin/sh\necho "$1 $2" >> "$RAN"\nexit "$2"\n')
    chmodSync(join(folder, 't'), 0o755)
    const texts = fc.sample(scripts, { numRuns: 600, seed: 20_260_601 }).map((text) => {
      let count = 0
      return text.replaceAll('@', () => `c${(count += 1)}`)
    })
    const each = 'i=0; for script; do i=$((i + 1)); : > "$D/$i"; RAN="$D/$i" sh -c "$script" > /dev/null 2>&1; echo "$?"; done'
    const env = { ...process.env, D: folder, PATH: `${folder}:${process.env['PATH']}` }
    const statuses = execFileSync('sh', ['-c', each, 'sh', ...texts], { env, encoding: 'utf8' }).trim().split('\n').map(Number)
    let told = 0
    for (const [i, text] of texts.entries()) {
      const ran = readFileSync(join(folder, `${i + 1}`), 'utf8').split('\n').filter((line) => line !== '')
      const reading = readShell(text, { folder: '.', root: null })
      const listed = reading.commands.map(({ command }) => command.argv[1])
      expect(ran.filter((line) => !listed.includes(line.split(' ')[0])), text).toEqual([])
      for (const { command, outcome } of outcomesIn(reading, { is: 'code', code: statuses[i] as number })) {
        if (command.command.argv[0] !== 't' || outcome.is === 'unknown') continue
        const [, name, status] = command.command.argv
        const claimed = outcome.is === 'code' ? String(outcome.code) : outcome.is === 'success' ? '0' : status === '0' ? 'another' : status
        expect(ran.filter((line) => line.startsWith(`${name} `)), `${name} in ${text}`).toEqual([`${name} ${claimed}`])
        told += 1
      }
    }
    expect(told).toBeGreaterThan(250)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
