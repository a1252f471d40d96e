import { describe, expect, it } from 'vitest'
import pip from '../../src/signatures/pip.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const none = (name: string, versions = 'none') => `ERROR: Could not find a version that satisfies the requirement ${name} (from versions: ${versions})\nERROR: No matching distribution found for ${name}\n`

describe('pip', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['pip install x', 'pip3 list', 'python3 -m pip install -r requirements.txt', 'uv run pip check']) expect(knowing(line)).toEqual(['pip'])
  })

  it.each([
    ['pip install -r req.txt', { verifies: false, readsSources: false, keys: ['tool:p/pip', 'file:p/req.txt'] }],
    ['pip install -e .', { verifies: false, readsSources: true, keys: ['tool:p/pip'] }],
    ['pip install .[dev]', { verifies: false, readsSources: true, keys: ['tool:p/pip'] }],
    ['pip --version', { verifies: true, readsSources: false, keys: ['tool:p/pip'] }],
  ])('changes what is installed, and proves nothing: %s', (line, invocation) => {
    expect(pip.knows(typed(line, 'p'))).toEqual({ ...invocation, delegates: false })
    expect(pip.summary()).toBeNull()
  })

  it.each([
    ['pip install nopepkg', none('nopepkg'), 'dependency', ['ERROR: Could not find a version that satisfies the requirement nopepkg', 'ERROR: No matching distribution found for nopepkg'], ['tool:p/pip', 'tool:p/python3']],
    ['pip install -r req.txt', none('numpy==99', '1.0, 1.1, 2.0'), 'dependency', ['ERROR: Could not find a version that satisfies the requirement numpy==99', 'ERROR: No matching distribution found for numpy==99'], ['tool:p/pip', 'tool:p/python3', 'file:p/req.txt']],
    ['pip install --retries 0 nopepkg', none('nopepkg'), null, ['ERROR: Could not find a version that satisfies the requirement nopepkg', 'ERROR: No matching distribution found for nopepkg'], ['tool:p/pip', 'tool:p/python3']],
    ['pip install a b', 'ERROR: Cannot install a and b because these package versions have conflicting dependencies.\n\nThe conflict is caused by:\n    a 1 depends on c<2\n', 'dependency', ['ERROR: Cannot install a and b because these package versions have conflicting dependencies.', 'The conflict is caused by:'], ['tool:p/pip', 'tool:p/python3']],
    ['pip install -r nope.txt', "ERROR: Could not open requirements file: [Errno 2] No such file or directory: 'nope.txt'\n", 'path-missing', ["ERROR: Could not open requirements file: [Errno 2] No such file or directory: 'nope.txt'"], ['absent:p/nope.txt']],
    ['pip install ./nope', "ERROR: Invalid requirement: './nope'\nHint: It looks like a path. File './nope' does not exist.\n", 'path-missing', ["Hint: It looks like a path. File './nope' does not exist."], ['absent:p/nope']],
    ['pip install -e .', "ERROR: file:///repo/p does not appear to be a Python project: neither 'setup.py' nor 'pyproject.toml' found.\n", 'path-missing', ["ERROR: file:///repo/p does not appear to be a Python project: neither 'setup.py' nor 'pyproject.toml' found."], ['absent:p/setup.py', 'absent:p/pyproject.toml']],
    ['pip install ./lib', "ERROR: Directory './lib' is not installable. Neither 'setup.py' nor 'pyproject.toml' found.\n", 'path-missing', ["ERROR: Directory './lib' is not installable. Neither 'setup.py' nor 'pyproject.toml' found."], ['absent:p/lib/setup.py', 'absent:p/lib/pyproject.toml']],
    ['pip install -r bad.txt', "ERROR: Invalid requirement: 'a b c==' (from line 1 of bad.txt)\n", 'red', ["ERROR: Invalid requirement: 'a b c==' (from line 1 of bad.txt)"], ['tool:p/pip']],
    ['pip install', 'ERROR: You must give at least one requirement to install (maybe you meant "pip install /opt/wheels"?)\n', 'usage', ['ERROR: You must give at least one requirement to install'], ['tool:p/pip']],
    ['pip install x', 'error: externally-managed-environment\n\n× This environment is externally managed\n', 'denied', ['error: externally-managed-environment'], ['privilege', 'tool:p/pip']],
    ['pip install x', "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/usr/lib/python3/x'\n", 'denied', ["ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/usr/lib/python3/x'"], ['privilege']],
    ['pip install x', '  error: subprocess-exited-with-error\n  ERROR: Failed building wheel for x\nERROR: Failed to build x\n', null, ['ERROR: Failed to build x'], []],
  ])('tells classes apart: %s', (line, output, kind, lines, keys) => {
    expect(failureOf(pip, line, output, 1, 'p')).toEqual({ class: kind, lines, keys })
  })

  it('passes over an index that was not reached', () => {
    expect(pip.failure(ended('pip install x', `WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError'\n${none('x')}`))).toBe('transient')
  })

  it('leaves unknown words to the fallback, and other programs alone', () => {
    expect(pip.failure(ended('pip bogus', 'ERROR: unknown command "bogus"\n'))).toBeNull()
    expect(pip.failure(ended('make deps', none('x')))).toBeNull()
  })
})
