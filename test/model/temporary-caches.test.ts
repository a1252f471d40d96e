import { describe, expect, it } from 'vitest'
import { commandKey, commandOf, commandText, shown } from '../../src/model/command.ts'
import { sameKey, sameText, sameTextOf, withoutCaches } from '../../src/model/temporary-caches.ts'

describe('a command without its temporary caches', () => {
  it.each<[string, Record<string, string>, string, string]>([
    ['ruff check --cache-dir /tmp/a src', {}, 'ruff check src', ''],
    ['ruff check --cache-dir=/var/folders/x/y src', {}, 'ruff check src', ''],
    ['python3 -m mypy --cache-dir /tmp/a pkg', {}, 'python3 -m mypy pkg', ''],
    ['npx eslint --cache --cache-location /tmp/a/b .', {}, 'npx eslint --cache .', ''],
    ['npx jest --cacheDirectory=/private/tmp/j test/a.js', {}, 'npx jest test/a.js', ''],
    ['pytest -q -o cache_dir=/tmp/p tests', {}, 'pytest -q tests', ''],
    ['python3 -m pytest --override-ini=cache_dir=/tmp/p tests', {}, 'python3 -m pytest tests', ''],
    ['cargo test --target-dir /tmp/t --lib', {}, 'cargo test --lib', ''],
    ['npm --cache /tmp/n test', {}, 'npm test', ''],
    ['cargo test', { CARGO_TARGET_DIR: '/tmp/t', RUST_LOG: '/tmp/x' }, 'cargo test', 'RUST_LOG'],
    ['go test ./...', { GOCACHE: '/tmp/g', RUFF_CACHE_DIR: '/var/tmp/r' }, 'go test ./...', ''],
    // Where it lasts, or is what is checked, it counts.
    ['ruff check --cache-dir .ruff src', {}, 'ruff check --cache-dir .ruff src', ''],
    ['cargo test', { CARGO_TARGET_DIR: 'build' }, 'cargo test', 'CARGO_TARGET_DIR'],
    ['./check-cache --cache-dir /tmp/a', {}, './check-cache --cache-dir /tmp/a', ''],
    ['pytest -o log_file=/tmp/p tests', {}, 'pytest -o log_file=/tmp/p tests', ''],
    ['pytest /tmp/p/tests', {}, 'pytest /tmp/p/tests', ''],
    ['cargo run -- --target-dir /tmp/t', {}, 'cargo run -- --target-dir /tmp/t', ''],
    ['ruff check /tmp/a', {}, 'ruff check /tmp/a', ''],
  ])('%s is %s', (line, env, argv, names) => {
    const command = commandOf(line.split(' '), { env: Object.entries(env) })
    const bare = withoutCaches(command)
    expect([bare.argv.join(' '), bare.env.map(([name]) => name).join(' ')]).toEqual([argv, names])
    expect(sameKey(command)).toBe(commandKey(bare))
    expect(sameTextOf(commandText(command))).toBe(sameText(command))
    expect(sameTextOf(commandText(bare))).toBe(commandText(bare))
    expect(withoutCaches(bare)).toBe(bare)
    expect(shown(bare)).not.toBe('')
  })
})
