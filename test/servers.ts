import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import { type AddressInfo, createServer as listenOn } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ENV } from './stage.ts'

/** Something that serves the repositories of a folder, on this machine alone. */
export interface Serving {
  url(repository: string): string
  /** Settings that a client needs. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  close(): Promise<void>
}

/** Smart HTTP by git's own program, behind a server of Node's. */
export async function serveHttp(root: string): Promise<Serving> {
  const server: Server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    const child = spawn('git', ['http-backend'], {
      env: {
        ...(ENV as NodeJS.ProcessEnv),
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: 'anybody',
        REQUEST_METHOD: request.method,
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        CONTENT_TYPE: request.headers['content-type'],
        CONTENT_LENGTH: request.headers['content-length'],
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    request.pipe(child.stdin)
    child.stdin.on('error', () => {})
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', () => {
      const bytes = Buffer.concat(chunks)
      const end = bytes.indexOf('\r\n\r\n')
      const headers = bytes.subarray(0, end).toString('latin1').split('\r\n').map((line) => line.split(/: */))
      response.statusCode = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200)
      for (const [name, value] of headers) if (name !== undefined && value !== undefined && name !== 'Status') response.setHeader(name, value)
      response.end(bytes.subarray(end + 4))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (repository) => `http://127.0.0.1:${port}/${repository}`,
    settings: [],
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find((path) => existsSync(path))
export const HAS_SSHD = SSHD !== undefined && spawnSync('ssh', ['-V'], { stdio: 'ignore' }).error === undefined

/** OpenSSH on a port of the loopback, with keys of its own. */
export async function serveSsh(root: string): Promise<Serving> {
  const folder = join(root, 'ssh')
  mkdirSync(folder, { mode: 0o700 })
  const at = (name: string): string => join(folder, name)
  for (const key of ['host', 'user']) spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)])
  writeFileSync(at('accepted'), readFileSync(at('user.pub')), { mode: 0o600 })
  const port = await freePort()
  const lines = [`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${at('host')}`, `AuthorizedKeysFile ${at('accepted')}`, `PidFile ${at('pid')}`, 'StrictModes no', 'UsePAM no', 'PermitRootLogin yes', 'PasswordAuthentication no', 'MaxStartups 200', 'MaxSessions 1000']
  writeFileSync(at('config'), `${lines.join('\n')}\n`)
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const daemon: ChildProcess = spawn(SSHD as string, ['-D', '-f', at('config'), '-E', at('log')], { stdio: 'ignore' })
  const ssh = `ssh -F none -i '${at('user')}' -p ${port} -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR`
  for (let tries = 0; tries < 100 && spawnSync('sh', ['-c', `${ssh} 127.0.0.1 true`], { stdio: 'ignore' }).status !== 0; tries++) await wait(50)
  // Every client has a session of its own over one connection: keys are agreed upon once, and not for each of hundreds.
  const socket = at('socket')
  const master = spawn('sh', ['-c', `exec ${ssh} -o ControlMaster=yes -o ControlPath='${socket}' -N 127.0.0.1`], { stdio: 'ignore' })
  for (let tries = 0; tries < 200 && !existsSync(socket); tries++) await wait(25)
  const ended = (child: ChildProcess): Promise<void> => (child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((resolve) => void (child.once('exit', () => resolve()), child.kill())))
  return {
    url: (repository) => `ssh://${userInfo().username}@127.0.0.1:${port}${join(root, repository)}`,
    settings: [['core.sshCommand', `${ssh} -o ControlMaster=no -o ControlPath='${socket}'`]],
    close: async () => {
      await ended(master)
      await ended(daemon)
    },
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = listenOn().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
