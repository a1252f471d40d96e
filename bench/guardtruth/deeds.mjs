import { createServer } from 'node:http'

/**
 * Mutations against stand-ins of this machine. `again` are calls of a later session: `same`: it would do once more what was done.
 * `results: false`: the session that did it was cut off before its result was noted.
 */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`
const pack = (name, version) => json({ name, version, description: 'small' })

const npm = {
  id: 'npm publish',
  needs: 'npm',
  async open(h, number) {
    const [one, two] = [await registry(8200 + number), await registry(8400 + number)]
    h.put('package.json', pack('small-of-mine', '1.0.0'))
    h.put('.npmrc', `registry=${one.url}\n${one.url.slice(5)}:_authToken=of-mine\n${two.url.slice(5)}:_authToken=of-mine\n`)
    h.put('index.js', '\n')
    h.put('sub/package.json', pack('other-of-mine', '1.0.0'))
    return { close: () => Promise.all([one.close(), two.close()]), one, two }
  },
  deed: 'npm publish',
  again: ({ one, two }) => [
    ['nothing', () => {}, 'npm publish', true],
    ['the package holds something else', (h) => h.put('index.js', 'exports.x = 1\n'), 'npm publish', true],
    ['a commit is made', (h) => h.git('commit', '-q', '--allow-empty', '-m', 'x'), 'npm publish', true],
    ['with a tag', () => {}, 'npm publish --tag next', true],
    ['behind a check', () => {}, 'git status --short && npm publish', true],
    ['the version is another', (h) => h.put('package.json', pack('small-of-mine', '1.0.1')), 'npm publish', false],
    ['the version is raised in the same call', () => {}, 'npm version patch --no-git-tag-version && npm publish', false],
    ['the name is another', (h) => h.put('package.json', pack('new-of-mine', '1.0.0')), 'npm publish', false],
    ['the registry is another', (h) => h.put('.npmrc', `registry=${two.url}\n${two.url.slice(5)}:_authToken=of-mine\n`), 'npm publish', false],
    ['another registry by option', () => {}, `npm publish --registry ${two.url}`, false],
    ['another registry by environment', () => {}, `npm_config_registry=${two.url} npm publish`, false],
    ['another registry, exported', () => {}, 'npm publish', false, { more: { npm_config_registry: two.url } }],
    ['publishConfig names another', (h) => h.put('package.json', json({ ...JSON.parse(pack('small-of-mine', '1.0.0')), publishConfig: { registry: two.url } })), 'npm publish', false],
    ['another package of the repository', () => {}, 'npm publish ./sub', false],
    ['another package, from its folder', () => {}, 'cd sub && npm publish', false],
    ['a dry run', () => {}, 'npm publish --dry-run', false],
    ['the registry forgot it', async () => one.forget(), 'npm publish', true],
  ],
  count: ({ one, two }) => one.taken() + two.taken(),
}

const curl = {
  id: 'curl POST',
  needs: 'curl',
  async open(h, number) {
    const port = 8600 + number
    const got = await service(port)
    h.put('body.json', '{"a":1}\n')
    const at = `--resolve orders-of-mine.example.org:${port}:127.0.0.1`
    return { ...got, post: (body, path = 'orders') => `curl -sSf ${at} -X POST -d '${body}' http://orders-of-mine.example.org:${port}/${path}`, at, base: `http://orders-of-mine.example.org:${port}` }
  },
  deed: ({ post }) => post('item=1'),
  again: ({ post, at, base }) => [
    ['nothing', () => {}, post('item=1'), true],
    ['a file is edited', (h) => h.put('body.json', '{"a":2}\n'), post('item=1'), true],
    ['a branch is made', (h) => h.git('checkout', '-q', '-b', 'side'), post('item=1'), true],
    ['another body', () => {}, post('item=2'), false],
    ['another path', () => {}, post('item=1', 'carts'), false],
    ['a question', () => {}, `curl -sSf ${at} ${base}/orders`, false],
    ['a file as its body', () => {}, `curl -sSf ${at} -d @body.json ${base}/orders`, false],
    ['another query', () => {}, post('item=1', 'orders?for=b'), false],
    ['another method', () => {}, `curl -sSf ${at} -X PATCH -d 'item=1' ${base}/orders`, false],
  ],
  count: ({ taken }) => taken(),
}

const curlFile = {
  ...curl,
  id: 'curl POST of a file',
  deed: ({ at, base }) => `curl -sSf ${at} -d @body.json ${base}/orders`,
  again: ({ at, base }) => [
    ['the file holds something else', (h) => h.put('body.json', '{"a":2}\n'), `curl -sSf ${at} -d @body.json ${base}/orders`, false],
    ['another file', (h) => h.put('two.json', '{"a":3}\n'), `curl -sSf ${at} -d @two.json ${base}/orders`, false],
  ],
}

/** Stand-ins that say what the real programs say, and keep what they were told. */
const told = (says) => `#!/bin/sh\nmkdir -p "$HOME/told" && echo "$*" >>"$HOME/told/list"\n${says}\n`
const count = async (_, h) => Number((await h.make('cat "$HOME/told/list" 2>/dev/null | wc -l')).stdout)
const gh = {
  id: 'gh release',
  needs: 'git',
  async open(h) {
    h.put(`${h.bin}/gh`, told('echo "https://github.com/of-mine/small/releases/tag/$3"'))
    await h.git('remote', 'add', 'origin', 'https://github.com/of-mine/small.git')
    return { close: () => {} }
  },
  deed: 'gh release create v1.0.0 --notes first',
  again: () => [
    ['nothing', () => {}, 'gh release create v1.0.0 --notes first', true],
    ['other notes', () => {}, 'gh release create v1.0.0 --notes second', true],
    ['a commit is made', (h) => h.git('commit', '-q', '--allow-empty', '-m', 'x'), 'gh release create v1.0.0 --notes first', true],
    ['another tag', () => {}, 'gh release create v1.0.1 --notes first', false],
    ['another repository by option', () => {}, 'gh release create v1.0.0 -R of-mine/other --notes first', false],
    ['another repository by environment', () => {}, 'gh release create v1.0.0 --notes first', false, { more: { GH_REPO: 'of-mine/other' } }],
    ['the remote is another', (h) => h.git('remote', 'set-url', 'origin', 'https://github.com/of-mine/other.git'), 'gh release create v1.0.0 --notes first', false],
    ['a look', () => {}, 'gh release view v1.0.0', false],
  ],
  count,
}

const twine = {
  id: 'twine upload',
  needs: 'git',
  async open(h) {
    h.put(`${h.bin}/twine`, told('for f; do case $f in *.whl|*.tar.gz) echo "Uploading distributions to https://upload.pypi.org/legacy/"; echo "Uploading ${f##*/}"; echo "100% ━━ 5.0/5.0 kB"; v=${f#*-}; echo; echo "View at:"; echo "https://pypi.org/project/small-of-mine/${v%%[-t]*}" | sed "s/\\.*$/\\//";; esac; done'))
    h.put('dist/small_of_mine-1.0.0-py3-none-any.whl', 'x')
    h.put('dist/small_of_mine-1.0.1-py3-none-any.whl', 'x')
    return { close: () => {} }
  },
  deed: 'twine upload dist/small_of_mine-1.0.0-py3-none-any.whl',
  again: () => [
    ['nothing', () => {}, 'twine upload dist/small_of_mine-1.0.0-py3-none-any.whl', true],
    ['a file is edited', (h) => h.put('NOTES', 'x'), 'twine upload dist/small_of_mine-1.0.0-py3-none-any.whl', true],
    ['another version', () => {}, 'twine upload dist/small_of_mine-1.0.1-py3-none-any.whl', false],
    ['another index', () => {}, 'twine upload -r testpypi dist/small_of_mine-1.0.0-py3-none-any.whl', false],
    ['another index by environment', () => {}, 'TWINE_REPOSITORY=testpypi twine upload dist/small_of_mine-1.0.0-py3-none-any.whl', false],
    ['another index, exported', () => {}, 'twine upload dist/small_of_mine-1.0.0-py3-none-any.whl', false, { more: { TWINE_REPOSITORY_URL: 'https://index-of-mine.example.org/' } }],
    ['a check', () => {}, 'twine check dist/small_of_mine-1.0.0-py3-none-any.whl', false],
  ],
  count,
}

const push = {
  id: 'git push',
  needs: 'git',
  async open(h) {
    await h.git('init', '-q', '--bare', '../bare.git')
    await h.git('init', '-q', '--bare', '../two.git')
    await h.git('remote', 'add', 'origin', '../bare.git')
    await h.git('remote', 'add', 'two', '../two.git')
    return { close: () => {} }
  },
  deed: 'git push origin HEAD:refs/heads/main',
  again: () => [
    ['nothing', () => {}, 'git push origin HEAD:refs/heads/main', true],
    ['a commit is made', (h) => h.git('commit', '-q', '--allow-empty', '-m', 'x'), 'git push origin HEAD:refs/heads/main', false],
    ['another remote', () => {}, 'git push two HEAD:refs/heads/main', false],
    ['another branch', () => {}, 'git push origin HEAD:refs/heads/side', false],
  ],
  count: () => 0,
  silent: true,
}

const sqlite = {
  id: 'sqlite3 insert',
  needs: 'sqlite3',
  async open(h) {
    await h.make(`sqlite3 of-mine.db 'create table t (a)'`)
    await h.make(`sqlite3 other.db 'create table t (a)'`)
    return { close: () => {} }
  },
  deed: `sqlite3 of-mine.db "insert into t values (1)"`,
  again: () => [
    ['nothing', () => {}, `sqlite3 of-mine.db "insert into t values (1)"`, true],
    ['another row', () => {}, `sqlite3 of-mine.db "insert into t values (2)"`, false],
    ['another database', () => {}, `sqlite3 other.db "insert into t values (1)"`, false],
    ['a look', () => {}, `sqlite3 of-mine.db "select * from t"`, false],
  ],
  count: async (_, h) => (await Promise.all(['of-mine.db', 'other.db'].map((name) => h.make(`sqlite3 ${name} 'select count(*) from t'`)))).reduce((sum, { stdout }) => sum + Number(stdout), 0),
  local: true,
}

export const deeds = [npm, curl, curlFile, gh, twine, push, sqlite]

/** As much of npm's registry as `npm publish` needs. */
async function registry(port) {
  const known = new Map()
  let taken = 0
  const server = await listening(port, (request, body, answer) => {
    const name = decodeURIComponent(request.url.slice(1).split('?')[0])
    if (request.method === 'GET') return known.has(name) ? answer(200, known.get(name)) : answer(404, { error: 'not found' })
    if (request.method !== 'PUT') return answer(200, {})
    const sent = JSON.parse(body)
    const had = known.get(name) ?? { name, 'dist-tags': {}, versions: {} }
    if (Object.keys(sent.versions).some((version) => version in had.versions)) return answer(403, { error: `You cannot publish over the previously published versions: ${Object.keys(sent.versions)[0]}.` })
    known.set(name, { ...had, 'dist-tags': { ...had['dist-tags'], ...sent['dist-tags'] }, versions: { ...had.versions, ...sent.versions } })
    taken++
    return answer(201, { ok: true })
  })
  return { url: `http://127.0.0.1:${server.port}/`, taken: () => taken, forget: () => known.clear(), close: server.close }
}

/** Takes what it is sent, and counts it. */
async function service(port) {
  let taken = 0
  const server = await listening(port, (request, _, answer) => {
    if (request.method !== 'GET') taken++
    return answer(request.method === 'GET' ? 200 : 201, { ok: true })
  })
  return { taken: () => taken, close: server.close }
}

/** On the first free port from `port` on: those that the system hands out say nothing the next day. */
function listening(port, handle) {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => (body += text))
    request.on('end', () => handle(request, body, (status, value) => (response.writeHead(status, { 'content-type': 'application/json' }), response.end(JSON.stringify(value)))))
  })
  return new Promise((done) => {
    const from = (at) => server.once('error', () => from(at + 1)).listen(at, '127.0.0.1')
    server.once('listening', () => done({ port: server.address().port, close: () => new Promise((end) => (server.closeAllConnections(), server.close(end))) }))
    from(port)
  })
}
