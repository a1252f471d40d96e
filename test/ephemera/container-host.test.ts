import { describe } from 'vitest'
import containerHost from '../../src/ephemera/container-host.ts'
import { finds } from './finds.ts'

describe('container-host', () => {
  finds(containerHost, [
    ['root@3f2a1b4c5d6e:/app#', '3f2a1b4c5d6e'],
    ['HOSTNAME=3f2a1b4c5d6e', '3f2a1b4c5d6e'],
    ['docker exec -it 3f2a1b4c5d6e npm test', '3f2a1b4c5d6e'],
    ['docker logs 3f2a1b4c5d6e', '3f2a1b4c5d6e'],
    ['container 3f2a1b4c5d6e is gone', '3f2a1b4c5d6e'],
    ['pod api-7d9f8b6c5-abcde is gone', 'api-7d9f8b6c5-abcde'],
    ['kubectl logs api-server-66b6c48dd5-x2x7z -f', 'api-server-66b6c48dd5-x2x7z'],
    ['ip-10-0-1-23 answers', 'ip-10-0-1-23'],
    ['git show 3f2a1b4c5d6e'],
    ['docker exec api npm test'],
    ['eslint-plugin-react-hooks-extra'],
    ['react-dom-server-legacy-node'],
    ['my-component-settings-index'],
    ['docker pull alpine@sha256:3f2a1b4c5d6e'],
  ])
})
