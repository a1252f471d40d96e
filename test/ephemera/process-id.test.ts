import { describe } from 'vitest'
import processId from '../../src/ephemera/process-id.ts'
import { finds } from './finds.ts'

describe('process-id', () => {
  finds(processId, [
    ['pid 1234 is gone', '1234'],
    ['PID: 1234', '1234'],
    ['pid=1234,ppid=77', '1234', '77'],
    ['process 1234 exited', '1234'],
    ['Process ID 4321', '4321'],
    ['(node:12345) Warning', '12345'],
    ['==12345== Invalid read', '12345'],
    ['[12345:0x5581a0] 12 ms', '12345'],
    ['sshd[812]: closed', '812'],
    ['[1] 22334', '22334'],
    ['kill -9 4321', '4321'],
    ['kill -s TERM 4321', '4321'],
    ['cat /proc/4321/status', '4321'],
    ['the workers process 100 files'],
    ['array[1234] = 1'],
    ['[1/5] Building'],
    ['pidfile 1 is stale'],
    ['PID control'],
    ['2 processes'],
  ])
})
