import { describe, expect, it } from 'vitest'
import { onlyEdits } from '../../../src/probes/reads/sed.ts'

describe('a script of sed', () => {
  it.each(['s/a/b/', 's/a/b/g;s|x|y|2p', '1p', '$d', '1,3d', '/re/p', '/a[/]b/,/c/d', 's/[/]/x/', 'y/abc/xyz/', 's/a/[/;p', '1!G;h;$!d', '/x/{s/a/b/;p}', 'q', ':a;N;$!ba;s/\\n/ /g', 'a\\\nw x', '# r FILE\np', ''])('that only edits: %s', (script) => {
    expect(onlyEdits(script)).toBe(true)
  })

  it.each(['$rother.txt', 'r FILE', '1r FILE', '/x/rFILE', 'w out', 's/a/b/w out', 's/a/b/e', 'e', 'R f', '/x/{r f\n}', '\\|x|r f', '1,$W f', 's/a', 'p;r f', 'F', 's/a/b/gw f', 's/a/[/w out;s/]/x/;/x/p'])('that may do more: %s', (script) => {
    expect(onlyEdits(script)).toBe(false)
  })

  it('is read in linear time', () => {
    const started = process.hrtime.bigint()
    onlyEdits('s/a/b/;'.repeat(50_000))
    onlyEdits('/['.repeat(100_000))
    expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(1000)
  })
})
