import { describe, expect, it } from 'vitest'
import { changesOf, touches } from '../../src/distill/changes.ts'
import { readShell } from '../../src/model/shell.ts'

const touchedBy = (text: string, key: string): boolean =>
  changesOf(readShell(text, { folder: '.', root: '/home/dev/w' }), text, ({ argv }) => /^(?:npm (?:test|run build)|npx eslint src)$/.test(argv.join(' '))).some((change) => touches(change, key))

describe('what a shell text may have changed', () => {
  it.each([
    ['echo "{}" > package.json', 'file:package.json', true],
    ['echo x > notes.txt', 'file:package.json', false],
    ['sed -i s/a/b/ package.json', 'file:package.json', true],
    ['sed -n 1,5p package.json', 'file:package.json', false],
    ['mv a.json package.json', 'file:package.json', true],
    ['rm -rf src', 'tree:src', true],
    ['rm -rf docs', 'tree:src', false],
    ['touch src/new.ts', 'tree:.', true],
    ['touch src/new.ts', 'reads:[".","npm","test"]', true],
    ['mkdir -p conf && cp x conf/app.toml', 'absent:conf/app.toml', true],
    ['cp package.json docs/old.json', 'file:package.json', false],
    ['cp /home/dev/other.json docs/old.json', 'file:package.json', false],
    ['cp /home/dev/other.json package.json', 'file:package.json', true],
    ['cp -t . /home/dev/package.json', 'file:package.json', true],
    ['cp -rt docs /home/dev/a package.json', 'file:package.json', false],
    ['cp -rt. /home/dev/a docs', 'file:package.json', true],
    ['cp -rtdocs /home/dev/a package.json', 'file:package.json', false],
    ['cp /home/dev/other.json package.json -S .bak', 'file:package.json', true],
    ['cp /home/dev/other.json package.json --suffix .bak', 'file:package.json', true],
    ['cp -rt . /home/dev/a docs', 'file:package.json', true],
    ['ln -s /home/dev/package.json', 'file:package.json', true],
    ['git worktree add .worktrees/a -b a', 'file:package.json', false],
    ['git worktree add .worktrees/a -b a', 'file:.worktrees/a/package.json', true],
    ['git worktree add -b a ../a main', 'tree:.', false],
    ['git worktree list', 'tree:.', false],
    ['git worktree remove docs', 'tree:docs', true],
    ['git -C sub worktree add "$where"', 'file:package.json', true],
    ['python main.py --once', 'file:package.json', false],
    ['uv run --script main.py --once', 'file:package.json', false],
    ['uv run python main.py', 'file:package.json', false],
    ['uv run python scripts/sync.py', 'file:package.json', true],
    ['uv run unknown', 'file:package.json', true],
    ['git checkout main', 'file:package.json', true],
    ['git status', 'file:package.json', false],
    ['git commit -m x', 'file:package.json', false],
    ['git stash pop', 'tree:src', true],
    ['npm install left-pad', 'lock:npm/left-pad', true],
    ['npm install', 'tool:jest', true],
    ['npm ci', 'absent-tool:jest', true],
    ['npm test', 'file:package.json', false],
    ['npm run build', 'file:package.json', false],
    ['pip install pytest', 'tool:pytest', true],
    ['apt-get install -y jq', 'absent-tool:jq', true],
    ['npx prettier --write .', 'tree:.', true],
    ['npx eslint --fix src', 'tree:src', true],
    ['npx eslint src', 'tree:src', false],
    ["python3 - <<'EOF'\nopen('package.json','w').write('{}')\nEOF", 'file:package.json', true],
    ["python3 -c 'import sys; print(sys.version)'", 'file:package.json', false],
    ['npm install', 'platform', false],
    ['"unterminated', 'file:package.json', true],
  ] as const)('%s and %s: %s', (text, key, expected) => {
    expect(touchedBy(text, key)).toBe(expected)
  })
})
