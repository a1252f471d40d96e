/**
 * A secret as it stands in the world: made up from parts when it is asked for, so that no scanner of this repository finds one.
 * `text`: the secret with what it stands in, as a tool prints it · `typed`: the same as words of a shell · `secret`: what must not
 * get out, without the part that is the same in everybody's.
 */
export interface Planted {
  readonly name: string
  readonly text: string
  readonly typed: string
  readonly secret: string
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const HEX = `${DIGITS}abcdef`
const MIXED = `${LETTERS}${LETTERS.toUpperCase()}${DIGITS}`
const BASE64 = `${MIXED}+/`
const URLSAFE = `${MIXED}_-`

/** Every shape once; another seed gives other values. */
export function planted(seed = 1): readonly Planted[] {
  const any = random(seed)
  const of = (alphabet: string, length: number): string => Array.from({ length }, () => alphabet[any(alphabet.length)]).join('')
  /** Random as issuers make them: small letters, capitals and digits are all there. */
  const run = (length: number, alphabet = MIXED): string => {
    for (;;) {
      const made = of(alphabet, length)
      if (/[a-z][A-Z]|[A-Z][a-z]/.test(made) && /\d/.test(made)) return made
    }
  }
  const word = (): string => `${WORDS[any(WORDS.length)]}${of(LETTERS, 3)}${of(DIGITS, 3)}`
  const body = (lines: number): string[] => Array.from({ length: lines }, () => run(64, BASE64))
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const url = (text: string): string => Buffer.from(text).toString('base64url')
  const dashes = '-'.repeat(5)
  const pem = (kind: string, lines: readonly string[]): string[] => [`${dashes}BEGIN ${kind}${dashes}`, ...lines, `${dashes}END ${kind}${dashes}`]

  const made: Planted[] = []
  const plant = (name: string, secret: string, text: (secret: string) => string, typed?: (secret: string) => string): void =>
    void made.push({ name, secret, text: text(secret), typed: (typed ?? ((it) => quoted(text(it))))(secret) })
  const token = (name: string, head: string, secret: string): void => plant(name, secret, (it) => `${head}${it}`)

  token('AWS key id', 'AK' + 'IA', of(`${LETTERS.toUpperCase()}234567`, 16))
  plant('AWS secret key', run(40, BASE64), (it) => `aws_secret_access_key = ${it}`)
  token('AWS session key id', 'AS' + 'IA', of(`${LETTERS.toUpperCase()}234567`, 16))
  token('GitHub, classic', 'gh' + 'p_', run(36))
  token('GitHub, fine-grained', 'github' + '_pat_', `${run(22)}_${run(59)}`)
  token('GitHub, an application', 'gh' + 's_', run(36))
  token('GitLab', 'gl' + 'pat-', run(20, URLSAFE))
  token('Slack bot', 'xo' + 'xb-', `${of(DIGITS, 12)}-${of(DIGITS, 12)}-${run(24)}`)
  token('npm', 'np' + 'm_', run(36))
  token('OpenAI', 'sk' + '-proj-', run(48, URLSAFE))
  token('Anthropic', 'sk' + '-ant-api03-', run(93, URLSAFE))
  token('SendGrid', 'SG' + '.', `${run(22)}.${run(43)}`)
  token('Stripe, live', 'sk' + '_live_', run(24))
  token('Stripe, test', 'sk' + '_test_', run(24))
  token('Google API key', 'AI' + 'za', run(35, URLSAFE))
  token('Google access token', 'ya' + '29.', run(60, URLSAFE))
  token('Hugging Face', 'hf' + '_', run(34))
  token('Docker', 'dckr' + '_pat_', run(27, URLSAFE))
  token('Vault', 'hv' + 's.', run(24))
  token('PyPI', 'py' + 'pi-AgEIcHlwaS5vcmcC', run(60, URLSAFE))
  plant('JSON web token', `${url(`{"sub":"${word()}","n":"${word()}"}`)}.${run(43, URLSAFE)}`, (it) => `${url('{"alg":"HS256","typ":"JWT"}')}.${it}`)
  plant('bearer header', run(32), (it) => `Authorization: Bearer ${it}`, (it) => `-H 'Authorization: Bearer ${it}'`)
  plant('basic header', base64(`${word()}:${word()}`), (it) => `Authorization: Basic ${it}`, (it) => `-H "Authorization: Basic ${it}"`)
  plant('header of an API', run(32), (it) => `X-Api-Key: ${it}`, (it) => `-H 'X-Api-Key: ${it}'`)
  plant('named value', run(32), (it) => `SERVICE_API_KEY=${it}`)
  plant('password after a colon', word(), (it) => `password: ${it}`)
  plant('password in YAML', word(), (it) => `DB_PASSWORD: "${it}"`)
  plant('password in JSON', word(), (it) => `{"user":"app","password":"${it}"}`)
  plant('password in the environment', word(), (it) => `PGPASSWORD=${it}`)
  plant('URL with a password', word(), (it) => `https://deploy:${it}@git.example.com/app.git`)
  plant('URL with a token', run(36), (it) => `https://x-access-token:${'gh' + 's_'}${it}@github.com/dev/app.git`)
  plant('Postgres', word(), (it) => `postgres://app:${it}@db.example.com:5432/app`)
  plant('Mongo', word(), (it) => `mongodb+srv://app:${it}@cluster0.example.net/app?retryWrites=true`)
  plant('Redis', word(), (it) => `redis://:${it}@cache.example.com:6379/0`)
  plant('MySQL', word(), (it) => `mysql://root:${it}@127.0.0.1/app`)
  for (const [name, kind] of [['RSA key', 'RSA PRIVATE' + ' KEY'], ['OpenSSH key', 'OPENSSH PRIVATE' + ' KEY'], ['PGP key', 'PGP PRIVATE' + ' KEY BLOCK']] as const)
    plant(name, body(6).join('\n'), (it) => pem(kind, it.split('\n')).join('\n'))
  const plain = 'PRIVATE' + ' KEY'
  plant('key on one line', body(4).join(' '), (it) => pem(plain, it.split(' ')).join(' '))
  plant('key in JSON', body(4).join('\\n'), (it) => `{"private_key":"${pem(plain, it.split('\\n')).join('\\n')}\\n"}`)
  plant('key in a log', body(4).join('\n'), (it) => pem(plain, it.split('\n')).map((line) => `2026-06-01T10:00:00Z app[12] ${line}`).join('\n'))
  plant('key that was cut off', body(4).join('\n'), (it) => pem(plain, it.split('\n')).slice(0, -1).join('\n'))
  plant('key data in base64', base64(pem('EC ' + plain, body(2)).join('\n')).slice(48), (it) => `client-key-data: ${base64(pem('EC ' + plain, ['']).join('\n')).slice(0, 36)}${it}`)
  plant('curl -u', word(), (it) => `curl -u admin:${it} https://api.example.com/v1/items`, (it) => `; curl -u admin:${it} https://api.example.com/v1/items`)
  plant('--otp', of(DIGITS, 6), (it) => `npm publish --otp ${it}`, (it) => `--otp ${it}`)
  plant('--otp=', of(DIGITS, 6), (it) => `npm publish --otp=${it}`, (it) => `--otp=${it}`)
  plant('--token', word(), (it) => `deploy --token ${it}`, (it) => `--token ${it}`)
  plant('--password', word(), (it) => `deploy --password ${it}`, (it) => `--password ${it}`)
  plant('--password=', word(), (it) => `deploy --password='${it}'`, (it) => `--password='${it}'`)
  plant('-p of a login', word(), (it) => `docker login -u dev -p ${it} registry.example.com`, (it) => `; docker login -u dev -p ${it} registry.example.com`)
  plant('-p of MySQL', word(), (it) => `mysql -uroot -p${it} app`, (it) => `; mysql -uroot -p${it} app`)
  plant('-p of sshpass', word(), (it) => `sshpass -p ${it} ssh dev@example.com`, (it) => `; sshpass -p ${it} ssh dev@example.com`)
  plant('_authToken', run(36), (it) => `//registry.example.com/:_authToken=${it}`)
  plant('_auth', base64(`${word()}:${word()}`), (it) => `//registry.example.com/:_auth=${it}`)
  plant('Azure storage', run(86, BASE64), (it) => `DefaultEndpointsProtocol=https;AccountName=app;AccountKey=${it}==;EndpointSuffix=core.windows.net`)
  plant('Azure signature', run(43), (it) => `https://app.blob.core.windows.net/c?sv=2024-11-04&sr=c&sig=${it}%3D`)
  plant('Azure client secret', `${run(3)}8Q~${run(34)}`, (it) => `AZURE_CLIENT_SECRET=${it}`)
  plant('Google service account', body(3).join('\\n'), (it) => `{"type":"service_account","project_id":"app","private_key_id":"${of(HEX, 40)}","private_key":"${pem(plain, it.split('\\n')).join('\\n')}\\n","client_email":"a@app.iam.gserviceaccount.com"}`)
  token('Twilio', 'S' + 'K', of(HEX, 32))
  plant('Twilio auth token', of(HEX, 32), (it) => `TWILIO_AUTH_TOKEN=${it}`)
  token('Mailgun', 'ke' + 'y-', of(HEX, 32))
  plant('Telegram', run(33, URLSAFE), (it) => `https://api.telegram.org/bot${of(DIGITS, 10)}:AA${it}/sendMessage`)
  plant('Discord web hook', run(68, URLSAFE), (it) => `https://discord.com/api/webhooks/${of(DIGITS, 18)}/${it}`)
  plant('Slack web hook', run(24), (it) => `https://hooks.slack.com/services/T${of(DIGITS, 8)}/B${of(DIGITS, 8)}/${it}`)
  plant('Datadog', of(HEX, 32), (it) => `DD_API_KEY=${it}`)
  token('age', 'AGE-SECRET' + '-KEY-1', of(`${LETTERS.toUpperCase()}${DIGITS}`, 58))
  plant('netrc', word(), (it) => `machine git.example.com login dev password ${it}`)
  plant('cookie', run(40), (it) => `Cookie: session=${it}; theme=dark`)
  plant('set-cookie', run(40), (it) => `set-cookie: sid=${it}; Path=/; HttpOnly`)
  plant('long run', run(40), (it) => it)
  plant('long run of URL-safe base64', run(44, URLSAFE), (it) => it)
  plant('key base in hex', of(HEX, 64), (it) => `SECRET_KEY_BASE=${it}`)
  plant('secret key in Python', `${run(20)}!@#${run(20)}`, (it) => `SECRET_KEY = '${it}'`, (it) => `"SECRET_KEY='${it}'"`)
  plant('Heroku', `${of(HEX, 8)}-${of(HEX, 4)}-4${of(HEX, 3)}-a${of(HEX, 3)}-${of(HEX, 12)}`, (it) => `HEROKU_API_KEY=${it}`)
  plant('password of Kubernetes in base64', base64(`${word()}-${word()}`), (it) => `  password: ${it}`)
  plant('redis-cli -a', word(), (it) => `redis-cli -a ${it} ping`, (it) => `; redis-cli -a ${it} ping`)
  plant('git header', base64(`x-access-token:${run(36)}`), (it) => `git -c http.extraheader='AUTHORIZATION: basic ${it}' fetch`, (it) => `-c http.extraheader='AUTHORIZATION: basic ${it}'`)
  token('Linear', 'lin' + '_api_', run(40))
  plant('password in JSON in JSON', word(), (it) => String.raw`{\"user\":\"app\",\"password\":\"${it}\"}`)
  plant('password in a form', word(), (it) => `user=app&password=${it}&remember=1`)
  plant('password in XML', word(), (it) => `<server><password>${it}</password></server>`)
  plant('password of Python', word(), (it) => `{'user': 'app', 'password': '${it}'}`)
  plant('password of Go', word(), (it) => `{User:"app", Password:"${it}"}`)
  plant('password in properties', word(), (it) => `spring.datasource.password=${it}`)
  plant('password of JDBC', word(), (it) => `jdbc:mysql://db.example.com/app?user=app&password=${it}`)
  plant('password of ODBC', word(), (it) => `Server=db.example.com;Database=app;User Id=app;Pwd=${it};`)
  plant('password of a message broker', word(), (it) => `amqps://app:${it}@mq.example.com/vhost`)
  plant('environment of a container', word(), (it) => `docker run -e DB_PASSWORD=${it} app`, (it) => `-e DB_PASSWORD=${it}`)
  plant('exported', run(24), (it) => `export DEPLOY_TOKEN="${it}"`)
  plant('environment of PowerShell', run(24), (it) => `$env:SERVICE_SECRET = "${it}"`)
  plant('header in JSON', run(32), (it) => `{"headers":{"Authorization":"Bearer ${it}"}}`)
  plant('header of a token', run(32), (it) => `Authorization: token ${it}`)
  plant('traced by the shell', run(32), (it) => `+ curl -s -H 'Private-Token: ${it}' https://git.example.com/api/v4/user`)
  plant('hash of a password, bcrypt', `${run(53, `${MIXED}./`)}`, (it) => `app:$2b$12$${it}`)
  plant('hash of a password, shadow', `${run(86, `${MIXED}./`)}`, (it) => `app:$6$rounds=5000$saltsalt$${it}:19000:0:99999:7:::`)
  plant('secret of OAuth', `${run(20)}-${run(12)}`, (it) => `"client_secret": "${it}",`)
  plant('access token in an answer', run(40), (it) => `{"access_token":"${it}","expires_in":3600}`)
  plant('refresh token in an answer', run(40), (it) => `refresh_token=${it}`)
  plant('WireGuard', `${run(43, BASE64)}`, (it) => `PrivateKey = ${it}=`)
  plant('recovery by a query', run(32), (it) => `https://app.example.com/reset?token=${it}`)
  plant('URL encoded', word(), (it) => `https://app.example.com/login?next=%2F&user=app&password%3D${it}`)
  return made
}

const WORDS = ['Orchard', 'granite', 'Violet', 'harbour', 'Lantern', 'meadow']

const quoted = (word: string): string => (/^[A-Za-z0-9_@%+=:,./^-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** mulberry32: the same seed, the same numbers. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** What of a secret a text gives away: the whole, its base64 or URL-encoded form, or a part of 12 characters. null: nothing. */
export function leaked({ secret }: Planted, text: string): string | null {
  for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -4), Buffer.from(secret).toString('base64url').slice(0, -4)])
    if (stands(form, text)) return form
  for (let at = 0; at + PART <= secret.length; at++) {
    const part = secret.slice(at, at + PART)
    if (text.includes(part)) return part
  }
  return null
}

const PART = 12

/** Digits may stand within a digest by chance. */
const stands = (form: string, text: string): boolean => (/^[0-9]+$/.test(form) ? new RegExp(`(?<![0-9a-f])${form}(?![0-9a-f])`).test(text) : form.length >= 6 && text.includes(form))
