import { describe, expect, it } from 'vitest'
import { commandOf } from '../../src/model/command.ts'
import { databaseAt, isKeyLike, isLoopback, isTemporary, migrationTarget, publicUrl, serverAt, sqliteAt } from '../../src/model/place.ts'

const words = (target: { kind: string; id: string } | null) => target && `${target.kind} ${target.id}`

describe('a host', () => {
  it.each(['localhost', 'api.localhost', '127.0.0.1', '127.1', '0.0.0.0', '::1', '[::1]', ''])('"%s" is the machine itself', (host) => {
    expect(isLoopback(host)).toBe(true)
  })
  it.each(['example.com', 'localhost.example.com', '10.0.0.1', '128.0.0.1', 'db'])('"%s" is another', (host) => {
    expect(isLoopback(host)).toBe(false)
  })
})

describe('a URL', () => {
  it.each([
    ['https://u:p@Example.com:443/a?b=c#d', 'https://example.com/a?b=c', 'https://example.com/a'],
    ['example.com/a', 'http://example.com/a', 'http://example.com/a'],
    ['https://x.example/u/9f86d081884c7d65/y', 'https://x.example/u/-/y', 'https://x.example/u/-/y'],
    ['https://x.example/u/3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'https://x.example/u/3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'https://x.example/u/3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
    ['https://x.example/repos/my-long-repository-name-2024/issues', 'https://x.example/repos/my-long-repository-name-2024/issues', 'https://x.example/repos/my-long-repository-name-2024/issues'],
    ['https://x.example/?api_key=a&page=2', 'https://x.example/?api_key=&page=2', 'https://x.example/'],
    ['https://hooks.slack.com/services/T/B/x', 'https://hooks.slack.com/services', 'https://hooks.slack.com/services'],
    ['https://api.telegram.org/bot1:AA/sendMessage', 'https://api.telegram.org/', 'https://api.telegram.org/'],
  ])('%s is kept as %s', (text, url, place) => {
    expect(publicUrl(text)).toMatchObject({ url, place })
  })
  it.each(['', 'https://', 'https://x/$ID', 'https://x/`id`', 'https://x/{a,b}', 'https://x/[1-3]', 'a b'])('%s is no URL of one place', (text) => {
    expect(publicUrl(text)).toBeNull()
  })
})

describe('a word', () => {
  it.each(['XxYyZz0123456789AbCdEfGh', 'abcdef0123456789', 'AbCdEfGhIjKlMnOpQr', '3f2504e04f8941d39a0c0305e82c3301', 'ab_CD-12_ef-GH_34-ij_KL'])('%s may be a key', (word) => {
    expect(isKeyLike(word)).toBe(true)
  })
  it.each(['orders', 'my-long-repository-name-2024', 'getUserByEmailAddress', '2024-01-01', '3f2504e0-4f89-41d3-9a0c-0305e82c3301', '356a192b7913b04c54574d18c28d46e6395428ab', 'v1'])('%s is none', (word) => {
    expect(isKeyLike(word)).toBe(false)
  })
})

describe('a database', () => {
  it.each([
    ['postgres://u:p@db.example.com:5432/app?sslmode=require', 'database postgresql://db.example.com/app'],
    ['postgresql+psycopg2://u:p%40@db.example.com:6543/app', 'database postgresql://db.example.com:6543/app'],
    ['postgres://u:p@ss@db.example.com/app', 'database postgresql://db.example.com/app'],
    ['mysql://db.example.com/app', 'database mysql://db.example.com/app'],
    ['jdbc:postgresql://db.example.com/app?user=u&password=p', 'database postgresql://db.example.com/app'],
    ['jdbc:sqlserver://db.example.com:1433;user=u;password=p', 'database sqlserver://db.example.com:1433/'],
    ['postgres://u:p@localhost/app', 'machine postgresql:app'],
    ['postgres:///app', 'machine postgresql:app'],
    ['sqlite:///./dev.db', 'machine sqlite:/./dev.db'],
    ['sqlite:///:memory:', null],
    ['file:./dev.db?mode=rw', 'machine sqlite:./dev.db'],
    ['postgres://$HOST/app', null],
    ['nonsense', null],
  ])('at %s is %s', (url, target) => {
    expect(words(databaseAt(url))).toBe(target)
  })
  it('of a socket is of the machine', () => {
    expect(words(serverAt('postgres', '/var/run/postgresql', null, 'app'))).toBe('machine postgresql:app')
  })
  it.each([['dev.db', 'machine sqlite:dev.db'], ['/tmp/x.db', null], ['', null], ['/var/lib/x.db', 'machine sqlite:/var/lib/x.db']])('in the file "%s" is %s', (path, target) => {
    expect(words(sqliteAt(path))).toBe(target)
  })
  it('of migrations is the one on the command line, else the folder whose configuration names it', () => {
    expect(words(migrationTarget(commandOf(['alembic'], { folder: 'api' })))).toBe('migrations api')
    expect(words(migrationTarget(commandOf(['alembic'], { env: [['DATABASE_URL', 'postgres://u:p@db.example.com/app']] })))).toBe('database postgresql://db.example.com/app')
  })
})

it.each([['/tmp/a', true], ['/tmp', true], ['/dev/null', true], ['/var/tmp/x', true], ['/private/tmp/x', true], ['/tmpx', false], ['/etc/tmp', false]])('%s is cleared from time to time: %s', (path, temporary) => {
  expect(isTemporary(path)).toBe(temporary)
})
