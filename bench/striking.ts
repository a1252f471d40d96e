import { CAN_STRIKE, struck } from '../test/faults/striking.ts'

/** `node striking.mjs HOME [EVERY]`: git killed at its system calls; one JSON line a run of git. */
const [, , home = '', every = '1'] = process.argv
if (CAN_STRIKE) for (const one of struck(home, Number(every))) console.log(JSON.stringify(one))
else console.error('git is not killed at its system calls: there is no strace here, or no leave to trace')
