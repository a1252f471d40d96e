import { describe, expect, it } from 'vitest'
import go from '../../src/signatures/go.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const RED = `--- FAIL: TestSubtract (0.00s)
    calc_test.go:12: got 2, want 1
--- FAIL: TestTable (0.01s)
    --- FAIL: TestTable/negative (0.00s)
        calc_test.go:30: got -1, want 1
FAIL
FAIL\texample.org/calc\t0.003s
ok  \texample.org/other\t0.002s
FAIL
`
const BROKEN = `# example.org/calc
./calc.go:7:9: undefined: nope
./calc.go:9:2: x declared and not used: y
FAIL\texample.org/calc [build failed]
FAIL
`

describe('go', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['go test ./...', 'go version', 'go build']) expect(knowing(line)).toEqual(['go'])
  })

  it('rests on its module up to the root', () => {
    expect(go.knows(typed('go test ./...', 'p'))?.keys).toEqual(['tool:p/go', 'file:p/go.mod', 'file:p/go.sum', 'file:p/go.work', 'file:go.mod', 'file:go.sum', 'file:go.work'])
    expect(go.knows(typed('go vet x.go'))?.keys).toContain('file:x.go')
  })

  it.each([['go test ./...', true], ['go test -run TestX', true], ['go build ./...', true], ['go vet', true], ['go version', true], ['go mod verify', true], ['go run .', false], ['go mod tidy', false], ['go test -list .', false], ['go fmt', false]])('verifies with %s: %s', (line, verifies) => {
    expect(go.knows(typed(line))?.verifies).toBe(verifies)
  })

  it.each([
    ['passed', 'ok  \texample.org/a\t0.003s\n?   \texample.org/b\t[no test files]\n', { passed: true }],
    ['passed, cached', 'PASS\nok  \texample.org/a\t(cached)\n', { passed: true }],
    ['failed', RED, { passed: false }],
    ['not built', BROKEN, { passed: false }],
    ['no test files', '?   \texample.org/b\t[no test files]\n', null],
    ['no tests to run', 'ok  \texample.org/a\t0.003s [no tests to run]\n', null],
    ['other words last', 'ok  \texample.org/a\t0.003s\nbye\n', null],
    ['a failure before', '--- FAIL: TestX (0.00s)\nok  \texample.org/a\t0.003s\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(go.summary(output)).toEqual(summary)
  })

  it('names failed tests and the line that says why, without parents', () => {
    expect(failureOf(go, 'go test ./...', RED)).toEqual({ class: 'red', lines: ['--- FAIL: TestSubtract', 'calc_test.go:12: got 2, want 1', '--- FAIL: TestTable/negative', 'calc_test.go:30: got -1, want 1'], keys: [] })
  })

  it('says compiler errors', () => {
    expect(failureOf(go, 'go test ./...', BROKEN).lines).toEqual(['./calc.go:7:9: undefined: nope', './calc.go:9:2: x declared and not used: y', 'example.org/calc [build failed]'])
  })

  it.each([
    ['go: go.mod file not found in current directory or any parent directory; see \'go help modules\'\n', 'path-missing', ['absent:p/go.mod', 'absent:go.mod']],
    ['main.go:3:8: no required module provides package example.org/x; to add it:\n\tgo get example.org/x\n', 'dependency', ['file:p/go.mod', 'file:p/go.sum', 'file:go.mod', 'file:go.sum']],
  ])('tells classes apart', (output, kind, keys) => {
    expect(failureOf(go, 'go build', output, 1, 'p')).toMatchObject({ class: kind, keys })
  })

  it('passes over time-outs and the network', () => {
    expect(go.failure(ended('go test', 'panic: test timed out after 10m0s\n\ngoroutine 1 [running]:\nFAIL\texample.org/a\t600.0s\nFAIL\n'))).toBe('transient')
    expect(go.failure(ended('go test', '--- FAIL: TestX (0.00s)\n    a_test.go:3: dial tcp 127.0.0.1:80: connect: connection refused\nFAIL\n'))).toBe('transient')
  })

  it('finds no failure in other words', () => {
    expect(go.failure(ended('go build', 'the FAIL word\n'))).toBeNull()
  })

  it('gives one signature under another line and time', () => {
    expect(settled(failureOf(go, 'go test', RED.replaceAll(':12:', ':112:').replaceAll('0.00s', '1.50s')))).toEqual(settled(failureOf(go, 'go test', RED)))
  })
})
