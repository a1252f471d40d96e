import { describe, expect, it } from 'vitest'
import { screen } from '../../src/distill/screen.ts'
import { ephemera } from '../../src/ephemera.ts'
import namedSecret from '../../src/ephemera/named-secret.ts'

const VALUES = ['correct', 'horsezq'].join('')
const session = { session: 's', root: null }
const found = (text: string) => namedSecret.find(text) as readonly { start: number; end: number }[]

describe('what its name gives away', () => {
  it.each([
    `API_TOKEN=${VALUES} npm test`,
    `env DB_PASSWORD=${VALUES} make check`,
    `npm test -- --token ${VALUES}`,
    `npm test -- --password=${VALUES}`,
    `deploy --api-key '${VALUES}'`,
    `npm publish --otp 912345`,
    `curl 'https://api.example.com/x?api_key=${VALUES}'`,
    `git push -o token=${VALUES} origin main`,
    `git -c http.extraHeader='Authorization: Bearer ${VALUES}' push`,
    `The admin password is ${VALUES}.`,
  ])('%s', (text) => {
    expect(found(text).map(({ start, end }) => text.slice(start, end)).join()).toMatch(/correcthorsezq|912345/)
  })

  it.each([
    'The API schema requires a Bearer token.',
    'The password is read from the environment.',
    'The token is required for publishing.',
    'API_TOKEN=$TOKEN npm test',
    'npm test -- --token "$NPM_TOKEN"',
    'npm run check:tokens',
    'pytest tests/test_password.py',
    'git log --author=token',
    'USE_PASSWORD=true npm test',
    'curl -H "Authorization: Bearer $TOKEN" https://api.example.com',
    'https://example.com/x?page=2&sort=name',
    '`npm test` is a gate of `packages/token`',
  ])('lets %s pass', (text) => {
    expect(found(text)).toEqual([])
  })

  it('finds a user alone in a web address, and lets git\'s own pass', async () => {
    const kinds = async (text: string) => (await screen([{ field: 'argv', text }], session, ephemera)).map(({ kind }) => kind)
    expect(await kinds(`git push https://${VALUES}@github.com/a/b.git main`)).toContain('url-password')
    expect(await kinds('git clone ssh://git@github.com/a/b.git')).toEqual([])
  })
})
