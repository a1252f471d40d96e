import { describe, expect, it } from 'vitest'
import { sqlFile, sqlWrite } from '../../src/model/sql.ts'

describe('SQL', () => {
  it.each([
    ["INSERT INTO users VALUES (1, 'a;b')", 'harmful', 'INSERT users'],
    ['insert or replace into "app"."users" values (1)', 'harmful', 'INSERT app.users'],
    ['UPDATE users SET n = n + 1', 'harmful', 'UPDATE users'],
    ['DELETE FROM users', 'convergent', 'DELETE users'],
    ['DROP TABLE IF EXISTS users', 'convergent', 'DROP users'],
    ['CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON t (a)', 'convergent', 'CREATE i'],
    ['ALTER TABLE users ADD c int', 'convergent', 'ALTER users'],
    ['TRUNCATE users', 'convergent', 'TRUNCATE users'],
    ['GRANT SELECT ON users TO r', 'convergent', 'GRANT select'],
    ['SELECT 1; DELETE FROM users;', 'convergent', 'DELETE users'],
    ['WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x', 'harmful', 'INSERT'],
    ['EXPLAIN ANALYZE UPDATE t SET a = 1', 'harmful', 'EXPLAIN'],
    ['\\copy t from x.csv', 'harmful', '\\COPY t'],
    ['-- a comment\nDROP TABLE t', 'convergent', 'DROP t'],
    ['BEGIN; DELETE FROM t; COMMIT', 'convergent', 'DELETE t'],
  ])('%s writes', (text, repeat, start) => {
    const write = sqlWrite(text)
    expect(write?.repeat).toBe(repeat)
    expect(write?.identifier).toMatch(new RegExp(`^${start.replaceAll('\\', '\\\\').replaceAll('.', '\\.')} sha256:[0-9a-f]{64}$`))
  })

  it.each([
    'SELECT * FROM users', "SELECT 'DELETE FROM users'", '-- DROP TABLE users\nSELECT 1', '/* INSERT */ SELECT 1', 'EXPLAIN DELETE FROM users', 'SHOW TABLES', '\\d users', 'COPY t TO STDOUT',
    'CREATE TEMP TABLE t (a int)', 'BEGIN; DELETE FROM users; ROLLBACK;', 'WITH x AS (SELECT 1) SELECT * FROM x', 'PRAGMA table_info(x)', 'SET search_path TO x', '', ';;',
  ])('%s only reads', (text) => {
    expect(sqlWrite(text)).toBeNull()
  })

  it('of a file or of words that the shell works out is not told', () => {
    expect(sqlFile('seed.sql')).toEqual({ repeat: 'harmful', identifier: '@seed.sql', state_hash: null })
    expect(sqlWrite('DELETE FROM users WHERE id = $ID')).toEqual({ repeat: 'convergent', identifier: null, state_hash: null })
  })

  it('keeps no word of what it writes but the verb and the object', () => {
    expect(JSON.stringify(sqlWrite("ALTER USER app PASSWORD 'hunter2pass'"))).not.toContain('hunter2pass')
  })
})
