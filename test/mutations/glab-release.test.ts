import glabRelease from '../../src/mutations/glab-release.ts'
import { mutationSuite } from './table.ts'

mutationSuite(glabRelease, {
  means: [
    ['glab release create v1.2.0 --notes x', 'harmful', null, 'v1.2.0'],
    ['glab release create -R g/a v1.2.0 dist/a.tgz', 'harmful', 'gitlab g/a', 'v1.2.0'],
    ['glab release upload v1 a.tgz -R git.example.com/g/a', 'harmful', 'gitlab git.example.com/g/a', 'v1'],
    ['glab release delete v1 -y', 'harmful', null, 'v1'],
    ['glab release create', 'harmful', null, null],
  ],
  not: ['glab release list', 'glab release view v1', 'glab release download v1', 'glab release create v1 --help', 'glab mr create', 'gh release create v1', 'git release create v1'],
  done: [
    ['glab release create v1', '• Release created: url=https://gitlab.com/g/a/-/releases/v1\n✓ Release succeeded after 0.5 seconds\n', 'gitlab g/a', 'v1', null],
    ['glab release create v1', 'https://git.example.com/g/a/-/releases/v1\n', 'gitlab git.example.com/g/a', 'v1'],
    ['glab release delete v1 -R g/a', '✓ Release "v1" deleted.\n', 'gitlab g/a', 'v1'],
    ['?glab release create v1 -R g/a', '✓ Release created: x\n', 'gitlab g/a', 'v1'],
  ],
  open: [
    ['glab release create v1', '', null],
    ['glab release create v1', '✓ Release created\n', null],
    ['glab release create v1 -R g/a', 'ERROR: 401 Unauthorized\n', 'not-done'],
    ['glab release upload v1 x -R g/a', 'Uploading x\n', null],
  ],
})
