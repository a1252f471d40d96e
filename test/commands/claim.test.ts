import { describe, expect, it } from 'vitest'
import claim from '../../src/commands/claim.ts'
import { rules } from '../../src/rules.ts'
import { given, stage } from '../stage.ts'

const declared = async (interactive: boolean, statement: string) => {
  const { host, warned } = stage({ host: { interactive }, sets: { rules } })
  const { status = 0 } = await claim.run(given({ statement, gate: 'npm test' }), host)
  return [status, ...warned]
}

describe('claim', () => {
  it('says to whoever types it where nobody keeps a log how it gets into one', async () => {
    expect(await declared(true, 'The tests need no network.')).toEqual([0, 'hint: typed by hand it stands in no log: "git remnant run -- git remnant claim …" puts it into the journal'])
    expect(await declared(false, 'The tests need no network.')).toEqual([0])
    expect(await declared(true, 'It should work now.')).toEqual([1])
  })
})
