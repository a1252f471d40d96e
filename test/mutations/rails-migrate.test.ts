import railsMigrate from '../../src/mutations/rails-migrate.ts'
import { mutationSuite } from './table.ts'

const RAN = '== 20260601100000 AddUsers: migrating ==========================================\n-- create_table(:users)\n   -> 0.0021s\n== 20260601100000 AddUsers: migrated (0.0022s) =================================\n'

mutationSuite(railsMigrate, {
  means: [
    ['rails db:migrate', 'convergent', 'migrations .', null],
    ['bin/rails db:migrate', 'convergent', 'migrations .', null],
    ['./bin/rails db:migrate RAILS_ENV=production', 'convergent', 'migrations .', null],
    ['bundle exec rake db:migrate VERSION=20260601100000', 'convergent', 'migrations .', '20260601100000'],
    ['VERSION=20260601100000 rails db:migrate:up', 'convergent', 'migrations .', '20260601100000'],
    ['rails db:rollback STEP=1', 'harmful', 'migrations .', null],
    ['rails db:seed', 'harmful', 'migrations .', null],
    ['rake db:drop', 'convergent', 'migrations .', null],
    ['rails db:schema:load', 'convergent', 'migrations .', null],
  ],
  not: ['rails db:migrate:status', 'rails db:version', 'rails db:schema:dump', 'rails routes', 'rails test', 'rake -T', 'rake -n db:migrate', 'rails generate migration x', 'rails db', 'bundle exec rspec', 'npm run db:migrate'],
  done: [
    ['rails db:migrate', RAN, 'migrations .', '20260601100000'],
    ['?bin/rails db:migrate', RAN, 'migrations .', '20260601100000'],
    ['rails db:rollback', RAN.replace('migrated', 'reverted'), 'migrations .', '20260601100000'],
    ['rails db:seed', '', 'migrations .', null],
  ],
  open: [
    ['rails db:migrate', '', null],
    ['?rails db:seed', '', null],
    ['rails db:migrate', 'rails aborted!\nActiveRecord::ConnectionNotEstablished\n', 'not-done'],
    ['?rails db:migrate', `${RAN}rails aborted!\n`, 'not-done'],
    ['?rails db:migrate', RAN.split('\n').slice(0, 2).join('\n'), null],
  ],
})
