import { describe, expect, it } from 'vitest'
import build from '../../src/signatures/python-build.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const PACKAGES = "error: Multiple top-level packages discovered in a flat-layout: ['app', 'font'].\n\nTo avoid accidental inclusion of unwanted files or directories,\nsetuptools will not proceed with this build.\n\nerror: Failed to build `/srv/app`\n  Caused by: The build backend returned an error\n  Caused by: Call to `setuptools.build_meta:__legacy__.build_sdist` failed (exit status: 1)\n"

describe('builds of Python projects', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['uv build', 'python -m build', 'python3 -m build --wheel', 'poetry build', 'uv run python -m build', 'hatch build']) expect(knowing(line)).toEqual(['python-build'])
    for (const line of ['uv sync', 'poetry install', 'uv', 'npm run build']) expect(build.knows(typed(line))).toBeNull()
  })

  it.each([['uv build', true], ['uv build --wheel', true], ['python -m build', true], ['uv build --help', false]])('verifies with %s: %s', (line, verifies) => {
    expect(build.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what describes the project', () => {
    expect(build.knows(typed('uv build', 'p'))?.keys).toEqual(['tool:p/uv', 'file:p/pyproject.toml', 'file:p/setup.py', 'file:p/setup.cfg'])
    expect(build.knows(typed('uv build --out-dir d a'))?.keys).toEqual(['tool:uv', 'file:a/pyproject.toml', 'file:a/setup.py', 'file:a/setup.cfg'])
  })

  it('has no closing lines that a script could not print', () => {
    expect(build.summary()).toBeNull()
  })

  it('says what the backend refused, and not where', () => {
    expect(failureOf(build, 'uv build', PACKAGES)).toEqual({ class: 'red', lines: ["error: Multiple top-level packages discovered in a flat-layout: ['app', 'font']."], keys: [] })
  })

  it('says nothing of a failure before the backend', () => {
    expect(build.failure(ended('uv build', 'error: Request failed after 3 retries\n  Caused by: Failed to fetch\n', 2))).toBeNull()
  })
})
