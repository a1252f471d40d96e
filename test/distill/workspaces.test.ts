import { describe, expect, it } from 'vitest'
import { type Step, distilled, edited, kept, ran } from './session.ts'

const edit = (path: string): Step => ({ kind: 'edit', command: null, edits: [{ path: `/home/dev/clockwork/${path}`, before: 'a'.repeat(40), after: 'b'.repeat(40) }] })

describe('a gate of a workspace', () => {
  it.each(['npm --workspace a run typecheck', 'npm -w a test', 'npm test --workspaces', 'pnpm --filter a test', 'pnpm -r test', 'yarn workspace a test', 'yarn workspaces run test', 'vp run --filter=a test', "vp run 'a#test'"])(
    'outlives an edit of a source, not one of a manifest: %s',
    async (gate) => {
      const after = async (...steps: readonly Step[]) => kept(await distilled([ran(gate), ...steps]))
      const holds = [`invariant \`${gate}\` is a gate of \`.\` [recorded]`]
      expect(await after()).toEqual(holds)
      expect(await after(edited('packages/a/src/main.ts'))).toEqual(holds)
      expect(await after(edit('packages/a/tsconfig.json'))).toEqual(holds)
      expect(await after(ran('rm packages/a/src/main.ts'))).toEqual(holds)
      expect(await after(edited('packages/a/package.json'))).toEqual([])
      expect(await after(edit('packages/a/package.json'))).toEqual([])
      expect(await after(edited('package.json'))).toEqual([])
      expect(await after(ran('rm -r packages/b'))).toEqual([])
      expect(await after(ran('git checkout main'))).toEqual([])
    },
  )

  it('rests on what else its manager reads', async () => {
    const after = async (gate: string, path: string) => kept(await distilled([ran(gate), edit(path)])).length
    expect(await after('pnpm -r test', 'pnpm-workspace.yaml')).toBe(0)
    expect(await after('npm test --workspaces', 'pnpm-workspace.yaml')).toBe(1)
    expect(await after('vp run -r test', 'packages/a/vite.config.ts')).toBe(0)
    expect(await after('pnpm -r test', 'packages/a/vite.config.ts')).toBe(1)
  })

  it('rests on every file where its name may be that of a program', async () => {
    expect(kept(await distilled([ran('pnpm --filter a vitest'), edit('packages/a/vitest.config.ts')]))).toEqual([])
  })
})
