import { describe, expect, it } from 'vitest'
import { patternsOf } from '../src/guard/patterns.ts'
import { COORDINATES, neverReached, targetOf } from '../src/model/mutation.ts'
import { mutations } from '../src/mutations.ts'
import { typed } from './mutations/table.ts'

describe('the set of mutations', () => {
  it.each([
    ['git push origin main', 'git-push'], ['gh pr create', 'gh-pr'], ['gh release create v1', 'gh-release'], ['glab mr create', 'glab-mr'], ['glab release create v1', 'glab-release'],
    ['npm publish', 'npm-publish'], ['yarn npm publish', 'npm-publish'], ['uv publish', 'pypi-upload'], ['cargo publish', 'cargo-publish'], ['gem push x-1.gem', 'gem-push'], ['docker push x', 'image-push'],
    ['terraform apply', 'terraform'], ['pulumi up', 'pulumi'], ['kubectl apply -f x', 'kubectl'], ['helm install a b', 'helm'], ['aws s3 rm s3://b', 'aws'], ['gsutil rm gs://b/x', 'gcloud'], ['az group create -n x', 'az'],
    ['alembic upgrade head', 'alembic'], ['npx prisma migrate deploy', 'prisma'], ['npx knex migrate:latest', 'knex'], ['bin/rails db:migrate', 'rails-migrate'], ['python manage.py migrate', 'django-migrate'], ['flyway migrate', 'flyway'],
    ["psql x -c 'DROP TABLE t'", 'psql'], ["mysql x -e 'DROP TABLE t'", 'mysql'], ["sqlite3 x 'DROP TABLE t'", 'sqlite'],
    ['curl -X POST https://x.example/y', 'curl'], ['http POST https://x.example/y', 'httpie'], ['wget --method=POST https://x.example/y', 'wget'], ['mail -s x a@b.example', 'mail'], ['swaks --to a@b.example', 'swaks'],
    ['cp x /etc/x', 'outside-files'], ['scp x web:/srv', 'remote-copy'], ['systemctl stop x', 'systemctl'], ['crontab x', 'crontab'],
  ])('knows `%s` by one member, %s', (line, id) => {
    expect(mutations.filter((mutation) => mutation.intends(typed(line)) !== null).map((mutation) => mutation.id)).toEqual([id])
  })

  it.each(['npm test', 'npm run build', 'git commit -m x', 'git pull', 'ls -la', 'make', 'docker build -t x .', 'pip install x', 'cargo build', 'python app.py', 'node server.js', 'rm -rf node_modules', 'echo done', 'npm install', 'apt-get install -y x', 'uv sync', 'constructor push', 'hasOwnProperty x'])(
    'knows nothing that `%s` changes outside',
    (line) => {
      expect(mutations.filter((mutation) => mutation.intends(typed(line)) !== null).map((mutation) => mutation.id)).toEqual([])
    },
  )

  it.each(['npm run build', 'npm run test -- --ci', 'npm test', 'yarn run lint', 'cargo run', 'go run .', 'docker run --rm x', 'make', 'git commit -m x'])('lets the shell pass `%s` without a closer look', (line) => {
    const payload = JSON.stringify({ tool_input: { command: line } })
    expect(patternsOf([], mutations.flatMap(({ names }) => names)).filter((pattern) => payload.includes(pattern))).toEqual([])
  })

  it('reads hostile outputs in a time that grows with their length alone', () => {
    const lines = ['git push', 'gh pr create', 'glab mr create', 'npm publish', 'uv publish', 'cargo publish', 'gem push x-1.gem', 'docker push x', 'terraform apply', 'pulumi up', 'kubectl --context c apply -f x', 'helm install a b --kube-context c', 'aws s3 rm s3://b', 'gsutil rm gs://b/x', 'az group create -n x', 'alembic upgrade head', 'prisma migrate deploy', 'knex migrate:latest', 'rails db:migrate', 'python manage.py migrate', 'flyway migrate', "psql x -c 'DROP TABLE t'", "mysql x -e 'DROP TABLE t'", "sqlite3 x 'DROP TABLE t'", "curl -iw 'a%{http_code}b' -X POST https://x.example/y", 'http POST https://x.example/y', 'wget --method=POST https://x.example/y', 'mail -s x a@b.example', 'swaks --to a@b.example', 'cp x /etc/x', 'scp x web:/srv', 'systemctl stop x', 'crontab x']
    const outputs = ['\n ', '\t', 'a', ' ', '\n', '-> ', 'Running upgrade ', 'HTTP/1.1 200 ', 'Applying app.x', ' a/b', '.', '✓ ', 'https://a.b/', '"', 'a@', '0 ', 'Uploading a-1', 'Datasource "a": PostgreSQL database at "a', 'error: ', '   Published a v1'].map((piece) => piece.repeat(60_000 / piece.length))
    const began = performance.now()
    for (const line of lines) {
      const command = typed(line)
      for (const output of outputs) for (const mutation of mutations) mutation.confirms(command, output, true)
    }
    for (const output of outputs) neverReached(output)
    expect(performance.now() - began).toBeLessThan(8_000)
  })
})

describe('a target', () => {
  it.each(['', 'a$b', '`x`', '~/x', 'a\nb', 'x'.repeat(600), '\ud800'])('can not be %j', (id) => {
    expect(targetOf('http', id)).toBeNull()
  })

  it('of every kind is a valid part of a key', () => {
    for (const kind of COORDINATES) expect(targetOf(kind, 'x')).toEqual({ kind, id: 'x' })
  })
})

describe('words that say that it never came to it', () => {
  it.each(['curl: (6) Could not resolve host: x', "ssh: connect to host x port 22: Connection refused", 'dial tcp: lookup x: no such host', 'Error: getaddrinfo ENOTFOUND x', 'API rate limit exceeded', 'bash: gh: command not found', 'error: authentication required', 'sh: 1: kubectl: not found'])('%s', (line) => {
    expect(neverReached(`x\n${line}\n`)).toBe(true)
  })
  it.each(['', 'ok', 'Operation timed out', 'Killed', 'i/o timeout', 'Empty reply from server', 'user not found'])('are not: %s', (line) => {
    expect(neverReached(line)).toBe(false)
  })
})
