// Bundles src/ into dist/ as rolldown.config.mjs says, and speaks only of what is wrong.
import { rolldown } from 'rolldown'
import { keepCode } from './kept.mjs'
import config, { quick } from './rolldown.config.mjs'

for (const { output, ...input } of [config, quick]) {
  const bundle = await rolldown({
    ...input,
    // A verb's file that another verb loads at once is no fault: it is in that one's chunk then.
    onLog: (level, log, handle) => (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT' ? undefined : handle(level, log)),
  })
  await bundle.write(output)
  await bundle.close()
}
keepCode()
