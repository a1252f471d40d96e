import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/model/outcome.ts'
import { outcomesIn, readShell } from '../../src/model/shell.ts'

const PLACE = { folder: '.', root: '/code/app' }
const told = (text: string, output: string, outcome: Outcome = { is: 'success' }): Record<string, unknown> =>
  Object.fromEntries(
    outcomesIn(readShell(text, PLACE), outcome, output)
      .filter(({ command }) => command.command.argv[0] !== 'echo' && command.command.argv[0] !== 'printf')
      .map(({ command, outcome: said }) => [command.command.argv.join(' '), said.is === 'summary' ? said.passed : said.is]),
  )

describe('a status that the text itself prints', () => {
  it.each([
    ['a > log 2>&1; echo "EXIT=$?"; tail log', 'EXIT=0\nx\n', { a: true }],
    ['a > log 2>&1; echo exit=$?; grep x log', 'exit=3\nx\n', { a: false }],
    ['cd x && a -q >/tmp/b 2>&1; echo exit=$?; grep y /tmp/b | head', 'exit=0\ny\n', { 'a -q': true }],
    ['a; rc=$?; tail -5 log; echo "exit code: $rc"', 'x\nexit code: 1\n', { a: false }],
    ['a; printf "rc: %s\\n" "$?"; b', 'rc: 2\n', { a: false, b: 'success' }],
    ['a 2>&1 | tail -3; echo "exit ${PIPESTATUS[0]}"', 'x\nexit 1\n', { a: false }],
    ['a && b; echo "both: ${?}"', 'both: 0\n', { a: true, b: true }],
    ['a; echo "rc: $?"; b; echo "rc: $?"; c', 'rc: 0\nrc: 4\n', { a: true, b: false, c: 'success' }],
    ['a; echo "安装结果: $?"; b', '安装结果: 0\n', { a: true, b: 'success' }],
    ['bash -c "a" | tail -3; echo "exit ${PIPESTATUS[0]}"', 'x\nexit 0\n', { a: true }],
    ['a; rc=$?; tail -5 log | grep x; git status && ls; echo "exit: $rc"; exit $rc', 'x\nexit: 1\n', { a: false }],
    ['cd x && { a; echo "exit: $?"; }', 'exit: 1\n', { a: false }],
    ['a; echo "exit: $?"; b', 'exit: 143\n', { a: 'transient', b: 'success' }],
  ])('is that of the command before it: %s', (text, output, expected) => {
    expect(told(text, output)).toMatchObject(expected)
  })

  it.each([
    ["a pipe's status is its last command's", 'a | tail -3; echo "exit: $?"; b', 'exit: 0\n'],
    ['a list whose failure is caught', 'a || true; echo "exit: $?"; b', 'exit: 0\n'],
    ['a command that goes on behind', 'a & echo "exit: $?"; b', 'exit: 0\n'],
    ['a line that somebody else prints too', 'a; echo "exit: $?"; cat old.log', 'exit: 0\nexit: 1\n'],
    ['a line that is not there', 'a; echo "exit: $?"; b', 'done\n'],
    ['a number without a word', 'a; echo $?; b', '0\n'],
    ['a line that goes into a file', 'a; echo "exit: $?" >> log; cat log', 'exit: 0\n'],
    ['a loop', 'for x in 1 2; do a; echo "exit: $?"; done; b', 'exit: 0\n'],
    ['a line that a loop prints as well', 'a; echo "exit: $?"; for x in 1; do b; echo "exit: $?"; done', 'exit: 0\n'],
    ['a variable that was set anew', 'a; rc=$?; rc=0; echo "exit: $rc"; b', 'exit: 0\n'],
    ['words that the shell works out', 'a; echo "$(date) exit: $?"; b', 'exit: 0\n'],
    ['a shell that has no such list', 'a | tail; echo "exit=${PIPESTATUS[0]}"', 'exit=\n'],
    ['a group whose output goes into a file', '{ a; echo "exit: $?"; } > new.log; cat old.log', 'exit: 0\n'],
    ['a text that works out a word', 'x=$(a; echo "exit: $?"); cat old.log', 'exit: 0\n'],
    ['a shell whose output goes into a file', 'exec > new.log; a; echo "exit: $?"; cat old.log >&2', 'exit: 0\n'],
    ['a list that is passed over at times', 'test -f x && { a; echo "exit: $?"; }; cat old.log', 'exit: 0\n'],
    ['a text that may have ended before', 'cat old.log; test -f x || exit 1; a; echo "exit: $?"', 'exit: 0\n'],
    ['another shell in a pipe, whose last word it is not', 'bash -c "a; true" | tail -3; echo "exit ${PIPESTATUS[0]}"; b', 'exit 0\n'],
    ['an echo of its own', 'echo() { printf "exit: 0\\n"; }; a; echo "exit: $?"; b', 'exit: 0\n'],
    ...[
      'if grep -q x log; then rc=0; fi', '[ $rc -eq 2 ] && rc=0', 'read rc < f', 'export rc=0', '((rc=0))', 'for rc in 0; do :; done', 'eval "rc=0"',
      'unset rc', 'printf -v rc 0', ': $((rc=0))', 'rc=0 :', 'rc+=0', 'true | { rc=0; }', 'case x in x) rc=0;; esac',
    ].map((sets) => [`a variable that was set anew by ${sets}`, `a; rc=$?; ${sets}; echo "exit: $rc"; b`, 'exit: 0\n']),
    ['the second member of a pipe', 'x | a; echo "exit ${PIPESTATUS[0]}"; b', 'exit 0\n'],
  ])('proves nothing where it is that of %s', (_, text, output) => {
    expect(told(text, output).a).toBe('unknown')
  })

  it('is not believed where the text may have ended before it', () => {
    expect(told('set -e; cat old.log; a; echo "exit: $?"', 'exit: 0\n', { is: 'failure' }).a).toBe('unknown')
  })

  it('is not believed of what was interrupted', () => {
    expect(told('a; echo "exit: $?"; b', 'exit: 0\n', { is: 'transient' })).toEqual({ a: 'unknown', b: 'unknown' })
  })
})
