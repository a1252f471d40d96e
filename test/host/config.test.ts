import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/host/config.ts'
import { CONFIG_FIELDS, Config } from '../../src/model/config.ts'
import { sha256 } from '../../src/base/digest.ts'
import { openApprovals } from '../../src/host/trust/approvals.ts'
import { openFiles } from '../../src/host/files.ts'
import type { Repository } from '../../src/host/git.ts'

function load({ tracked, local, accepted, bare = false }: { tracked?: unknown; local?: unknown; accepted?: string; bare?: boolean }) {
  const dir = mkdtempSync(join(tmpdir(), 'remnant-config-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const put = (path: string, value: unknown): void => {
    if (value === undefined) return
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), typeof value === 'string' ? value : JSON.stringify(value))
  }
  put('.remnants/config.json', tracked)
  put('.git/remnant/config.json', local)
  const gitDir = join(dir, '.git')
  const repository: Repository = { gitDir, commonDir: gitDir, workTree: bare ? null : dir, objectFormat: 'sha1', refStorage: 'files', bare, shallow: false }
  if (accepted !== undefined) openApprovals(repository, openFiles(), 'root').approveConfig(sha256(accepted))
  return loadConfig(repository, openFiles())
}

const schema = 'git-remnant/config/1'

describe('the configuration', () => {
  it('is empty where there is none', () => {
    expect(load({})).toEqual({ schema })
  })

  it('comes from the tracked file, less what widens trust', () => {
    const tracked = {
      schema,
      repository_root: 'a'.repeat(40),
      ambient: ['os-release'],
      structural: ['tool:node'],
      env_values: ['CI'],
      gate: { setup: [['npm', 'ci']], copy: ['node_modules'], timeout_s: 9 },
      interfaces: { api: { command: ['./api', '--version'] } },
      guard: 'off',
      share: 'origin',
      signers: 'signers',
    }
    const { repository_root, ambient, structural, env_values } = tracked
    expect(load({ tracked })).toEqual({ schema, repository_root, ambient, structural, env_values, gate: { copy: ['node_modules'], timeout_s: 9 } })
  })

  it('comes from the local file whole, which wins by field', () => {
    const local = { guard: 'note', share: 'mine', gate: { setup: [['make']], timeout_s: 5 }, ambient: [] }
    const tracked = { guard: 'off', ambient: ['os-release'], env_values: ['CI'], gate: { setup: [['evil']], copy: ['vendor'], timeout_s: 9 } }
    expect(load({ tracked, local })).toEqual({ schema, guard: 'note', share: 'mine', ambient: [], env_values: ['CI'], gate: { setup: [['make']], copy: ['vendor'], timeout_s: 5 } })
  })

  it('comes whole from a tracked file that was accepted, byte for byte', () => {
    const tracked = JSON.stringify({ guard: 'off', share: 'origin', gate: { setup: [['npm', 'ci']], timeout_s: 9 } })
    expect(load({ tracked, accepted: tracked })).toEqual({ schema, guard: 'off', share: 'origin', gate: { setup: [['npm', 'ci']], timeout_s: 9 } })
    expect(load({ tracked, accepted: tracked, local: { guard: 'note' } })).toMatchObject({ guard: 'note', share: 'origin' })
    expect(load({ tracked: `${tracked}\n`, accepted: tracked })).toEqual({ schema, gate: { timeout_s: 9 } })
  })

  it('of a bare repository is the local one', () => {
    expect(load({ tracked: { ambient: [] }, local: { share: 'mine' }, bare: true })).toEqual({ schema, share: 'mine' })
  })

  it.each([
    ['{"ambient":', 'configuration ".remnants/config.json": text is not JSON'],
    ['{"a":1,"a":2}', 'configuration ".remnants/config.json": JSON has a key twice in one object, at character 7'],
    [{ s3cret: 1 }, 'configuration ".remnants/config.json" has an unknown field'],
    [{ gate: { s3cret: 1 } }, 'configuration ".remnants/config.json" has an unknown field at "gate"'],
    [{ ambient: ['s3cret key\n'] }, 'configuration ".remnants/config.json" has a value that is not allowed at "ambient[0]"'],
    [{ gate: { setup: [[]] } }, 'configuration ".remnants/config.json" has a value that is not allowed at "gate.setup[0]"'],
    [[], 'configuration ".remnants/config.json" lacks an object'],
    [{ schema: 'git-remnant/config/2' }, 'configuration ".remnants/config.json" has a schema that this version does not know'],
  ])('refuses %j and says where', (tracked, message) => {
    expect(() => load({ tracked })).toThrow(expect.objectContaining({ fault: 'malformed', message, hint: expect.stringMatching(/./) }))
  })

  it('names the local file as such', () => {
    expect(() => load({ local: { guard: 's3cret' } })).toThrow(
      expect.objectContaining({ message: 'configuration "remnant/config.json in the git directory" has a value that is not allowed at "guard"' }),
    )
  })
})

it('names all fields that there are, for whoever wrote another', () => {
  const { gate, ...fields } = Config.shape
  expect([...CONFIG_FIELDS].sort()).toEqual([...Object.keys(fields), ...Object.keys(gate.def.innerType.shape).map((field) => `gate.${field}`)].sort())
})
