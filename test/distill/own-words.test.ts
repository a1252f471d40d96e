import { describe, expect, it } from 'vitest'
import { type Step, distilled, ran } from './session.ts'

const TO = 'To github.com:dev/clockwork.git\n'
const MOVED = '   4d68648..9d53c58  main -> main\n'
const PUSH = 'git push origin main 2>&1 | tail -2'
const OPENED = 'https://github.com/dev/clockwork/pull/7\n'
const RELEASED = 'https://github.com/dev/clockwork/releases/tag/v1\n'

const told = async (...steps: Step[]): Promise<string[]> =>
  ((await distilled(steps)).remnant?.non_idempotent_commits ?? []).filter(({ outcome }) => outcome.is !== 'unknown').map(({ mutation, identifier }) => `${mutation.argv.join(' ')} = ${identifier}`)
const PUSHED = ['git push origin main = refs/heads/main']

describe('a push in a line of several commands is told by its own report', () => {
  it.each([
    ['before words that hold what quiet commands print', `${PUSH}; git fetch origin -q; echo "local:  $(git rev-parse HEAD)"; git status -sb | head -1; echo "left: $(git status --short | wc -l | tr -d ' ')"`, `${TO}${MOVED}local:  9d53c58aa\n## main...origin/main\nleft: 0\n`],
    ['behind a check, a commit and one line of the history', `python3 -m py_compile tools/run.py && git add -A && git commit -m "feat: x\n\n- y" && git log --oneline -1 && ${PUSH}`, `[main 9d53c58] feat: x\n 1 file changed\n9d53c58 feat: x\n${TO}${MOVED}`],
    ['behind a commit whose message is a here-document', `git commit -q -F - <<'EOF'\nfeat: x\nEOF\ngit log --oneline -1 && ${PUSH}`, `9d53c58 feat: x\n${TO}${MOVED}`],
    ['below a heading, behind a history that holds any text', `git log -1 --format='%h %s%n%b' | head -12; git ls-files -s run.py | cut -c1-6; echo "== push"; git push origin main 2>&1 | tail -8`, `9d53c58 feat\nfixes: all\n100755\n== push\n[hook] Pushing 2 ref(s).... done\n${TO}${MOVED}`],
    ['among the lines of hooks and of the server', 'git push origin main', `[hook] Pushing 1 ref(s) to origin.... done\nremote: \nremote: Create a request by visiting:\nremote:      https://github.com/dev/clockwork/pull/new/main\n${TO}${MOVED}`],
    ['with the first line of it cut off', `git log --format="%h %s" -1 && ${PUSH}`, `9d53c58 feat\n${MOVED}branch 'main' set up to track 'origin/main'.\n`],
    ['beside a file that is only counted', `${PUSH}; cat notes.md | wc -l`, `${TO}${MOVED}12\n`],
    ['beside a file that another command reads', `git log -1 --format=%b > body.md; ${PUSH}`, `${TO}${MOVED}`],
    ['without variables that were taken from it', "env -u GH_TOKEN -u GITHUB_TOKEN git push origin main", `${TO}${MOVED}`],
  ])('%s', async (_, line, output) => {
    expect(await told(ran(line, 0, output))).toEqual(PUSHED)
  })

  it('with settings that name its credentials', async () => {
    expect(await told(ran("env -u GH_TOKEN git -c credential.helper= -c 'credential.helper=!gh auth git-credential' push -u origin main", 0, TO + MOVED))).toEqual(['git -c credential.helper= -c credential.helper=!gh auth git-credential push -u origin main = refs/heads/main'])
  })

  it.each([
    ['a file was shown', `cat notes.md; ${PUSH}`],
    ['a file was shown under a filter', `cat notes.md | tail -5; ${PUSH}`],
    ['words say it', `${PUSH}; echo "To x"; echo "   4d68648..9d53c58  main -> main"`],
    ['words hold what a file says', `${PUSH}; echo "$(cat notes.md)"`],
    ['words hold what a variable says', `x=$(cat notes.md); ${PUSH}; echo "$x"`],
    ['words hold what the history says', `${PUSH}; echo "$(git log -1 --format=%b)"`],
    ['words hold a count that was made into others', `${PUSH}; echo "$(git status --short | wc -l | sed 's/.*/To x/')"`],
    ['the history shows whole messages', `git log -1 --format='%h%n%b'; ${PUSH}`],
    ['the history shows messages without their hashes', `git log -1 --format=%s; ${PUSH}`],
    ['the history lost its hashes on the way', `git log --oneline -3 | cut -c9-; ${PUSH}`],
    ['what is quiet was made into other lines', `git status --short | sed 's/^/To /'; ${PUSH}`],
    ['a program of the repository ran before it', `python3 tools/run.py; ${PUSH}`],
    ['a test ran before it', `npm test && ${PUSH}`],
    ['a fetch was cut off behind it', `${PUSH}; git fetch origin main:main 2>&1 | tail -1`],
    ['another push ran too', `git push backup main 2>&1 | tail -2; ${PUSH}`],
    ['a push before it said so, and its own status stands for it', 'git push backup main 2>&1 | tail -2; git push origin main'],
    ['the heading stands twice', `cat notes.md; echo "== push"; ${PUSH}`, `== push\n${TO}${MOVED}== push\n`],
    ['the program speaks on both its outputs above the heading', `python3 tools/run.py; echo "== push"; ${PUSH}`, `== push\n${TO}${MOVED}`],
    ['it was the file below its own heading', `${PUSH}; echo "== notes"; cat notes.md`, `== notes\n${TO}${MOVED}`],
    ['its words are worked out', `git push origin "$BRANCH" <<'EOF'\nx\nEOF`],
    ['words of it come out of a pipe', 'git branch --list | xargs git push origin main'],
  ])('and not, where %s', async (_, line, output = TO + MOVED) => {
    expect(await told(ran(line, 0, output))).toEqual([])
  })

  it.each([
    ['failed', PUSH, " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'x'\n"],
    ['moved nothing', PUSH, 'Everything up-to-date\n'],
    ['may have been passed over', `cd missing && ${PUSH} || git status -sb`, '## main\n'],
  ])('and not, where it %s', async (_, line, output) => {
    expect(await told(ran(line, 0, output))).toEqual([])
  })
})

describe('a request or a release in a line of several commands', () => {
  it.each([
    ['whose text is a here-document, behind a filter', "gh pr create --base main --head feat --title x --body \"$(cat <<'EOF'\nClears `y`.\nEOF\n)\" 2>&1 | tail -3", OPENED, ['pull/7']],
    ['whose text comes out of a pipe', 'git show v1:CHANGES.md | awk "/x/" | gh release create v1 --repo dev/clockwork --notes-file -', RELEASED, ['v1']],
    ['whose notes were shown before it', "test -s notes.md && sed -n '1,40p' notes.md && gh release edit v1 --repo dev/clockwork --notes-file notes.md", `> text\n${RELEASED}`, ['v1']],
    ['that a push stands before', `${PUSH}; gh pr create --fill --head main 2>&1 | tail -2`, `${TO}${MOVED}${OPENED}`, ['refs/heads/main', 'pull/7']],
  ])('is told: %s', async (_, line, output, identifiers) => {
    expect((await told(ran(line, 0, output))).map((text) => text.slice(text.lastIndexOf(' = ') + 3))).toEqual(identifiers)
  })

  it.each([
    ['that exists already', 'gh pr create --head feat --title x --body y 2>&1 | tail -2', `a pull request for branch "feat" into branch "main" already exists:\n${OPENED}`],
    ['of which one line alone is shown', 'gh pr create --head feat --title x --body y 2>&1 | tail -1', OPENED],
    ['beside a file', 'cat notes.md; gh pr create --head feat --title x --body y 2>&1 | tail -3', OPENED],
    ['beside another request', 'gh pr create --head a --title x --body y 2>&1 | tail -3; gh pr create --head b --title x --body y 2>&1 | tail -3', OPENED],
    ['whose end another command may have printed', 'gh release edit v1 --notes-file notes.md && cat notes.md', RELEASED],
    ['of which nobody kept the status', 'cat notes.md; gh release edit v1 --notes-file notes.md || true', RELEASED],
    ['that says nothing below a file', 'cat notes.md && gh release edit v1 --notes-file notes.md', `${RELEASED}done\n`],
    ['that was deleted', 'cat notes.md && gh release delete v1 --yes', RELEASED],
    ['whose words the shell works out', 'gh release create "$TAG" --repo dev/clockwork --notes x', RELEASED],
  ])('is not told: %s', async (_, line, output) => {
    expect(await told(ran(line, 0, output))).toEqual([])
  })
})
