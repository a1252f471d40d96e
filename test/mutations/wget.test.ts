import { expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import wget from '../../src/mutations/wget.ts'
import { mutationSuite, typed } from './table.ts'

const API = 'https://api.example.com/x'

mutationSuite(wget, {
  means: [
    [`wget --post-data 'a=1' ${API}`, 'harmful', `http ${API}`, `POST ${API} sha256:${sha256('a=1')}`],
    [`wget -qO- --post-data=a=1 ${API}`, 'harmful', `http ${API}`, `POST ${API} sha256:${sha256('a=1')}`],
    [`wget --post-file body.json ${API}`, 'harmful', `http ${API}`, `POST ${API} @body.json`],
    [`wget --method=DELETE ${API}`, 'convergent', `http ${API}`, `DELETE ${API}`],
    [`wget --method PUT --body-data '{}' ${API}`, 'convergent', `http ${API}`, `PUT ${API} sha256:${sha256('{}')}`],
    [`wget --post-data a=1 ${API} ${API}`, 'harmful', null, null],
  ],
  not: [`wget ${API}`, `wget -q -O out ${API}`, `wget --method=GET ${API}`, `wget --spider --method=POST ${API}`, 'wget --post-data a=1 http://localhost:9000/x', 'wget --help', `wget2 --post-data a=1 ${API}`, `wget -i urls.txt`],
  done: [
    [`wget --post-data a=1 ${API}`, 'HTTP request sent, awaiting response... 200 OK\nLength: 2\n', `http ${API}`, `POST ${API} sha256:${sha256('a=1')}`, sha256('a=1')],
    [`wget -qO- --post-file b ${API}`, '{}', `http ${API}`, `POST ${API} @b`],
    [`?wget --method=DELETE ${API}`, 'HTTP request sent, awaiting response... 204 No Content\n', `http ${API}`, `DELETE ${API}`],
  ],
  open: [
    [`?wget -q --post-data a=1 ${API}`, '', null],
    [`?wget --post-data a=1 ${API}`, 'HTTP request sent, awaiting response... 403 Forbidden\n', 'not-done'],
    [`?wget --post-data a=1 ${API}`, 'wget: unable to resolve host address ‘api.example.com’\n', 'not-done'],
    [`?wget --post-data a=1 ${API}`, 'HTTP request sent, awaiting response... 500 Oops\n', null],
  ],
})

it('keeps no password', () => {
  for (const line of ['wget --password hunter2pass --post-data a=1 https://api.example.com/x', 'wget --post-data a=1 https://u:hunter2pass@api.example.com/x', 'wget --header "X-Key: hunter2pass" --method=POST https://api.example.com/x?key=hunter2pass'])
    expect(JSON.stringify(wget.intends(typed(line)))).toMatch(/^(?!.*hunter2pass).*api\.example\.com\/x/)
})
