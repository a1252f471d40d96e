import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import curl from '../../src/mutations/curl.ts'
import { mutationSuite, typed } from './table.ts'

const API = 'https://api.example.com/v1/orders'
const BODY = '{"id":1}'
const HASH = sha256(BODY)

mutationSuite(curl, {
  means: [
    [`curl -X POST ${API}`, 'harmful', `http ${API}`, `POST ${API}`],
    [`curl -sX POST ${API} -d '${BODY}'`, 'harmful', `http ${API}`, `POST ${API} sha256:${HASH}`],
    [`curl --request=POST --data '${BODY}' --url ${API}`, 'harmful', `http ${API}`, `POST ${API} sha256:${HASH}`],
    [`curl ${API} --json '${BODY}'`, 'harmful', `http ${API}`, `POST ${API} sha256:${HASH}`],
    [`curl ${API} -d a=1 -d b=2`, 'harmful', `http ${API}`, `POST ${API} sha256:${sha256('a=1&b=2')}`],
    [`curl -F file=@x.tgz ${API}`, 'harmful', `http ${API}`, `POST ${API} @x.tgz`],
    [`curl -d @payload.json ${API}`, 'harmful', `http ${API}`, `POST ${API} @payload.json`],
    [`curl -T x.tgz ${API}/x.tgz`, 'convergent', `http ${API}/x.tgz`, `PUT ${API}/x.tgz @x.tgz`],
    [`curl -X DELETE '${API}/7?force=1'`, 'convergent', `http ${API}/7`, `DELETE ${API}/7?force=1`],
    [`curl -X PATCH ${API}/7 -d '${BODY}'`, 'harmful', `http ${API}/7`, `PATCH ${API}/7 sha256:${HASH}`],
    ['curl -X POST api.example.com/x', 'harmful', 'http http://api.example.com/x', 'POST http://api.example.com/x'],
    [`curl -X POST ${API}/$ID`, 'harmful', null, null],
    [`curl -X POST ${API} -d "$BODY"`, 'harmful', `http ${API}`, null],
    [`curl -X POST ${API} ${API}/2`, 'harmful', null, null],
    ['curl -X POST https://api.example.com/{a,b}', 'harmful', null, null],
    ['curl -X POST https://api.example.com/graphql -d \'{"query":"mutation { add }"}\'', 'harmful', 'http https://api.example.com/graphql', `POST https://api.example.com/graphql sha256:${sha256('{"query":"mutation { add }"}')}`],
  ],
  not: [
    `curl ${API}`,
    `curl -I ${API}`,
    `curl -G ${API} -d q=1`,
    `curl -X GET ${API} -d '${BODY}'`,
    `curl -sSfL ${API} -o out.json`,
    'curl -X POST http://localhost:3000/api -d x=1',
    'curl -X POST http://127.0.0.1:8080/x',
    "curl -d x=1 'http://[::1]:3000/x'",
    'curl -X POST :3000/x --help',
    "curl https://api.example.com/graphql -d '{\"query\":\"query { me { id } }\"}'",
    "curl -X POST https://search.example.com/items/_search -d '{}'",
    `curl -X OPTIONS ${API}`,
    `echo curl -X POST ${API}`,
    `curlie -X POST ${API}`,
    'curl -T x ftp://files.example.com/x',
  ],
  done: [
    [`?curl -i -X POST ${API}`, 'HTTP/2 201 \r\nlocation: /v1/orders/7\r\n\r\n{"id":7}'.replaceAll('\r', ''), `http ${API}`, `POST ${API}`],
    [`curl -si -X POST ${API}`, 'HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\nserver: x\n\nok', `http ${API}`, `POST ${API}`],
    [`curl -sv -X POST ${API}`, '> POST /v1/orders HTTP/2\n< HTTP/2 204 \n<\n', `http ${API}`, `POST ${API}`],
    [`curl -s -o /dev/null -w '%{http_code}' -X POST ${API}`, '201', `http ${API}`, `POST ${API}`],
    [`curl -s -w '\\n%{http_code}\\n' -X POST ${API} -d '${BODY}'`, '{"ok":true}\n200\n', `http ${API}`, `POST ${API} sha256:${HASH}`, HASH],
    [`curl -s -w '\\nHTTP %{http_code} in %{time_total}s\\n' -X POST ${API}`, '{"ok":true}\nHTTP 201 in 0.2s\n', `http ${API}`, `POST ${API}`],
    [`curl -sf -X POST ${API}`, '', `http ${API}`, `POST ${API}`],
    [`curl --fail-with-body -X DELETE ${API}/7`, '{}', `http ${API}/7`, `DELETE ${API}/7`],
  ],
  open: [
    [`curl -s -X POST ${API}`, '{"ok":true}', null],
    [`?curl -sf -X POST ${API}`, '', null],
    [`curl -s -X POST ${API}`, 'HTTP/1.1 200 OK\n', null],
    [`curl -si -X POST ${API}`, 'HTTP/1.1 404 Not Found\n\n', 'not-done'],
    [`curl -si -X POST ${API}`, 'HTTP/1.1 422 Unprocessable\nx: y\n\nHTTP/1.1 200 OK', 'not-done'],
    [`curl -si -X POST ${API}`, 'HTTP/1.1 502 Bad Gateway\n\n', null],
    [`curl -s -o /dev/null -w '%{http_code}' -X POST ${API}`, '401', 'not-done'],
    [`curl -s -o /dev/null -w '%{http_code}' -X POST ${API}`, '000', null],
    [`curl -s -w '%{http_code}' -X POST ${API}`, '{"took":1234}', null],
    [`curl -s -X POST ${API}`, 'curl: (6) Could not resolve host: api.example.com', 'not-done'],
    [`curl -sf -X POST ${API}`, 'curl: (22) The requested URL returned error: 403', 'not-done'],
    [`curl -s -m 5 -X POST ${API}`, 'curl: (28) Operation timed out after 5000 milliseconds', null],
    [`curl -si -X POST ${API}/$ID`, 'HTTP/1.1 200 OK\n\n', null],
  ],
})

describe('curl keeps no secret', () => {
  const SECRETS = ['hunter2pass', 'tok_4eC39HqLyjWDarjtT1zdp7dc', 'XxYyZz0123456789AbCdEfGh']
  it.each([
    'curl -X POST https://me:hunter2pass@api.example.com/x',
    'curl -u me:hunter2pass -X POST https://api.example.com/x',
    "curl -H 'Authorization: Bearer tok_4eC39HqLyjWDarjtT1zdp7dc' -X POST https://api.example.com/x",
    'curl --oauth2-bearer tok_4eC39HqLyjWDarjtT1zdp7dc -X POST https://api.example.com/x',
    "curl -X POST 'https://api.example.com/x?access_token=hunter2pass'",
    "curl -X POST 'https://api.example.com/x?q=tok_4eC39HqLyjWDarjtT1zdp7dc'",
    "curl -X POST 'https://api.example.com/x?XxYyZz0123456789AbCdEfGh=1'",
    "curl -X POST 'https://api.example.com/x#hunter2pass'",
    'curl -d x=1 https://hooks.slack.com/services/T0000/B0000/XxYyZz0123456789AbCdEfGh',
    'curl -d x=1 https://discord.com/api/webhooks/123456789012345678/XxYyZz0123456789AbCdEfGh',
    'curl -d x=1 https://api.telegram.org/bot123456789:hunter2pass/sendMessage',
    'curl -d x=1 https://api.example.com/hook/XxYyZz0123456789AbCdEfGh/run',
    "curl -d 'password=hunter2pass' https://api.example.com/login",
    'curl -b session=hunter2pass -X POST https://api.example.com/x',
  ])('%s', (line) => {
    const command = typed(line)
    const said = [curl.intends(command), curl.confirms({ ...command, argv: [...command.argv, '-i'] }, 'HTTP/1.1 200 OK\n\n', true)]
    expect(said[0]?.valueOf()).toMatchObject({ target: { kind: 'http' } })
    for (const secret of SECRETS) expect(JSON.stringify(said)).not.toContain(secret)
  })
})
