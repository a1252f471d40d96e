import prisma from '../../src/mutations/prisma.ts'
import { mutationSuite } from './table.ts'

const DATA = 'Datasource "db": PostgreSQL database "app", schema "public" at "db.example.com:5432"\n'
const APPLIED = `${DATA}\nApplying migration \`20260601100000_init\`\n\nThe following migration(s) have been applied:\n\nAll migrations have been successfully applied.\n`

mutationSuite(prisma, {
  means: [
    ['npx prisma migrate deploy', 'convergent', 'migrations .', null],
    ['prisma migrate dev --name add', 'convergent', 'migrations .', null],
    ['pnpm exec prisma db push --accept-data-loss', 'convergent', 'migrations .', null],
    ['yarn prisma migrate reset --force', 'convergent', 'migrations .', null],
    ['cd db && npx prisma db seed', 'convergent', 'migrations db', null],
    ['DATABASE_URL=mysql://u:p@db.example.com/app npx prisma migrate deploy', 'convergent', 'database mysql://db.example.com/app', null],
  ],
  not: ['npx prisma generate', 'npx prisma migrate status', 'npx prisma migrate diff --from-empty', 'npx prisma validate', 'npx prisma studio', 'npx prisma db pull', 'npx prisma migrate dev --create-only', 'npx prisma format', 'npx prisma --help', 'npx knex migrate deploy', 'npx prisma migrate deploy --help'],
  done: [
    ['npx prisma migrate deploy', APPLIED, 'database postgresql://db.example.com/app', '20260601100000_init'],
    ['?npx prisma migrate deploy', APPLIED, 'database postgresql://db.example.com/app', '20260601100000_init'],
    ['npx prisma migrate deploy', APPLIED.replace('db.example.com', 'localhost'), 'machine postgresql:app', '20260601100000_init'],
    ['npx prisma db push', `${DATA}\nYour database is now in sync with your Prisma schema. Done in 50ms\n`, 'database postgresql://db.example.com/app', null],
    ['npx prisma migrate deploy', APPLIED.slice(DATA.length), 'migrations .', '20260601100000_init'],
  ],
  open: [
    ['npx prisma migrate deploy', '', null],
    ['npx prisma migrate deploy', `${DATA}No pending migrations to apply.\n`, 'not-done'],
    ['npx prisma migrate deploy', `${DATA}Error: P3009\n`, 'not-done'],
    ['npx prisma db push', `${DATA}The database is already in sync with the Prisma schema.\n`, 'not-done'],
  ],
})
