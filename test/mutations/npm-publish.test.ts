import { describe, expect, it } from 'vitest'
import { commandOf } from '../../src/model/command.ts'
import npmPublish from '../../src/mutations/npm-publish.ts'

const typed = (line: string) => commandOf(line.split(' '))
const PRINTED = `npm notice
npm notice 📦  lib@1.2.3
npm notice Publishing to https://registry.example/ with tag latest and public access
+ lib@1.2.3
`

describe('npm publish', () => {
  it.each(['npm publish', 'npm publish ./dist --access public', 'npm --registry https://registry.example publish', 'pnpm publish', 'pnpm -r publish', 'yarn publish', 'yarn npm publish', 'bun publish', 'npm pub', 'npm pu --tag next', 'npm publis'])('is meant by %s', (line) => {
    expect(npmPublish.intends(typed(line))).toEqual({ repeat: 'harmful', target: null, identifier: null })
  })

  it.each(['npm publish --dry-run', 'npm publish --help', 'npm pack', 'npm run publish', 'npm view publish', 'yarn npm info', 'cargo publish', 'npx publish', 'npm p', 'npm publishes', 'npm unpublish', 'npm stage publish', 'pnpm pub', 'yarn pub'])('is not meant by %s', (line) => {
    expect(npmPublish.intends(typed(line))).toBeNull()
  })

  it.each([
    ['npm publish', PRINTED, 'lib', 'lib@1.2.3'],
    ['pnpm publish', '+ @scope/lib@1.2.3-rc.1\n', '@scope/lib', '@scope/lib@1.2.3-rc.1'],
  ])('is confirmed by the name and version that %s prints', (line, output, id, identifier) => {
    expect(npmPublish.confirms(typed(line), output)).toEqual({ target: { kind: 'npm', id }, targetValue: null, identifier, state_hash: null })
  })

  it.each([
    ['npm publish --registry https://r.example', '+ lib@1.2.3\n', 'https://r.example lib'],
    ['npm publish --registry=https://me:secret@r.example/npm/', '+ lib@1.2.3\n', 'https://r.example/npm lib'],
    ['npm --registry https://r.example publish', '+ lib@1.2.3\n', 'https://r.example lib'],
    ['bun publish --registry https://r.example', '+ lib@1.2.3\n', 'https://r.example lib'],
    ['pnpm publish --registry https://r.example', '+ lib@1.2.3\n', 'https://r.example lib'],
    ['npm publish --registry https://r.example', PRINTED, 'https://registry.example lib'],
    ['npm publish --registry https://r.example', PRINTED.replaceAll('lib@', '@o/lib@'), 'https://registry.example @o/lib'],
    ['npm publish --@o:registry=https://registry.example', PRINTED.replaceAll('lib@', '@o/lib@'), 'https://registry.example @o/lib'],
  ])('is done at the registry that the call names, or that npm says it took: %s', (line, output, id) => {
    expect(npmPublish.confirms(typed(line), output)).toEqual({ target: { kind: 'npm', id }, targetValue: id, identifier: id.slice(id.indexOf(' ') + 1) + '@1.2.3', state_hash: null })
  })

  it('takes the registry of its environment for named by the call', () => {
    expect(npmPublish.confirms(commandOf(['npm', 'publish'], { env: [['npm_config_registry', 'https://r.example']] }), '+ lib@1.2.3\n')).toMatchObject({ target: { kind: 'npm', id: 'https://r.example lib' } })
  })

  it.each([
    // A registry of the scope would come first, and nothing says that there is none.
    ['npm publish --registry https://r.example', '+ @o/lib@1.2.3\n'],
    ['npm publish --@o:registry=https://r.example', '+ @o/lib@1.2.3\n'],
    ['npm publish --registry http://localhost:4873', '+ lib@1.2.3\n'],
    ['npm publish --registry $REGISTRY', '+ lib@1.2.3\n'],
    ['npm publish --dry-run', PRINTED],
    ['npm publish', ''],
    ['npm publish', PRINTED.replace('+ lib@1.2.3\n', '')],
    ['npm publish', `${PRINTED}npm error code E403\n`],
    ['pnpm -r publish', '+ a@1.0.0\n+ b@1.0.0\n'],
    ['yarn publish', 'success Published.\n'],
    ['npm install', '+ lib@1.2.3\n'],
  ])('is not confirmed otherwise: %s', (line, output) => {
    expect(npmPublish.confirms(typed(line), output)).toBeNull()
  })

  it('was not done where npm says that it only tried', () => {
    expect(npmPublish.confirms(typed('npm publish'), PRINTED.replace('public access', 'public access (dry-run)'))).toBe('not-done')
  })
})
