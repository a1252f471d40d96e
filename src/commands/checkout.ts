import type { Command } from '../command.ts'
import { plainText } from '../model/plain.ts'

export default {
  name: 'checkout',
  kind: 'porcelain',
  summary: 'Bring the copies under .remnants/ back from their refs',
  details: 'Copies that are missing are written, those that differ are rewritten; the rest is left alone. HEAD, the index and your files do not change.',
  run: async (_args, host) => {
    const { restored, faults } = await (await host.store()).checkout()
    const text = [
      restored.length === 0 ? 'no copy had to be brought back' : `${restored.length} ${restored.length === 1 ? 'copy' : 'copies'} brought back`,
      ...faults.map(({ subject, fault, repair }) => `${subject}: ${plainText(fault, 300)}\n  repair: ${repair}`),
    ].join('\n')
    return { text, data: { restored: restored.length, faults } }
  },
} satisfies Command
