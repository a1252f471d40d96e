import pulumi from '../../src/mutations/pulumi.ts'
import { mutationSuite } from './table.ts'

const UP = 'Updating (org/app/dev)\n\nView Live: https://app.pulumi.com/org/app/dev/updates/7\n\nResources:\n    + 2 created\n    3 unchanged\n\nDuration: 5s\n'

mutationSuite(pulumi, {
  means: [
    ['pulumi up --yes', 'convergent', null, null],
    ['pulumi up -y -s org/app/dev', 'convergent', 'pulumi org/app/dev', null],
    ['pulumi destroy --stack=org/app/dev --yes', 'convergent', 'pulumi org/app/dev', null],
    ['pulumi update -s dev', 'convergent', null, null],
    ['pulumi refresh -y', 'convergent', null, null],
    ['pulumi -C infra up', 'convergent', null, null],
  ],
  not: ['pulumi preview', 'pulumi up --help', 'pulumi refresh --preview-only', 'pulumi stack ls', 'pulumi config set a b', 'pulumi login', 'pulumi logs', 'pulumi about', 'terraform up', 'pulumi whoami'],
  done: [
    ['pulumi up -y', UP, 'pulumi org/app/dev', 'update 7'],
    ['?pulumi up -y', UP, 'pulumi org/app/dev', 'update 7'],
    ['pulumi destroy -s org/app/dev', 'Resources:\n    - 2 deleted\n\nDuration: 1s\n', 'pulumi org/app/dev', null],
  ],
  open: [
    ['pulumi up -y', '', null],
    ['pulumi up -y', 'Resources:\n    3 unchanged\n\nDuration: 1s\n', 'not-done'],
    ['pulumi up -y', 'Resources:\n    + 2 to create\n', null],
    ['pulumi up -y', `${UP}error: update failed\n`, 'not-done'],
    ['pulumi up -y', 'Resources:\n    + 2 created\n\nDuration: 1s\n', null],
  ],
})
