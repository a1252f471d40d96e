import { describe, expect, it } from 'vitest'
import cargo from '../../src/signatures/cargo.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const RED = `   Compiling app v0.1.0 (/repo)
    Finished \`test\` profile [unoptimized + debuginfo] target(s) in 0.86s
     Running unittests src/lib.rs (target/debug/deps/app-71ce70495b798487)

running 3 tests
test tests::adds ... ok
test tests::subs ... FAILED
test tests::unw ... FAILED

failures:

---- tests::subs stdout ----

thread 'tests::subs' (9813) panicked at src/lib.rs:5:22:
assertion \`left == right\` failed: sum is off
  left: 2
 right: 3
stack backtrace:
   0: __rustc::rust_begin_unwind
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.

---- tests::unw stdout ----

thread 'tests::unw' panicked at 'called \`Option::unwrap()\` on a \`None\` value', src/lib.rs:6:50


failures:
    tests::subs
    tests::unw

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.16s

error: test failed, to rerun pass \`--lib\`
`
const GREEN = `    Finished \`test\` profile [unoptimized + debuginfo] target(s) in 0.18s
     Running unittests src/lib.rs (target/debug/deps/app-71ce70495b798487)

running 3 tests
test tests::adds ... ok

test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests app

running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

`
const UNCOMPILED = `    Checking app v0.1.0 (/repo)
error[E0308]: mismatched types
 --> src/lib.rs:8:23
  |
8 | pub fn bad() -> i32 { "x" }
  |                 ---   ^^^ expected \`i32\`, found \`&str\`

error[E0425]: cannot find function \`nope\` in this scope
 --> src/lib.rs:9:17

error: unused variable: \`x\`
  --> src/main.rs:3:5

Some errors have detailed explanations: E0308, E0425.
For more information about an error, try \`rustc --explain E0308\`.
error: could not compile \`app\` (lib) due to 2 previous errors
`
const result = (words: string) => `running 1 test\ntest result: ${words}; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n`

describe('cargo', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['cargo test', 'cargo +nightly build', 'cargo --version']) expect(knowing(line)).toEqual(['cargo'])
  })

  it('rests on its manifests up to the root, its lockfile and the compiler', () => {
    expect(cargo.knows(typed('cargo test', 'p'))?.keys).toEqual(expect.arrayContaining(['tool:p/cargo', 'tool:p/rustc', 'file:p/Cargo.toml', 'file:Cargo.toml', 'file:Cargo.lock', 'file:rust-toolchain.toml']))
  })

  it.each([
    ['cargo test', true], ['cargo t --release', true], ['cargo build', true], ['cargo check', true], ['cargo clippy -- -D warnings', true], ['cargo fmt --check', true], ['cargo fmt --all -- --check', true],
    ['cargo +nightly test', true], ['cargo nextest run', true], ['cargo --version', true],
    ['cargo fmt', false], ['cargo clippy --fix', false], ['cargo run', false], ['cargo install x', false], ['cargo test --no-run', false], ['cargo publish', false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(cargo.knows(typed(line))?.verifies).toBe(verifies)
  })

  it.each([
    ['passed', GREEN, { passed: true }],
    ['built', '    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.01s\n', { passed: true }],
    ['failed', RED, { passed: false }],
    ['failed, and others after it', `${RED}${result('ok. 1 passed; 0 failed')}`, { passed: false }],
    ['failed long ago in the same run', `${result('FAILED. 0 passed; 1 failed')}${'x\n'.repeat(60)}${result('ok. 1 passed; 0 failed')}`, { passed: false }],
    ['not compiled', UNCOMPILED, { passed: false }],
    ['nothing ran', result('ok. 0 passed; 0 failed'), null],
    ['still running', `${result('ok. 1 passed; 0 failed')}running 3 tests\ntest a ... ok\n`, null],
    ['quoted long before the end', result('ok. 1 passed; 0 failed') + 'x\n'.repeat(60), null],
    ['about to run', '    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.18s\n     Running unittests src/lib.rs (x)\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(cargo.summary(output)).toEqual(summary)
  })

  it('names failed tests and their panics, in the old form too', () => {
    expect(failureOf(cargo, 'cargo test', RED, 101)).toEqual({
      class: 'red',
      lines: ['test tests::subs ... FAILED', 'assertion `left == right` failed: sum is off left: 2 right: 3', 'test tests::unw ... FAILED', 'called `Option::unwrap()` on a `None` value'],
      keys: [],
    })
  })

  it('says each compiler error with its file', () => {
    expect(failureOf(cargo, 'cargo check', UNCOMPILED, 101)).toMatchObject({
      class: 'red',
      lines: ['error[E0308]: mismatched types --> src/lib.rs: expected `i32`, found `&str`', 'error[E0425]: cannot find function `nope` in this scope --> src/lib.rs', 'error: unused variable: `x` --> src/main.rs'],
    })
  })

  it.each([
    ['cargo build', 'error: could not find `Cargo.toml` in `/repo/p` or any parent directory\n', 'path-missing', ['absent:p/Cargo.toml', 'absent:Cargo.toml']],
    ['cargo build', 'error: no matching package named `nopecrate` found\nrequired by package `app v0.1.0 (/repo)`\n', 'dependency', ['file:p/Cargo.toml', 'file:p/Cargo.lock', 'file:Cargo.toml', 'file:Cargo.lock', 'tool:p/rustc']],
    ['cargo test --test nope', 'error: no test target named `nope` in default-run packages\n', 'red', []],
    ['cargo fmt --check', 'Diff in /repo/src/lib.rs:1:\n-a\n+b\n', 'red', []],
  ])('tells classes apart: %s', (line, output, kind, keys) => {
    expect(failureOf(cargo, line, output, 101, 'p')).toMatchObject({ class: kind, keys })
  })

  it('does not take for its own what another program calls an error', () => {
    const output = "error: cannot pull with rebase: You have unstaged changes.\n"
    expect(cargo.failure(ended('make release', output))).toBeNull()
    expect(cargo.failure(ended('make release', `   Compiling app v0.1.0\n${output}`))).toMatchObject({ class: 'red' })
  })

  it('leaves unknown options and commands to the fallback', () => {
    expect(cargo.failure(ended('cargo test --foo', "error: unexpected argument '--foo' found\n\nUsage: cargo test\n"))).toBeNull()
    expect(cargo.failure(ended('cargo foo', 'error: no such command: `foo`\n', 101))).toBeNull()
  })

  it('says nothing of a package that was looked for without the network', () => {
    expect(cargo.failure(ended('cargo build', "error: no matching package named `x` found\nAs a reminder, you're using offline mode (--offline)\n", 101))).toBeNull()
    expect(cargo.failure(ended('cargo build', 'error: failed to get `x` as a dependency\n\nCaused by:\n  [6] Could not resolve hostname\n', 101))).not.toMatchObject({ class: 'red' })
  })

  it('gives one signature under another line, thread and time', () => {
    const again = RED.replaceAll('(9813)', '(1)').replaceAll('src/lib.rs:5:22', 'src/lib.rs:50:2').replace('0.16s', '3.00s')
    expect(settled(failureOf(cargo, 'cargo test', again))).toEqual(settled(failureOf(cargo, 'cargo test', RED)))
  })
})
