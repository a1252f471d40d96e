import { sha256 } from '../../src/base/digest.ts'
import sqlite from '../../src/mutations/sqlite.ts'
import { mutationSuite } from './table.ts'

const SQL = 'INSERT INTO t VALUES (1)'
const ID = `INSERT t sha256:${sha256(SQL)}`

mutationSuite(sqlite, {
  means: [
    [`sqlite3 dev.db '${SQL}'`, 'harmful', 'machine sqlite:dev.db', ID],
    [`cd data && sqlite3 dev.db '${SQL}'`, 'harmful', 'machine sqlite:data/dev.db', ID],
    ["sqlite3 -batch dev.db 'DROP TABLE t'", 'convergent', 'machine sqlite:dev.db', `DROP t sha256:${sha256('DROP TABLE t')}`],
    ['sqlite3 dev.db < seed.sql', 'harmful', 'machine sqlite:dev.db', '@seed.sql'],
    ["sqlite3 dev.db '.read seed.sql'", 'harmful', 'machine sqlite:dev.db', '@seed.sql'],
    [`sqlite3 /var/lib/app.db '${SQL}'`, 'harmful', 'machine sqlite:/var/lib/app.db', ID],
  ],
  not: ["sqlite3 dev.db 'SELECT 1'", "sqlite3 dev.db '.tables'", 'sqlite3 dev.db', `sqlite3 :memory: '${SQL}'`, `sqlite3 /tmp/x.db '${SQL}'`, `sqlite3 -readonly dev.db '${SQL}'`, 'sqlite3 --version', "sqlite3 dev.db 'PRAGMA table_info(t)'", "sqlite3 dev.db '.schema'", `sqlitebrowser dev.db '${SQL}'`],
  done: [
    [`sqlite3 dev.db '${SQL}'`, '', 'machine sqlite:dev.db', ID, sha256(SQL)],
    ['sqlite3 dev.db < seed.sql', '', 'machine sqlite:dev.db', '@seed.sql'],
    [`sqlite3 dev.db '${SQL}; SELECT 1'`, '1\n', 'machine sqlite:dev.db', `INSERT t sha256:${sha256(`${SQL}; SELECT 1`)}`, sha256(`${SQL}; SELECT 1`)],
  ],
  open: [
    [`?sqlite3 dev.db '${SQL}'`, '', null],
    [`sqlite3 dev.db '${SQL}'`, 'Error: in prepare, no such table: t\n', 'not-done'],
    [`sqlite3 dev.db '${SQL}'`, 'Runtime error near line 1: UNIQUE constraint failed\n', 'not-done'],
    [`sqlite3 dev.db '${SQL}'`, 'Parse error: near "INSRT": syntax error\n', 'not-done'],
  ],
})
