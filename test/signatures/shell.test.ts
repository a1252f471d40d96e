import { describe, expect, it } from 'vitest'
import shell from '../../src/signatures/shell.ts'
import { toolchains } from '../../src/signatures.ts'
import { ended, failureOf, typed } from './asking.ts'

describe('the fallback', () => {
  it('is the last of the set, and knows every command', () => {
    expect(toolchains.at(-1)).toBe(shell)
    for (const line of ['curl -s x', './x.sh', 'foo', '']) expect(shell.knows(typed(line))).not.toBeNull()
  })

  it.each([
    ['convert a.png', '.', { verifies: false, readsSources: false, delegates: false, keys: ['tool:convert'] }],
    ['jq . data.json', 'p', { verifies: false, readsSources: false, delegates: false, keys: ['tool:p/jq', 'file:p/data.json'] }],
    ['sort < names', '.', { verifies: false, readsSources: false, delegates: false, keys: ['tool:sort', 'file:names'] }],
    ['./scripts/gen.sh', '.', { verifies: false, readsSources: true, delegates: true, keys: ['file:scripts/gen.sh'] }],
    ['./scripts/check.sh', '.', { verifies: true, readsSources: true, delegates: true, keys: ['file:scripts/check.sh'] }],
    ['./scripts/check.sh --fix', '.', { verifies: false, readsSources: true, delegates: true, keys: ['file:scripts/check.sh'] }],
    ['bash -e run-tests', 'p', { verifies: true, readsSources: true, delegates: true, keys: ['tool:p/bash', 'file:p/run-tests'] }],
    ['git --version', '.', { verifies: true, readsSources: false, delegates: false, keys: ['tool:git'] }],
  ])('rests on the program and the files that it is given: %s', (line, folder, invocation) => {
    expect(shell.knows(typed(line, folder))).toEqual(invocation)
  })

  it('has no closing lines of its own', () => {
    expect(shell.summary()).toBeNull()
  })
})

describe('a missing program', () => {
  it.each([
    'bash: line 1: foo: command not found',
    'bash: foo: command not found',
    '/bin/sh: 1: foo: not found',
    'sh: 1: foo: not found',
    'dash: 1: foo: not found',
    'sh: foo: not found',
    'zsh: command not found: foo',
    'zsh:1: command not found: foo',
    '(eval):1: command not found: foo',
    'env: ‘foo’: No such file or directory',
    'sudo: foo: command not found',
    'nohup: failed to run command ‘foo’: No such file or directory',
    'fish: Unknown command: foo',
  ])('is one signature in every shell: %s', (line) => {
    expect(failureOf(shell, 'foo --x', `${line}\n`, 127)).toEqual({ class: 'program-missing', lines: ['foo: command not found'], keys: ['absent-tool:foo'] })
  })

  it.each([
    ['Windows PowerShell', "foo : The term 'foo' is not recognized as the name of a cmdlet, function, script file, or operable program. Check the \nspelling of the name, or if a path was included, verify that the path is correct and try again.\nAt line:1 char:1\n+ foo --x\n+ ~~~\n    + CategoryInfo          : ObjectNotFound: (foo:String) [], CommandNotFoundException\n    + FullyQualifiedErrorId : CommandNotFoundException\n \n"],
    ['PowerShell 7', "foo: The term 'foo' is not recognized as a name of a cmdlet, function, script file, or executable program.\nCheck the spelling of the name, or if a path was included, verify that the path is correct and try again.\n"],
  ])('ends with 1 in %s, which says so at length', (_, output) => {
    expect(failureOf(shell, 'foo --x', output, 1)).toEqual({ class: 'program-missing', lines: ['foo: command not found'], keys: ['absent-tool:foo'] })
    expect(shell.failure(ended('foo --x', `${output}and on\n`, 1))).toMatchObject({ class: null })
  })

  it('behind a runner or a script rests on what calls it too', () => {
    expect(failureOf(shell, 'npm run lint', '\n> app@1.0.0 lint\n> eslintx .\n\nsh: 1: eslintx: not found\n', 127, 'p')).toMatchObject({ class: 'program-missing', lines: ['eslintx: command not found'], keys: ['absent-tool:p/eslintx'] })
    expect(failureOf(shell, 'make miss', 'nopetool --x\nmake: nopetool: No such file or directory\nmake: *** [Makefile:4: miss] Error 127\n', 2)).toMatchObject({ class: 'program-missing', keys: ['absent-tool:nopetool'] })
    expect(failureOf(shell, './ci.sh', './ci.sh: line 3: shfmt: command not found\n', 127)).toMatchObject({ class: 'program-missing', keys: ['absent-tool:shfmt', 'file:ci.sh'] })
    expect(failureOf(shell, './ci.sh', '/usr/bin/env: ‘nopesh’: No such file or directory\n', 127)).toMatchObject({ class: 'program-missing', keys: ['absent-tool:nopesh', 'file:ci.sh'] })
    expect(failureOf(shell, 'cargo build', 'sh: 1: cmake: not found\n', 101)).toMatchObject({ class: null })
  })

  it('is believed by the status or as the last word only', () => {
    expect(shell.failure(ended('curl x', 'bash: line 1: foo: command not found\nand on\n', 1))).toMatchObject({ class: null, keys: [] })
    expect(shell.failure(ended('cat log', 'the log says foo: not found\n', 1))).toMatchObject({ class: null, keys: [] })
  })

  it('that is a path is a missing file, unless an interpreter may be what is missing', () => {
    expect(failureOf(shell, './nope.sh', 'bash: line 1: ./nope.sh: No such file or directory\n', 127, 'p')).toEqual({ class: 'path-missing', lines: ['./nope.sh: No such file or directory'], keys: ['absent:p/nope.sh'] })
    expect(failureOf(shell, 'bash nope.sh', 'bash: nope.sh: No such file or directory\n', 127)).toMatchObject({ class: 'path-missing', keys: ['absent:nope.sh'] })
    expect(failureOf(shell, 'sh nope.sh', 'sh: 0: cannot open nope.sh: No such file\n', 2)).toMatchObject({ class: 'path-missing', keys: ['absent:nope.sh'] })
    expect(shell.failure(ended('./nope.sh', 'dash: 1: ./nope.sh: not found\n', 127))).toMatchObject({ class: null })
    expect(shell.failure(ended('./x.sh', 'bash: line 1: ./x.sh: cannot execute: required file not found\n', 127))).toMatchObject({ class: null })
  })

  it('may be the folder that was to be entered', () => {
    expect(failureOf(shell, 'ls', 'bash: line 1: cd: packages/nope: No such file or directory\n', 1, 'packages/nope')).toMatchObject({ class: 'path-missing', keys: ['absent:packages/nope'] })
    expect(shell.failure(ended('ls', 'bash: line 1: cd: nope: No such file or directory\n', 1, 'other'))).toMatchObject({ class: null })
  })
})

describe('misuse', () => {
  it.each([
    ['ls --foo', "ls: unrecognized option '--foo'"],
    ['python3 -m unittest --foo', 'python3 -m unittest: error: unrecognized arguments: --foo'],
    ['python3 -m json.tool --foo', 'python -m json.tool: error: unrecognized arguments: --foo'],
    ['grep -Y x y', "grep: invalid option -- 'Y'"],
    ['git push --foo', "error: unknown option `foo'"],
    ['cargo test --foo', "error: unexpected argument '--foo' found"],
    ['node --foo x', 'node: bad option: --foo'],
    ['bash --foo', 'bash: --foo: invalid option'],
    ['python3 --foo', 'unknown option --foo'],
    ['npx vitest run --foo', 'CACError: Unknown option `--foo`'],
    ['npx jest --foo', '  Unrecognized option "foo".'],
    ['npx eslint --foo', "Invalid option '--foo' - perhaps you meant '--fix'?"],
    ['tool --foo=1', "error: unknown option '--foo=1'"],
    ['gh pr list --foo', 'unknown flag: --foo'],
    ['go test -foo', 'flag provided but not defined: -foo'],
    ['go foo', 'go foo: unknown command'],
    ['flask --foo', 'Error: No such option: --foo'],
    ['make --foo', "make: unrecognized option '--foo'"],
  ])('is a word of the command that the program refuses: %s', (line, output) => {
    const failure = failureOf(shell, line, `${output}\n`, 2)
    expect(failure).toMatchObject({ class: 'usage', lines: [output.trim()] })
    expect(failure.keys[0]).toMatch(/^tool:/)
  })

  it('is of no class where a plug-in that no key shows may take the word', () => {
    for (const line of ['pytest --foo', 'python3 -m pytest --foo', 'tox --foo']) expect(failureOf(shell, line, 'pytest: error: unrecognized arguments: --foo', 4)).toMatchObject({ class: null, keys: [] })
  })

  it.each([
    ['git foo', "git: 'foo' is not a git command. See 'git --help'."],
    ['git -C x foo', "git: 'foo' is not a git command. See 'git --help'."],
    ['cargo foo', 'error: no such command: `foo`'],
    ['gh pr nope', 'unknown command "nope" for "gh pr"'],
  ])('is of no class where an alias or a plug-in may give the word a meaning: %s', (line, output) => {
    expect(failureOf(shell, line, `${output}\n`, 1)).toEqual({ class: null, lines: [output], keys: [] })
  })

  it('rests on the tool behind its runner, as seen from the folder', () => {
    expect(failureOf(shell, 'npx vitest run --foo', 'CACError: Unknown option `--foo`\n', 1, 'p').keys).toEqual(['tool:p/vitest'])
  })

  it('is none where the command has no such word, or the words are quoted', () => {
    expect(shell.failure(ended('npm test', "error: unknown option '--bar'\n"))).toMatchObject({ class: null })
    expect(shell.failure(ended('tool --foo', "the log had: error: unknown option '--foo'\n"))).toMatchObject({ class: null })
  })
})

describe('a refusal', () => {
  it('of this machine is told by the tool, and rests on who may', () => {
    expect(failureOf(shell, 'mkdir /srv/x', 'mkdir: cannot create directory ‘/srv/x’: Permission denied\n', 1)).toMatchObject({ class: 'denied', keys: ['privilege'] })
  })

  it.each([
    ['git push', 'git@git.example: Permission denied (publickey).'],
    ['git push', "fatal: could not read Username for 'https://git.example': terminal prompts disabled"],
    ['git push', "fatal: Authentication failed for 'https://git.example/r.git/'"],
    ['git push', "fatal: unable to access 'https://git.example/r.git/': The requested URL returned error: 403"],
    ['git push', 'remote: Permission to o/r.git denied to me.\nfatal: unable to access: x'],
    ['git push origin main', ' ! [remote rejected] main -> main (protected branch hook declined)'],
    ['ssh web ls', 'dev@web: Permission denied (publickey,password).'],
    ['ssh web ls', 'Permission denied, please try again.'],
    ['curl -f x', 'curl: (22) The requested URL returned error: 401'],
    ['gh pr list', 'To get started with GitHub CLI, please run:  gh auth login\nAlternatively, populate the GH_TOKEN environment variable with a GitHub API authentication token.'],
    ['gh api x', 'HTTP 401: Bad credentials (https://api.example/x)'],
    ['gh api x', 'gh: Bad credentials (HTTP 401)'],
    ['sudo -n true', 'sudo: a password is required'],
    ['docker push x', 'denied: requested access to the resource is denied'],
    ['docker pull x', 'Error response from daemon: Head "https://r.example/v2/x": unauthorized: authentication required'],
    ['docker push r.example/x', 'no basic auth credentials'],
    ['gcloud run deploy', 'ERROR: (gcloud.run.deploy) You do not currently have an active account selected.'],
    ['aws s3 ls', 'An error occurred (ExpiredToken) when calling the ListBuckets operation: The provided token has expired.'],
    ['aws s3 ls', 'Unable to locate credentials. You can configure credentials by running "aws configure".'],
    ['az group list', "ERROR: Please run 'az login' to setup account."],
    ['kubectl get pods', 'error: You must be logged in to the server (Unauthorized)'],
    ['cargo publish', 'error: no token found, please run `cargo login`\nor use environment variable CARGO_REGISTRY_TOKEN'],
    ['twine upload x', 'ERROR    HTTPError: 403 Forbidden from https://upload.example/legacy/'],
    ['psql x', 'psql: error: connection to server failed: FATAL:  password authentication failed for user "x"'],
    ['tool', 'tool: the session has expired'],
    ['tool', 'Error: authentication required'],
    ['./deploy.sh', 'HTTP 401: Bad credentials'],
    ['tool', 'Error: The value of the X_TOKEN environment variable: invalid access token'],
  ])('for want of a credential is of no class, since no key shows its end: %s → %s', (line, output) => {
    expect(failureOf(shell, line, `${output}\n`, 1)).toMatchObject({ class: null })
  })

  it.each([
    ['gh pr list', 'gh: To use GitHub CLI in an automation environment, set the GH_TOKEN environment variable.', 'env:GH_TOKEN'],
    ['tool', 'tool: authentication required: API_TOKEN is not set', 'env:API_TOKEN'],
  ])('ends where the variable is set that the tool misses: %s → %s', (line, output, key) => {
    expect(failureOf(shell, line, `${output}\n`, 1)).toMatchObject({ class: 'denied', keys: ['privilege', key] })
  })

  it('to run a script rests on its mode, which its folder shows', () => {
    expect(failureOf(shell, './np.sh', 'bash: line 1: ./np.sh: Permission denied\n', 126, 'p')).toEqual({ class: 'denied', lines: ['./np.sh: Permission denied'], keys: ['privilege', 'tree:p'] })
    for (const line of ['sh: 1: ./np.sh: Permission denied', 'git-remnant: ./np.sh: Permission denied', 'env: ‘./np.sh’: Permission denied'])
      expect(failureOf(shell, './np.sh', `${line}\n`, 126, 'p')).toEqual({ class: 'denied', lines: ['./np.sh: Permission denied'], keys: ['privilege', 'tree:p'] })
  })

  it('behind make rests on it too, and on no folder outside', () => {
    expect(failureOf(shell, 'make exe', 'make: ./bin/np.sh: Permission denied\nmake: *** [Makefile:17: exe] Error 127\n', 2, 'p').keys).toEqual(['privilege', 'tree:p/bin'])
    expect(failureOf(shell, 'x', 'bash: line 1: /srv/x.sh: Permission denied\n', 126).keys).toEqual(['privilege'])
  })

  it('is none in a text that holds the words', () => {
    expect(shell.failure(ended('tool', 'see the chapter on permission denied errors\n'))).toMatchObject({ class: null })
  })
})

describe('other failures', () => {
  it('of a program of the repository are red, in its last words', () => {
    expect(failureOf(shell, './scripts/gen.sh', 'working\nerror: 3 files differ\n', 1)).toEqual({ class: 'red', lines: ['error: 3 files differ'], keys: [] })
    expect(failureOf(shell, 'bash gen.sh', 'mismatch in b\n', 4).lines).toEqual(['mismatch in b'])
  })

  it.each([
    ['convert a.png', 'working\nerror: something odd\nbye\n', ['error: something odd']],
    ['tar -xf nowhere.tar', 'tar: nowhere.tar: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n', ['tar: nowhere.tar: Cannot open: No such file or directory', 'tar: Error is not recoverable: exiting now']],
    ['date --date nonsense', 'date: invalid date ‘nonsense’\n', ['date: invalid date ‘nonsense’']],
    ['/usr/bin/foo x', '/usr/bin/foo: info: cannot is a word\n', ['/usr/bin/foo: info: cannot is a word']],
    ['tool', 'one\ntwo rows differ\n\n', ['two rows differ']],
  ])('of any other program are its last words, of no class: %s', (line, output, lines) => {
    expect(shell.failure(ended(line, output))).toEqual({ class: null, lines, keys: [] })
  })

  it('without a word are none', () => {
    expect(shell.failure(ended('tool', '\n'))).toBeNull()
  })

  it.each([
    ['tool', '', 124], ['tool', '', 137], ['./x.sh', 'working\n', 143], ['curl x', 'curl: (6) Could not resolve host: x\n', 6],
    ['./x.sh', 'cp: error writing b: No space left on device\n', 1], ['tool', 'bwrap: setting up uid map: denied\n', 1], ['touch x', 'touch: cannot touch x: Read-only file system\n', 1],
  ])('that pass are transient: %s', (line, output, code) => {
    expect(shell.failure(ended(line, output, code))).toBe('transient')
  })
})

describe('zsh, which puts the reason first', () => {
  it.each([
    ['./gen.sh', '', 127, '(eval):1: no such file or directory: ./gen.sh', 'path-missing', ['absent:gen.sh']],
    ['npm test', 'gone', 1, '(eval):cd:1: no such file or directory: gone', 'path-missing', ['absent:gone']],
    ['npm test', 'gone', 1, 'cd: no such file or directory: gone', 'path-missing', ['absent:gone']],
    ['./gen.sh', '', 126, '(eval):1: permission denied: ./gen.sh', 'denied', expect.anything()],
  ])('is understood as the other shells are: %s in %j (%s)', (line, folder, code, output, kind, keys) => {
    expect(failureOf(shell, line, output, code as number, folder === '' ? '.' : (folder as string))).toMatchObject({ class: kind, keys })
  })

  it('is not, where a function of another script says so', () => {
    expect(failureOf(shell, 'foo x', 'setAll:27: command not found: _encode\nfine\n', 1)).not.toMatchObject({ class: 'program-missing' })
  })
})
