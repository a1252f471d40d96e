import { describe } from 'vitest'
import urlPassword from '../../src/ephemera/url-password.ts'
import { finds } from './finds.ts'

describe('url-password', () => {
  const word = 'hunter' + '2'
  finds(urlPassword, [
    [`https://anna:${word}@x.dev/a`, `anna:${word}`],
    [`redis://:${word}@cache:6379`, `:${word}`],
    [`git clone https://${'3f9a0c71e5b284d6'.repeat(2)}@x.dev/a`, '3f9a0c71e5b284d6'.repeat(2)],
    ['https://anna:$PASSWORD@x.dev'],
    ['https://anna:***@x.dev'],
    ['https://anna@x.dev'],
    ['ssh://git@github.com/a'],
    ['git@github.com:acme/x.git'],
    ['http://localhost:3000/@scope/x'],
    ['https://<user>:<password>@x.dev'],
  ])
})
