import { expect, it } from 'vitest'
import alembic from '../../src/mutations/alembic.ts'
import { mutationSuite, typed } from './table.ts'

const RUN = 'INFO  [alembic.runtime.migration] Context impl PostgresqlImpl.\nINFO  [alembic.runtime.migration] Running upgrade  -> 1a2b, init\nINFO  [alembic.runtime.migration] Running upgrade 1a2b -> 3c4d, add\n'

mutationSuite(alembic, {
  means: [
    ['alembic upgrade head', 'convergent', 'migrations .', null],
    ['cd api && alembic upgrade 3c4d', 'convergent', 'migrations api', '3c4d'],
    ['uv run alembic -c db/alembic.ini downgrade -1', 'convergent', 'migrations .', null],
    ['python -m alembic stamp 1a2b', 'convergent', 'migrations .', '1a2b'],
    ['flask db upgrade', 'convergent', 'migrations .', null],
    ['DATABASE_URL=postgres://u:p@db.example.com/app alembic upgrade head', 'convergent', 'database postgresql://db.example.com/app', null],
    ['DATABASE_URL=postgres://u:p@localhost/app alembic upgrade head', 'convergent', 'machine postgresql:app', null],
  ],
  not: ['alembic upgrade head --sql', 'alembic history', 'alembic current', 'alembic heads', 'alembic revision -m x', 'alembic check', 'alembic --help', 'flask run', 'flask db migrate', 'flask upgrade', 'poetry upgrade'],
  done: [
    ['alembic upgrade head', RUN, 'migrations .', '3c4d'],
    ['alembic downgrade base', 'INFO  [alembic.runtime.migration] Running downgrade 1a2b -> , init\n', 'migrations .', 'base'],
    ['DATABASE_URL=postgres://u:p@db.example.com/app alembic upgrade head', RUN, 'database postgresql://db.example.com/app', '3c4d'],
    ['flask db upgrade', RUN, 'migrations .', '3c4d'],
  ],
  open: [
    ['?alembic upgrade head', RUN, null],
    ['alembic upgrade head', '', null],
    ['alembic upgrade head', 'INFO  [alembic.runtime.migration] Context impl PostgresqlImpl.\n', 'not-done'],
    ['?alembic upgrade head', `${RUN}sqlalchemy.exc.OperationalError: (psycopg2) x\n`, 'not-done'],
    ['?alembic upgrade head', 'FAILED: Can\'t locate revision\n', 'not-done'],
  ],
})

it('keeps no password', () => {
  expect(JSON.stringify(alembic.intends(typed('DATABASE_URL=postgres://u:hunter2pass@db.example.com/app alembic upgrade head')))).toMatch(/^(?!.*hunter2pass).*db\.example\.com/)
})
