import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import target from '../../src/probes/target.ts'
import { ground, valueOf } from './ground.ts'

describe('target:git-remote', () => {
  it.each([
    ['https://user:tok-en@example.invalid/a/b.git', 'https://example.invalid/a/b.git'],
    ['https://to@ken@example.invalid/a/b.git', 'https://example.invalid/a/b.git'],
    ['ssh://git@example.invalid:22/a/b.git', 'ssh://example.invalid:22/a/b.git'],
    ['git@example.invalid:a/b.git', 'example.invalid:a/b.git'],
    ['https://example.invalid/a/@b.git', 'https://example.invalid/a/@b.git'],
    ['/srv/a@b:c.git', '/srv/a@b:c.git'],
    ['../b.git', '../b.git'],
  ])('of a remote at %s is %s', async (url, value) => {
    const { git, world } = ground()
    git('remote', 'add', 'origin', url)
    expect(await valueOf(target, 'git-remote/origin', world())).toBe(value)
    if (!url.startsWith('.')) expect(await valueOf(target, `git-remote/${url}`, world())).toBe(value)
  })

  it('is where git pushes, rewritten as git does it', async () => {
    const { git, world } = ground()
    git('remote', 'add', 'origin', 'https://example.invalid/fetch.git')
    git('remote', 'set-url', '--push', 'origin', 'short:push.git')
    git('config', 'url.https://long.example.invalid/.insteadOf', 'short:')
    expect(await valueOf(target, 'git-remote/origin', world())).toBe('https://long.example.invalid/push.git')
    git('remote', 'set-url', '--add', '--push', 'origin', 'https://a.example.invalid/x.git')
    expect(await valueOf(target, 'git-remote/origin', world())).toBe('https://a.example.invalid/x.git https://long.example.invalid/push.git')
  })

  it('can not be told where no remote has the name or the URL', async () => {
    const { git, world } = ground()
    git('remote', 'add', 'origin', 'https://example.invalid/a.git')
    for (const id of ['upstream', 'https://example.invalid/b.git']) expect(await valueOf(target, `git-remote/${id}`, world())).toMatch(/^unreadable: no remote/)
  })
})

describe('target:github', () => {
  it.each(['git@github.com:Owner/repo.git', 'https://x@github.com/Owner/repo', 'ssh://git@ssh.github.com:443/owner/repo.git/', 'git://github.com/OWNER/REPO.git'])(
    'is the repository that a remote at %s names',
    async (url) => {
      const { git, world } = ground()
      git('remote', 'add', 'origin', url)
      expect(await valueOf(target, 'github/owner/repo', world())).toBe('github.com/owner/repo')
      expect(await valueOf(target, 'github/owner/other', world())).toMatch(/^unreadable: no remote/)
    },
  )

  it('of another host has the host in it', async () => {
    const { git, world } = ground()
    git('remote', 'add', 'origin', 'git@git.example.invalid:owner/repo.git')
    expect(await valueOf(target, 'github/git.example.invalid/owner/repo', world())).toBe('git.example.invalid/owner/repo')
    expect(await valueOf(target, 'github/owner/repo', world())).toMatch(/^unreadable: no remote/)
  })

  it.each(['https://example.invalid/github.com/owner/repo', 'https://notgithub.com/owner/repo', 'https://github.com.example.invalid/owner/repo'])('is not told by %s', async (url) => {
    const { git, world } = ground()
    git('remote', 'add', 'origin', url)
    expect(await valueOf(target, 'github/owner/repo', world())).toMatch(/^unreadable: no remote/)
  })
})

describe('target:npm', () => {
  it('is the default where nothing configures a registry', async () => {
    expect(await valueOf(target, 'npm/left-pad', ground().world())).toBe('default left-pad')
  })

  it('is the registry that the deed itself named', async () => {
    expect(await valueOf(target, 'npm/https://r.example left-pad', ground().world())).toBe('https://r.example left-pad')
  })

  it('is decided as npm decides it: package, project, user, then the default', async () => {
    const { write, world, home } = ground({ 'package.json': '{"name":"root"}', 'packages/a/package.json': '{"name":"a"}' })
    writeFileSync(join(home, '.npmrc'), '//user.invalid/:_authToken=s3cret\nregistry = "https://user.invalid/npm/"\n')
    expect(await valueOf(target, 'npm/a', world())).toBe('https://user.invalid/npm a')
    write('.npmrc', '; comment\nregistry=https://u:p@project.invalid/\n')
    expect(await valueOf(target, 'npm/a', world())).toBe('https://project.invalid a')
    const env = { npm_config_registry: 'https://env.invalid/' }
    expect(await valueOf(target, 'npm/a', world({ env }))).toBe('https://env.invalid a')
    write('packages/a/package.json', '{"name":"a","publishConfig":{"registry":"https://package.invalid/"}}')
    expect(await valueOf(target, 'npm/a', world({ env }))).toBe('https://package.invalid a')
    expect(await valueOf(target, 'npm/root', world())).toBe('https://project.invalid root')
  })

  it("takes a scope's own registry first, with variables filled in", async () => {
    const { write, world } = ground()
    write('.npmrc', 'registry=https://all.invalid/\n@corp:registry=https://${REGISTRY_HOST}/npm/\n')
    const env = { REGISTRY_HOST: 'corp.invalid' }
    expect(await valueOf(target, 'npm/@corp/x', world({ env }))).toBe('https://corp.invalid/npm @corp/x')
    expect(await valueOf(target, 'npm/@other/x', world({ env }))).toBe('https://all.invalid @other/x')
  })
})

describe('target:gitlab', () => {
  it('is the project that a remote names, however deep its groups', async () => {
    const { git, world } = ground()
    git('remote', 'add', 'origin', 'git@gitlab.com:Group/sub/app.git')
    git('remote', 'add', 'other', 'ssh://git@git.example.invalid:22/group/app.git')
    expect(await valueOf(target, 'gitlab/group/sub/app', world())).toBe('gitlab.com/group/sub/app')
    expect(await valueOf(target, 'gitlab/git.example.invalid/group/app', world())).toBe('git.example.invalid/group/app')
    for (const id of ['group/app', 'sub/app', 'git.example.invalid/app']) expect(await valueOf(target, `gitlab/${id}`, world())).toMatch(/^unreadable: no remote/)
  })
})

describe('target:migrations', () => {
  it('is the database that the environment names, else the .env of the folder, without its password', async () => {
    const { write, world } = ground({ 'api/.env': "OTHER=1\nexport DATABASE_URL='postgres://u:hunter2pass@db.example.invalid/app'\n" })
    expect(await valueOf(target, 'migrations/api', world())).toBe('postgresql://db.example.invalid/app')
    expect(await valueOf(target, 'migrations/api', world({ env: { DATABASE_URL: 'mysql://u:hunter2pass@other.example.invalid/app' } }))).toBe('mysql://other.example.invalid/app')
    expect(await valueOf(target, 'migrations/.', world())).toMatch(/^unreadable: neither/)
    write('.env', 'DATABASE_URL=postgres://u:p@localhost/app\n')
    expect(await valueOf(target, 'migrations/.', world())).toMatch(/^unreadable: its database is on one machine/)
  })
})

describe('target:terraform', () => {
  it('is the folder and its workspace', async () => {
    const { write, world } = ground({ 'infra/main.tf': '' })
    expect(await valueOf(target, 'terraform/infra', world())).toBe('infra default')
    write('infra/.terraform/environment', 'staging')
    expect(await valueOf(target, 'terraform/infra', world())).toBe('infra staging')
    expect(await valueOf(target, 'terraform/infra', world({ env: { TF_WORKSPACE: 'prod' } }))).toBe('infra prod')
    expect(await valueOf(target, 'terraform/gone', world())).toBe('unreadable: there is no such folder')
  })
})

it.each(['http/https://api.example.invalid/x', 'database/postgresql://db.example.invalid/app', 'image/ghcr.io/o/app', 'pypi/lib', 'crates/corp lib', 'rubygems/lib', 'kubernetes/prod/web', 'pulumi/org/app/dev', 'cloud/s3://bucket', 'mail/a@b.invalid', 'host/web:/srv'])(
  'target:%s is where it was, whoever reads it',
  async (argument) => {
    expect(await valueOf(target, argument, ground().world())).toBe(argument.slice(argument.indexOf('/') + 1))
  },
)

it.each(['machine/file:/etc/hosts', 'machine/sqlite:dev.db', 'machine/service:nginx'])('target:%s is of one machine, and can not be told from another', async (argument) => {
  expect(await valueOf(target, argument, ground().world())).toBe('unreadable: it is on one machine, and no key names a machine')
})

it.each(['unheard/x', 'http/', 'constructor/x', 'git-remote', 'git-remote/', 'npm/'])('target:%s can not be told', async (argument) => {
  expect(await valueOf(target, argument, ground().world())).toBe('unreadable: no way to read a target of this kind')
})
