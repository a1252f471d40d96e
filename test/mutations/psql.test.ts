import { expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import psql from '../../src/mutations/psql.ts'
import { mutationSuite, typed } from './table.ts'

const AT = '-h db.example.com -d app'
const INSERT = 'INSERT INTO users VALUES (1)'
const ID = `INSERT users sha256:${sha256(INSERT)}`

mutationSuite(psql, {
  means: [
    [`psql ${AT} -c '${INSERT}'`, 'harmful', 'database postgresql://db.example.com/app', ID],
    [`psql postgres://u:p@db.example.com:5432/app -c '${INSERT}'`, 'harmful', 'database postgresql://db.example.com/app', ID],
    [`psql 'host=db.example.com dbname=app password=p' -c '${INSERT}'`, 'harmful', 'database postgresql://db.example.com/app', ID],
    [`PGHOST=db.example.com PGDATABASE=app psql -c '${INSERT}'`, 'harmful', 'database postgresql://db.example.com/app', ID],
    [`psql ${AT} < seed.sql`, 'harmful', 'database postgresql://db.example.com/app', '@seed.sql'],
    [`psql ${AT} -f seed.sql`, 'harmful', 'database postgresql://db.example.com/app', '@seed.sql'],
    [`psql ${AT} -c 'DROP TABLE x'`, 'convergent', 'database postgresql://db.example.com/app', `DROP x sha256:${sha256('DROP TABLE x')}`],
    [`psql -d app -c '${INSERT}'`, 'harmful', null, ID],
    [`psql -h localhost app -c '${INSERT}'`, 'harmful', 'machine postgresql:app', ID],
    [`psql "$DATABASE_URL" -c '${INSERT}'`, 'harmful', null, ID],
  ],
  not: [`psql ${AT} -c 'SELECT 1'`, `psql ${AT} -c '\\dt'`, 'psql --version', 'psql -l', `psql ${AT}`, `pg_dump ${AT}`, `psql ${AT} -c 'EXPLAIN DELETE FROM x'`, `psql ${AT} -c "SELECT 'INSERT INTO x'"`, 'psql --help', `psql ${AT} -c 'BEGIN; DELETE FROM x; ROLLBACK'`, `echo psql ${AT} -c '${INSERT}'`],
  done: [
    [`psql ${AT} -c '${INSERT}'`, 'INSERT 0 1\n', 'database postgresql://db.example.com/app', ID, sha256(INSERT)],
    [`?psql ${AT} -c '${INSERT}'`, 'INSERT 0 1\n', 'database postgresql://db.example.com/app', ID, sha256(INSERT)],
    [`psql -q ${AT} -c '${INSERT}'`, '', 'database postgresql://db.example.com/app', ID, sha256(INSERT)],
    [`psql ${AT} -f seed.sql`, 'CREATE TABLE\nINSERT 0 3\n', 'database postgresql://db.example.com/app', '@seed.sql'],
    [`psql -v ON_ERROR_STOP=1 -q ${AT} -f seed.sql`, '', 'database postgresql://db.example.com/app', '@seed.sql'],
  ],
  open: [
    [`?psql ${AT} -c '${INSERT}'`, '', null],
    [`psql ${AT} -c '${INSERT}'`, 'ERROR:  duplicate key value\n', 'not-done'],
    [`psql ${AT} -c '${INSERT}'`, 'INSERT 0 0\n', 'not-done'],
    [`psql ${AT} -f seed.sql`, '', null],
    [`psql ${AT} -f seed.sql`, 'INSERT 0 3\npsql:seed.sql:2: ERROR:  x\n', null],
    [`psql ${AT} -c '${INSERT}'`, 'psql: error: connection to server failed\n', 'not-done'],
    [`psql -d app -c '${INSERT}'`, 'INSERT 0 1\n', null],
  ],
})

it('keeps no password', () => {
  for (const line of [`PGPASSWORD=hunter2pass psql ${AT} -c '${INSERT}'`, `psql postgres://u:hunter2pass@db.example.com/app -c '${INSERT}'`, `psql 'postgres://db.example.com/app?password=hunter2pass' -c '${INSERT}'`, `psql ${AT} -c "ALTER USER a PASSWORD 'hunter2pass'"`])
    expect(JSON.stringify(psql.intends(typed(line)))).toMatch(/^(?!.*hunter2pass).*db\.example\.com/)
})
