import { expect, it } from 'vitest'
import cargoPublish from '../../src/mutations/cargo-publish.ts'
import { mutationSuite, typed } from './table.ts'

const PRINTED = '    Updating crates.io index\n   Packaging lib v0.1.0 (/repo)\n   Uploading lib v0.1.0 (/repo)\n    Uploaded lib v0.1.0 to registry `crates-io`\n   Published lib v0.1.0 at registry `crates-io`\n'

mutationSuite(cargoPublish, {
  means: [
    ['cargo publish', 'harmful', null, null],
    ['cargo publish -p lib', 'harmful', 'crates lib', null],
    ['cargo +nightly publish --package lib --registry corp', 'harmful', 'crates corp lib', null],
    ['cargo publish -p lib@0.1.0 --allow-dirty', 'harmful', 'crates lib', 'lib@0.1.0'],
    ['cargo yank lib@0.1.0', 'convergent', 'crates lib', 'lib@0.1.0'],
    ['cargo yank --version 0.1.0 lib', 'convergent', 'crates lib', 'lib@0.1.0'],
  ],
  not: ['cargo publish --dry-run', 'cargo publish -n', 'cargo publish --help', 'cargo package', 'cargo build -p publish', 'cargo test publish', 'npm publish', 'cargo install cargo-publish', 'cargo run publish'],
  done: [
    ['cargo publish', PRINTED, 'crates lib', 'lib@0.1.0'],
    ['?cargo publish', PRINTED, 'crates lib', 'lib@0.1.0'],
    ['cargo publish', '   Uploading lib v0.1.0 (/repo)\n', 'crates lib', 'lib@0.1.0'],
    ['cargo publish --registry corp', '   Uploaded lib v0.1.0 to registry `corp`\n', 'crates corp lib', 'lib@0.1.0'],
    ['cargo yank lib@0.1.0', '        Yank lib@0.1.0\n', 'crates lib', 'lib@0.1.0'],
  ],
  open: [
    ['cargo publish', '', null],
    ['?cargo publish', '   Uploading lib v0.1.0 (/repo)\n', null],
    ['cargo publish', 'error: crate lib@0.1.0 already exists on crates.io index\n', 'not-done'],
    ['?cargo publish', `${PRINTED}error: timed out\n`, 'not-done'],
    ['cargo publish --workspace', '    Uploaded a v0.1.0 to registry `crates-io`\n    Uploaded b v0.1.0 to registry `crates-io`\n', null],
  ],
})

it('keeps no token', () => {
  for (const line of ['cargo publish -p lib --token hunter2pass', 'CARGO_REGISTRY_TOKEN=hunter2pass cargo publish -p lib', 'cargo publish -p lib --index https://u:hunter2pass@crates.example.com/index'])
    expect(JSON.stringify(cargoPublish.intends(typed(line)))).toMatch(/^(?!.*hunter2pass).*lib/)
})
