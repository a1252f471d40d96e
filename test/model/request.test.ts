import { expect, it } from 'vitest'
import { confirmedRequest, intendedRequest, statusInHeads } from '../../src/model/request.ts'

const request = (method: string, url: string | null = 'https://api.example.com/x', body: string | null = null) => ({ method, url, body, from: null })

it.each([
  ['POST', 'harmful'], ['post', 'harmful'], ['PATCH', 'harmful'], ['PUT', 'convergent'], ['DELETE', 'convergent'],
])('%s again is %s', (method, repeat) => {
  expect(intendedRequest(request(method))).toMatchObject({ repeat, target: { kind: 'http', id: 'https://api.example.com/x' } })
})

it.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', ''])('%s changes nothing', (method) => {
  expect(intendedRequest(request(method))).toBeNull()
})

it('has no target where its URL is not told', () => {
  expect(intendedRequest(request('POST', null))).toMatchObject({ target: null, identifier: null })
})

it.each([
  [200, 'done'], [201, 'done'], [204, 'done'], [302, null], [400, 'not-done'], [404, 'not-done'], [408, null], [429, 'not-done'], [500, null], [503, null], [null, null],
])('with the status %s is %s', (status, said) => {
  const confirmed = confirmedRequest(request('POST'), status)
  expect(confirmed !== null && typeof confirmed === 'object' ? 'done' : confirmed).toBe(said)
})

it.each([
  ['HTTP/1.1 200 OK\nx: y\n\nbody', 200],
  ['HTTP/1.1 301 Moved\nlocation: /b\n\nHTTP/2 201\n\n', 201],
  ['  % Total\n100 1\nHTTP/2 404 \n\nHTTP/1.1 200 OK', 404],
  ['> POST / HTTP/1.1\n< HTTP/1.1 202 Accepted\n\nHTTP/1.1 500 Oops', 202],
  ['body', null],
  ['', null],
])('statuses are read from heads alone: %j', (output, status) => {
  expect(statusInHeads(output)).toBe(status)
})
