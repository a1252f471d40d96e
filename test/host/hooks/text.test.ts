import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOOK_NAMES, blockIn, blockOf, handLineOf, interpreterOf, newHook, withBlock, withoutBlock } from '../../../src/host/hooks/text.ts'

const paths = ['/opt/git-remnant', "/home/o'neil/a b/$HOME/`x`", '/tmp/ä"\\n']

describe('a block', () => {
  it('is as it is installed', () => {
    expect(blockOf('post-commit', '/opt/it').split('\n')).toEqual([
      '# >>> git-remnant',
      `if command -v git-remnant >/dev/null 2>&1 && [ -x '/opt/it/hooks/post-commit' ]; then '/opt/it/hooks/post-commit' "$@" || REMNANT_RC=$?; fi`,
      '# <<< git-remnant',
    ])
    expect(blockOf('pre-push', '/opt/it').split('\n')).toEqual([
      '# >>> git-remnant',
      "if command -v git-remnant >/dev/null 2>&1 && [ -x '/opt/it/hooks/pre-push' ]; then",
      'REMNANT_RC=0; REMNANT_IN=$(cat)',
      `printf '%s\\n' "$REMNANT_IN" | '/opt/it/hooks/pre-push' "$@" || REMNANT_RC=$?`,
      'if [ "$REMNANT_RC" = 1 ]; then exit 1; fi',
      'if [ -z "$REMNANT_IN" ]; then exec </dev/null; else exec <<REMNANT_IN',
      '$REMNANT_IN',
      'REMNANT_IN',
      'fi; fi',
      '# <<< git-remnant',
    ])
  })

  it.each(paths)('in the package %j is one shell script, whatever the path', (path) => {
    for (const name of HOOK_NAMES) for (const text of [blockOf(name, path), handLineOf(name, path)]) expect(spawnSync('sh', ['-n', '-c', text]).status).toBe(0)
  })

  it('stands right behind the first line', () => {
    const block = blockOf('post-commit', '/p')
    expect(withBlock('#!/bin/bash -e\nmake\n', block)).toBe(`#!/bin/bash -e\n${block}\nmake\n`)
    expect(blockIn(withBlock('#!/bin/bash -e\nmake\n', block))).toEqual({ block, first: true })
    expect(blockIn(`#!/bin/sh\nmake\n${block}\n`)).toEqual({ block, first: false })
    expect(blockIn('#!/bin/sh\nmake\n')).toBeNull()
    expect(blockIn('#!/bin/sh\n# >>> git-remnant\nmake\n')).toBeNull()
  })

  const hooks = fc.tuple(fc.constantFrom('#!/bin/sh', '#!/bin/bash -e', '#!/usr/bin/env zsh'), fc.oneof(fc.constant(''), fc.string({ unit: 'binary' }).map((rest) => `\n${rest}`))).map(([first, rest]) => first + rest)

  it('leaves no trace when it is taken out, whatever the hook, and however often it was put in', () => {
    fc.assert(
      fc.property(hooks, fc.constantFrom(...HOOK_NAMES), fc.array(fc.constantFrom(...paths), { minLength: 1, maxLength: 3 }), (hook, name, installations) => {
        const installed = installations.reduce((text, path) => withBlock(text, blockOf(name, path)), hook)
        expect(installed.split('# >>> git-remnant')).toHaveLength(2)
        expect(withoutBlock(installed)).toEqual({ text: hook, folder: false })
      }),
    )
  })

  it('takes away the file that init made, and only while nobody added to it', () => {
    const block = blockOf('pre-push', '/p')
    expect(withoutBlock(newHook(block, false))).toEqual({ text: null, folder: false })
    expect(withoutBlock(newHook(block, true))).toEqual({ text: null, folder: true })
    expect(withoutBlock(`${newHook(block, false)}make\n`)).toEqual({ text: '#!/bin/sh\nmake\n', folder: false })
    expect(withoutBlock('#!/bin/sh\n')).toEqual({ text: '#!/bin/sh\n', folder: false })
  })
})

describe('what runs a hook', () => {
  it.each([
    ['#!/bin/sh', ['/bin/sh'], true],
    ['#! /bin/bash -e', ['/bin/bash', '-e'], true],
    ['#!/usr/bin/env bash', ['/usr/bin/env', 'bash'], true],
    ['#!/usr/bin/env -S bash -eu', ['/usr/bin/env', '-S bash -eu'], true],
    ['#!/usr/bin/env A=1 zsh', ['/usr/bin/env', 'A=1 zsh'], true],
    ['#!/bin/busybox sh', ['/bin/busybox', 'sh'], true],
    ['#!/usr/bin/env python3', ['/usr/bin/env', 'python3'], false],
    ['#!/usr/bin/python', ['/usr/bin/python'], false],
    ['#!/usr/bin/env node', ['/usr/bin/env', 'node'], false],
    ['#!/usr/bin/fish', ['/usr/bin/fish'], false],
  ])('is told from %j', (first, argv, shell) => {
    expect(interpreterOf(`${first}\nmake\n`)).toEqual({ argv, shell })
  })

  it('is nothing where no first line says so', () => {
    for (const hook of ['', 'make\n', '# !/bin/sh\n', '\u007fELF\u0002']) expect(interpreterOf(hook)).toBeNull()
  })
})
