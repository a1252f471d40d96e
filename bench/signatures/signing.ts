import { plainLines } from '../../src/base/plain.ts'
import { knowing } from '../../src/distill/known.ts'
import { signatureOf } from '../../src/distill/normalise.ts'
import { ephemera } from '../../src/ephemera.ts'
import { commandOf } from '../../src/model/command.ts'
import { toolchains } from '../../src/signatures.ts'

const lookup = knowing(toolchains)

/** What a distillation would make of a failing command's output: whose words they are, their class, and the signature; null where it says nothing. */
export async function sign(argv: readonly string[], code: number, output: string, root: string): Promise<{ by: string; class: string | null; signature: string } | null> {
  const { command, tellers } = lookup(commandOf(argv, { folder: '.' }))
  for (const toolchain of tellers) {
    const failure = toolchain.failure({ command, code, output: plainLines(output) })
    if (failure === null || failure === 'transient') continue
    const normal = await signatureOf(failure.lines, { session: 'bench', root }, ephemera)
    return normal === null ? null : { by: toolchain.id, class: failure.class, signature: normal.signature }
  }
  return null
}
