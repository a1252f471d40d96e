import type { Planted } from './planted.ts'
import { type Step, quoted } from './step.ts'

/** Where in a session a secret may stand; what comes of it is judged alone. `it.text` as printed, `it.typed` as typed. */
export const PLACES: Readonly<Record<string, (it: Planted, n: number) => readonly Step[]>> = {
  'words of a command that passed': (it) => [{ command: `npm test -- ${it.typed}`, code: 0, output: PASSED }],
  'words of a command that is not there': (it, n) => [{ command: `frob${n} ${it.typed}`, code: 127, output: `sh: 1: frob${n}: not found` }],
  'words of a command that failed': (it, n) => twice({ command: `node check${n}.mjs ${it.typed}`, code: 1, output: RED }),
  'an assignment before a command': (it) => [{ command: `${assignment(it)} npm test`, code: 0, output: PASSED }],
  'a container': (it) => [{ command: `docker exec ${word(it)} npm test`, code: 0, output: PASSED }],
  'a folder': (it) => [{ folder: `packages/${it.text}`, command: 'npm test', code: 0, output: PASSED }, { folder: `packages/${it.text}`, command: 'frob', code: 127, output: 'sh: 1: frob: not found' }],
  'a folder that is entered': (it) => [{ command: `cd ${word(it)} && npm test`, code: 0, output: PASSED }],
  'the id of a record': (it, n) => [
    { record: `${it.text}`, command: `npm run check${n}`, code: 0, output: PASSED },
    { record: `${it.text} 2`, command: `frob${n}`, code: 127, output: `sh: 1: frob${n}: not found` },
    { record: `${it.text} 3`, command: `node some${n}.mjs`, code: 1, output: 'something odd' },
  ],
  'the output of what passed': (it, n) => [{ command: `npm run test${n}`, code: 0, output: `${it.text}\n${PASSED}${it.text}\n` }],
  'the output of a test that failed': (it, n) => twice({ command: `npx vitest run t${n}`, code: 1, output: ` FAIL  test/a.test.ts > adds\nAssertionError: expected '${it.text}' to be 'x'\n ❯ test/a.test.ts:3:5\n\n Tests  1 failed (1)\n` }),
  'the output of a program that failed': (it, n) => twice({ command: `node check${n}.mjs`, code: 1, output: `file:///home/dev/clockwork/check.mjs:3\nthrow new Error(x)\n\nError: cannot use ${it.text}\n    at run (check.mjs:3:9)\n` }),
  'the output of Python': (it, n) => twice({ command: `python3 check${n}.py`, code: 1, output: `Traceback (most recent call last):\n  File "check.py", line 2, in <module>\n    x(${it.text})\nValueError: ${it.text}\n` }),
  'the output of a type check': (it, n) => twice({ command: `npx tsc -p t${n}`, code: 2, output: `src/a.ts(3,5): error TS2322: Type '"${it.text}"' is not assignable to type 'number'.\n` }),
  'the output of a linter': (it, n) => twice({ command: `npx eslint t${n}`, code: 1, output: `\n/home/dev/clockwork/a.js\n  1:5  error  '${it.text}' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\n` }),
  'the output of pytest': (it, n) => twice({ command: `python3 -m pytest t${n}`, code: 1, output: `E   AssertionError: assert '${it.text}' == 'x'\n\ntest_a.py:3: AssertionError\n=========================== short test summary info ============================\nFAILED test_a.py::test_a - AssertionError: assert '${it.text}' == 'x'\n============================== 1 failed in 0.02s ===============================\n` }),
  'the output of make': (it, n) => twice({ command: `make t${n}`, code: 2, output: `cc -c ${it.text}\na.c:3:5: error: '${it.text}' undeclared (first use in this function)\nmake: *** [Makefile:3: t${n}] Error 1\n` }),
  'the output of npm': (it, n) => twice({ command: `npm run deploy${n}`, code: 1, output: `\n> app@1.0.0 deploy\n> node deploy.mjs ${it.text}\n\nError: ${it.text} was refused\n    at run (deploy.mjs:3:9)\nnpm error Lifecycle script failed: ${it.text}\n` }),
  'the output of git': (it, n) => [{ command: `git fetch origin b${n}`, code: 128, output: `fatal: unable to access '${it.text}': The requested URL returned error: 403\n` }],
  'the name of a module that is missing': (it, n) => twice({ command: `node app${n}.mjs`, code: 1, output: `node:internal/modules/run_main:123\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package '${it.text}' imported from /home/dev/clockwork/app.mjs\n    at x (node:internal/modules/esm/resolve:1:1)\n` }),
  'the name of a Python module that is missing': (it, n) => [{ command: `python3 app${n}.py`, code: 1, output: `Traceback (most recent call last):\n  File "app.py", line 1, in <module>\n    import x\nModuleNotFoundError: No module named '${it.text}'\n` }],
  'the name of a file that is missing': (it, n) => [{ command: `npx tsc -p t${n}`, code: 1, output: `error TS5058: The specified path does not exist: '${it.text}'.\n` }, { command: `make t${n}`, code: 2, output: `make: ${it.text}: No such file or directory\nmake: *** No rule to make target '${it.text}'.  Stop.\n` }],
  'the name of a program that is missing': (it, n) => [{ command: `./run${n}.sh`, code: 127, output: `./run.sh: line 3: ${it.text}: command not found\n` }],
  'an option that is not known': (it, n) => [{ command: `git push --o${n}`, code: 129, output: `error: unknown option \`${it.text}'\nusage: git push [<options>] [<repository> [<refspec>...]]\n` }],
  'what was denied': (it, n) => twice({ command: `npm run deploy${n}`, code: 1, output: `Error: EACCES: permission denied, open '${it.text}'\n    at run (deploy.mjs:3:9)\n` }),
  'the path of an edit': (it) => [
    { command: `npm test`, code: 1, output: RED },
    { edit: `src/${it.text}` },
    { command: `npm test`, code: 1, output: RED },
    { edit: `src/${it.text}` },
    { command: `npm test`, code: 0, output: PASSED },
    { command: `git remnant claim ${quoted('The lock is held across a write.')} --root-cause --gate 'npm test'`, code: 0, output: 'admitted\n' },
  ],
  'a branch': (it) => [{ branch: it.text, command: `npm test`, code: 0, output: PASSED }],
  'the address of a push': (it) => [{ command: `git push ${word(it)} main`, code: 0, output: `To ${it.text}\n * [new branch]      main -> main\n` }],
  'what a push said': (it, n) => [{ command: `git push origin b${n}`, code: 0, output: `remote: ${it.text}\nTo ${it.text}\n * [new branch]      b${n} -> ${it.text}\n` }],
  'what a release said': (it, n) => [{ command: `gh pr create --head b${n} --title a --body b`, code: 0, output: `https://github.com/dev/app/pull/7?${it.text}\n${it.text}\n` }, { command: `gh release create v${n}.0.0`, code: 0, output: `https://github.com/dev/app/releases/tag/${it.text}\n` }],
  'what was published': (it, n) => [{ command: `npm publish --registry ${word(it)}`, code: 0, output: `+ ${it.text}@1.0.${n}\n` }, { folder: `p${n}`, command: 'npm publish', code: 0, output: `npm notice ${it.text}\n+ pkg@1.0.${n}\n` }],
  'what was sent': (it) => [{ command: `curl -X POST https://api.example.com/v1/items -d ${word(it)}`, code: 0, output: `{"id":"${it.text}"}` }, { command: `curl -X POST ${it.typed} https://api.example.com/v1/items`, code: 0, output: '{}' }],
  'a declared statement': (it, n) => declares(`The service at port 1 takes ${it.text} from its callers.`, "--effect 'use tool node'", n),
  'a declared effect': (it, n) => declares('The cache needs a name for its owner.', `--effect ${quoted(`use path ${it.text}`)}`, n),
  'a declared proof': (it) => [{ command: `npm test -- ${it.typed}`, code: 0, output: PASSED }, { command: `git remnant claim 'The cache needs a name for its owner.' --effect 'use tool node' --by ${quoted(`npm test -- ${it.typed}`)}`, code: 0, output: 'admitted\n' }],
  'a declared gate': (it, n) => declares('The cache needs a name for its owner.', `--gate ${quoted(`npm test -- ${it.typed}`)}`, n),
  'a declared cause': (it) => [
    { command: `npm test`, code: 1, output: RED },
    { edit: 'src/a.ts' },
    { command: `npm test`, code: 0, output: PASSED },
    { command: `git remnant claim ${quoted(`The parser takes ${it.text} for a name.`)} --root-cause`, code: 0, output: 'admitted\n' },
  ],
}

/** Beside the places of one step: the name of the whole session. */
export const SESSION_NAME = 'the id of the session'

const PASSED = ' Test Files  1 passed (1)\n      Tests  4 passed (4)\n'
const RED = 'Error: expected 1 to be 2\n    at run (check.mjs:3:9)\n'

const twice = (step: Step): readonly Step[] => [step, step]

const declares = (statement: string, more: string, n: number): readonly Step[] => [
  { command: `npm run proof${n}`, code: 0, output: PASSED },
  { command: `git remnant claim ${quoted(statement)} ${more}`, code: 0, output: 'admitted\n' },
]

const word = ({ text }: Planted): string => quoted(text)

const assignment = ({ text }: Planted): string => {
  const named = /^([A-Z_]+)=([^\n]*)$/.exec(text)
  return named === null ? `APP_OPTION=${quoted(text)}` : `${named[1]}=${quoted(named[2] as string)}`
}
