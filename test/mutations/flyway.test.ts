import { expect, it } from 'vitest'
import flyway from '../../src/mutations/flyway.ts'
import { mutationSuite, typed } from './table.ts'

const RAN = 'Database: jdbc:postgresql://db.example.com:5432/app (PostgreSQL 16.1)\nMigrating schema "public" to version "3 - add"\nSuccessfully applied 2 migrations to schema "public", now at version v3 (execution time 00:00.030s)\n'

mutationSuite(flyway, {
  means: [
    ['flyway migrate', 'convergent', 'migrations .', null],
    ['flyway -url=jdbc:postgresql://db.example.com/app -user=u -password=p migrate', 'convergent', 'database postgresql://db.example.com/app', null],
    ['flyway -target=3 migrate', 'convergent', 'migrations .', '3'],
    ['FLYWAY_URL=jdbc:mysql://db.example.com/app flyway migrate', 'convergent', 'database mysql://db.example.com/app', null],
    ['flyway clean', 'convergent', 'migrations .', null],
    ['flyway info migrate', 'convergent', 'migrations .', null],
  ],
  not: ['flyway info', 'flyway validate', 'flyway --help', 'flyway version', 'flyway migrate -dryRunOutput=x.sql', 'flyway check', 'flyway', 'mvn flyway:info', 'migrate', 'flyway snapshot'],
  done: [
    ['flyway migrate', RAN, 'database postgresql://db.example.com/app', '3'],
    ['?flyway migrate', RAN, 'database postgresql://db.example.com/app', '3'],
    ['flyway migrate', RAN.replace('db.example.com', 'localhost'), 'machine postgresql:app', '3'],
    ['flyway clean', 'Successfully cleaned schema "public" (execution time 00:00.030s)\n', 'migrations .', null],
  ],
  open: [
    ['flyway migrate', '', null],
    ['flyway migrate', 'Schema "public" is up to date. No migration necessary.\n', 'not-done'],
    ['flyway migrate', 'ERROR: Unable to connect\n', 'not-done'],
    ['flyway migrate', 'Migrating schema "public" to version "3 - add"\n', null],
  ],
})

it('keeps no password', () => {
  for (const line of ['flyway -url=jdbc:postgresql://u:hunter2pass@db.example.com/app migrate', "flyway -url='jdbc:postgresql://db.example.com/app?password=hunter2pass' -password=hunter2pass migrate"])
    expect(JSON.stringify(flyway.intends(typed(line)))).toMatch(/^(?!.*hunter2pass).*db\.example\.com/)
})
