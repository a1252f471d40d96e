import { expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import httpie from '../../src/mutations/httpie.ts'
import { mutationSuite, typed } from './table.ts'

const API = 'https://api.example.com/items'

mutationSuite(httpie, {
  means: [
    [`http POST ${API} name=x`, 'harmful', `http ${API}`, `POST ${API} sha256:${sha256('name=x')}`],
    [`http ${API} name=x`, 'harmful', `http ${API}`, `POST ${API} sha256:${sha256('name=x')}`],
    [`http ${API} b:=2 a=1`, 'harmful', `http ${API}`, `POST ${API} sha256:${sha256('a=1\nb:=2')}`],
    [`http DELETE ${API}/1`, 'convergent', `http ${API}/1`, `DELETE ${API}/1`],
    ['https PUT api.example.com/items/1 x=1', 'convergent', `http ${API}/1`, `PUT ${API}/1 sha256:${sha256('x=1')}`],
    [`xh post ${API} f@file.bin`, 'harmful', `http ${API}`, `POST ${API} @file.bin`],
    [`http --raw '{}' ${API}`, 'harmful', `http ${API}`, `POST ${API} sha256:${sha256('{}')}`],
    [`http -a me:pw POST ${API}`, 'harmful', `http ${API}`, `POST ${API}`],
  ],
  not: [`http ${API}`, `http GET ${API} q==1`, `http ${API} Accept:text/html`, `http --offline POST ${API} a=1`, 'http POST :3000/x a=1', 'http POST localhost/x a=1', `http HEAD ${API}`, `https ${API} q==x`, `httpx POST ${API}`, 'http --help'],
  done: [
    [`http POST ${API}`, 'HTTP/1.1 201 Created\nContent-Type: application/json\n\n{}', `http ${API}`, `POST ${API}`],
    [`?http POST ${API}`, 'HTTP/1.1 200 OK\n\n', `http ${API}`, `POST ${API}`],
    [`http --check-status POST ${API}`, '{}', `http ${API}`, `POST ${API}`],
    [`xh POST ${API}`, '{}', `http ${API}`, `POST ${API}`],
  ],
  open: [
    [`http POST ${API}`, '{}', null],
    [`?http --check-status POST ${API}`, '', null],
    [`http POST ${API}`, 'HTTP/1.1 400 Bad Request\n\n', 'not-done'],
    [`http POST ${API}`, 'HTTP/1.1 500 Oops\n\n', null],
    ['http POST https://api.example.com/$X', 'HTTP/1.1 200 OK\n\n', null],
  ],
})

it.each(['http -a me:hunter2pass POST https://api.example.com/x', 'http --auth=me:hunter2pass POST https://u:hunter2pass@api.example.com/x', "http POST 'https://api.example.com/x?token=hunter2pass'", 'http POST https://api.example.com/x Authorization:hunter2pass', 'http POST https://api.example.com/x password=hunter2pass'])(
  'keeps no secret of %s',
  (line) => {
    expect(httpie.intends(typed(line))).toMatchObject({ target: { id: 'https://api.example.com/x' } })
    expect(JSON.stringify(httpie.intends(typed(line)))).not.toContain('hunter2pass')
  },
)
