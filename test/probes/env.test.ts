import { describe, expect, it } from 'vitest'
import type { World } from '../../src/model/probe.ts'
import env from '../../src/probes/env.ts'

const worldOf = (values: Readonly<Record<string, string>>, envValues: readonly string[] = []): World => ({ env: (name: string) => values[name], envValues }) as unknown as World

describe('env', () => {
  it.each([
    ['CI', {}, [], 'unset'],
    ['CI', { CI: '' }, [], 'set'],
    ['CI', { CI: 'true' }, [], 'set'],
    ['CI', { CI: 'true' }, ['CI'], '=true'],
    ['CI', { CI: '' }, ['CI'], '='],
    ['CI', {}, ['CI'], 'unset'],
  ])('%s in %j, listed %j, is %s', async (name, values, listed, value) => {
    expect(await env.read(name, worldOf(values as Record<string, string>, listed))).toEqual({ value })
  })

  it.each(['NPM_TOKEN', 'AWS_SECRET', 'API_KEY', 'PGPASSWORD', 'DB_PASS', 'AUTH_HEADER', 'GIT_CREDENTIALS', 'npm_config__auth', 'SESSION_ID', 'SENTRY_DSN'])(
    'never tells the value of %s, listed or not',
    async (name) => {
      expect(await env.read(name, worldOf({ [name]: 'hunter2' }, [name]))).toEqual({ value: 'set' })
    },
  )

  it('never tells a URL that carries a user', async () => {
    expect(await env.read('DATABASE_URL', worldOf({ DATABASE_URL: 'postgres://u:p@host/db' }, ['DATABASE_URL']))).toEqual({ value: 'set' })
    expect(await env.read('DATABASE_URL', worldOf({ DATABASE_URL: 'postgres://host/db' }, ['DATABASE_URL']))).toEqual({ value: '=postgres://host/db' })
  })

  it('is unreadable for more than a line, and for what is no name', async () => {
    expect(await env.read('A', worldOf({ A: 'x\ny' }, ['A']))).toEqual({ unreadable: '"A" is not one line of text' })
    expect(await env.read('A=B', worldOf({}))).toEqual({ unreadable: 'it names no environment variable' })
  })
})
