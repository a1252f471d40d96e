import { describe, expect, it } from 'vitest'
import vite from '../../src/signatures/vite.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const GREEN = 'vite v8.0.1 building client environment for production...\n✓ 4 modules transformed.\ncomputing gzip size...\ndist/index.html  0.07 kB │ gzip: 0.09 kB\n\n✓ built in 90ms\n'
const RED = 'vite v8.0.1 building client environment for production...\n✗ Build failed in 12ms\nerror during build:\nBuild failed with 1 error:\n\n[UNRESOLVED_IMPORT] Could not resolve \'./nope.js\' in a.js\n    at build (file:///repo/node_modules/vite/dist/node/chunks/node.js:1:1)\n'

describe('vite', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['vite build', 'npx vite build', 'pnpm exec vite build']) expect(knowing(line)).toEqual(['vite'])
  })

  it.each([['vite build', true], ['vite build --mode ci', true], ['vite --version', true], ['vite', false], ['vite dev', false], ['vite preview', false], ['vite build --watch', false]])('verifies with %s: %s', (line, verifies) => {
    expect(vite.knows(typed(line))).toMatchObject({ verifies, delegates: false })
  })

  it('rests on its configuration', () => {
    expect(vite.knows(typed('vite build --config ci.ts', 'p'))?.keys).toEqual(['tool:p/vite', 'lock:npm/vite', 'file:p/package.json', 'file:p/index.html', 'file:p/ci.ts'])
  })

  it.each([
    ['passed', GREEN, { passed: true }],
    ['passed, in seconds', '✓ built in 1.83s\n', { passed: true }],
    ['failed', RED, { passed: false }],
    ['went on', `${GREEN}rendering pages...\n`, null],
    ['failed behind a part that was built', GREEN + RED, { passed: false }],
    ['in a sentence', 'it was ✓ built in 90ms\n', null],
    ['cut short', '✓ 4 modules transformed.\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(vite.summary(output)).toEqual(summary)
  })

  it('says what the build failed of', () => {
    expect(failureOf(vite, 'vite build', RED)).toEqual({ class: 'red', lines: ['Build failed with 1 error:', "[UNRESOLVED_IMPORT] Could not resolve './nope.js' in a.js"], keys: [] })
    expect(vite.failure(ended('vite build', GREEN))).toBeNull()
  })
})
