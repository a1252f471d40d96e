import { describe, expect, it } from 'vitest'
import { canonical } from '../../../src/base/canonical.ts'
import reads from '../../../src/probes/reads.ts'
import { ground, valueOf } from '../ground.ts'

const key = (command: string): string => canonical(['.', ...command.split(' ')])

describe('what a shell text reads', () => {
  it.each<[string, string, string]>([
    ['the names that the shell looks for, for a program that reads nothing', 'echo q/*\n', 'q/z'],
    ['those of one letter', 'echo q/?\n', 'q/z'],
    ['those of a set of letters', 'echo q/[a-z]\n', 'q/z'],
    ['those with alternatives', 'echo q/{a,z}*\n', 'q/z'],
    ['those that a variable asks for', "x='q/*'\necho $x\n", 'q/z'],
    ['those of a loop that uses no name', 'for f in q/*; do n=$((n+1)); done\n', 'q/z'],
    ['those that a function is given', 'f() { [ $# = 1 ]; }\nf q/*\n', 'q/z'],
    ['those of a list', 'a=(q/*)\n', 'q/z'],
    ['those that printf is given', 'printf "%s" q/*\n', 'q/z'],
    ['those in a folder to which it went', 'cd q\necho *\n', 'q/z'],
    ['what compgen looks for', 'compgen -G "q/*"\n', 'q/z'],
    ['all under the folder in which it is, by a dot', 'find . -name "*.z"\n', 'q/a.z'],
    ['all under it without a word', 'find -name "*.z"\n', 'q/a.z'],
    ['what ls finds in all folders', 'ls -R\n', 'q/z'],
    ['what grep finds in all folders, behind a number', 'grep -r -m 1 zz\n', 'q/z'],
    ['how much lies in all folders', 'du -d 1\n', 'q/z'],
    ['a copy of all of it', 'cp -r . /tmp/remnant-reads-none\n', 'q/z'],
    ['a file with the name of a number', 'grep -q 0 2\n', '2'],
    ['files that a list of checksums names', 'sha256sum -c sums\n', 'q/b'],
    ['files that a list for file names', 'file -f list\n', 'q/b'],
    ['what a filter of split reads', 'split --filter="cat q/b" list\n', 'q/b'],
  ])('counts %s', async (_, text, path) => {
    const at = ground({ 'a.sh': text, 'q/b': 'b\n', sums: '', list: 'q/b\n' })
    const before = await valueOf(reads, key('bash a.sh'), at.world())
    at.write(path, 'other\n')
    expect([before.slice(0, 10), await valueOf(reads, key('bash a.sh'), at.world())]).not.toContain(before)
  })

  it.each<[string, string]>([
    ['an option of the shell', 'bash -O globstar a.sh'],
    ['an option that is taken away', 'bash +O globstar a.sh'],
    ['a setting', 'bash -euo pipefail a.sh'],
  ])('follows the script behind %s', async (_, command) => {
    const at = ground({ 'a.sh': '. ./b.sh\n', 'b.sh': '' })
    const before = await valueOf(reads, key(command), at.world())
    at.write('b.sh', 'exit 1\n')
    expect(await valueOf(reads, key(command), at.world())).not.toBe(before)
  })

  it('counts the interpreter that the first line of a file names in the repository', async () => {
    const at = ground({})
    at.write('bin/own', '#!/bin/sh\nexit 0\n', 0o755)
    at.write('a', '#!bin/own\n', 0o755)
    const before = await valueOf(reads, key('./a'), at.world())
    at.write('bin/own', '#!/bin/sh\nexit 1\n', 0o755)
    expect(await valueOf(reads, key('./a'), at.world())).not.toBe(before)
  })

  it.each<[string, string, string, string]>([
    ['other line ends', '* text=auto\n', 'exit 0\n', 'exit 0\r\n'],
    ['a word that git expands', '*.sh ident\n', '# $Id$\n', '# $Id: other$\n'],
  ])('counts a script as it lies, though git takes it for the same: %s', async (_, attributes, text, other) => {
    const at = ground({ '.gitattributes': attributes, 'a.sh': text, 'b.sh': '. ./a.sh\n' })
    const before = await valueOf(reads, key('sh b.sh'), at.world())
    at.write('a.sh', other)
    expect(await valueOf(reads, key('sh b.sh'), at.world())).not.toBe(before)
  })

  it('counts whether a program may be run, though git looks at no modes', async () => {
    const at = ground({ 'a.sh': './b\n' })
    at.write('b', '#!/bin/sh\n', 0o755)
    at.git('config', 'core.fileMode', 'false')
    at.git('add', '-A')
    const before = await valueOf(reads, key('sh a.sh'), at.world())
    at.write('b', '#!/bin/sh\n', 0o644)
    expect(await valueOf(reads, key('sh a.sh'), at.world())).not.toBe(before)
  })

  it('does not count what lies beside what the shell looks for', async () => {
    const at = ground({ 'a.sh': 'echo q/*.t\nhead -n 5 q/b.t\n', 'q/b.t': '' })
    const before = await valueOf(reads, key('bash a.sh'), at.world())
    at.write('q/note.md', '')
    at.write('r/c.t', '')
    expect(await valueOf(reads, key('bash a.sh'), at.world())).toBe(before)
  })
})
