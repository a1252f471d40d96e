import knex from '../../src/mutations/knex.ts'
import { mutationSuite } from './table.ts'

mutationSuite(knex, {
  means: [
    ['npx knex migrate:latest', 'convergent', 'migrations .', null],
    ['knex migrate:up 20260601_a.js', 'convergent', 'migrations .', '20260601_a.js'],
    ['yarn knex --env production migrate:latest', 'convergent', 'migrations .', null],
    ['knex migrate:rollback', 'harmful', 'migrations .', null],
    ['knex seed:run --specific=users.js', 'harmful', 'migrations .', 'users.js'],
    ['cd db && knex migrate:down', 'harmful', 'migrations db', null],
  ],
  not: ['knex migrate:status', 'knex migrate:list', 'knex migrate:make x', 'knex migrate:currentVersion', 'knex init', 'knex --help', 'knex seed:make x', 'npm run migrate:latest', 'knex migrate:latest --help', 'knex migrate:unlock'],
  done: [
    ['npx knex migrate:latest', 'Using environment: development\nBatch 3 run: 2 migrations\n', 'migrations .', 'batch 3'],
    ['?npx knex migrate:latest', 'Batch 3 run: 1 migrations\n20260601_a.js\n', 'migrations .', '20260601_a.js'],
    ['knex migrate:rollback', 'Batch 3 rolled back: 2 migrations\n', 'migrations .', 'batch 3'],
    ['knex seed:run', 'Ran 2 seed files\n', 'migrations .', null],
  ],
  open: [
    ['npx knex migrate:latest', '', null],
    ['npx knex migrate:latest', 'Already up to date\n', 'not-done'],
    ['npx knex migrate:latest', 'migration file "a.js" failed\nmigration failed with error: x\n', 'not-done'],
    ['knex migrate:rollback', 'Already at the base migration\n', 'not-done'],
    ['npx knex migrate:latest', 'Ran 2 seed files\n', null],
  ],
})
