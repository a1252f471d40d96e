import djangoMigrate from '../../src/mutations/django-migrate.ts'
import { mutationSuite } from './table.ts'

const RAN = 'Operations to perform:\n  Apply all migrations: app\nRunning migrations:\n  Applying app.0001_initial... OK\n  Applying app.0002_more... OK\n'

mutationSuite(djangoMigrate, {
  means: [
    ['python manage.py migrate', 'convergent', 'migrations .', null],
    ['./manage.py migrate app 0002_more', 'convergent', 'migrations .', 'app.0002_more'],
    ['uv run python manage.py migrate --noinput', 'convergent', 'migrations .', null],
    ['python3 src/manage.py migrate app', 'convergent', 'migrations .', null],
    ['django-admin migrate --settings=x', 'convergent', 'migrations .', null],
    ['python manage.py loaddata seed.json', 'harmful', 'migrations .', 'seed.json'],
    ['python -m django migrate', 'convergent', 'migrations .', null],
  ],
  not: ['python manage.py makemigrations', 'python manage.py showmigrations', 'python manage.py migrate --plan', 'python manage.py migrate --check', 'python manage.py sqlmigrate app 0001', 'python manage.py test', 'python manage.py runserver', 'python migrate.py', 'python manage.py check', 'python manage.py migrate --help', 'python -c migrate'],
  done: [
    ['python manage.py migrate', RAN, 'migrations .', 'app.0002_more'],
    ['?python manage.py migrate', RAN, 'migrations .', 'app.0002_more'],
    ['python manage.py migrate app 0001', '  Unapplying app.0002_more... OK\n', 'migrations .', 'app.0001'],
    ['python manage.py loaddata seed.json', 'Installed 3 object(s) from 1 fixture(s)\n', 'migrations .', 'seed.json'],
  ],
  open: [
    ['python manage.py migrate', '', null],
    ['python manage.py migrate', 'Running migrations:\n  No migrations to apply.\n', 'not-done'],
    ['?python manage.py migrate', '  Applying app.0001_initial...', null],
    ['?python manage.py migrate', 'django.db.utils.OperationalError: x\n', 'not-done'],
    ['?python manage.py loaddata x', '', null],
  ],
})
