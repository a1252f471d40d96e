import { RemnantError } from '../../base/errors.ts'
import type { Answer, Host } from '../../command.ts'
import { commandId } from '../../host/guarding/journal.ts'
import { allowOnce } from '../../host/guarding/state.ts'
import { typedCommand } from '../../host/trust/typed.ts'
import { shown } from '../../model/command.ts'
import { plainText } from '../../model/plain.ts'
import type { Stored } from '../../model/store.ts'
import { claimsNamed } from '../../resolve/chosen.ts'
import { data } from '../../resolve/words.ts'

/** Lets the next call through that the guard would stop: for a claim, by its id, or for exactly one command. */
export async function allowOnceHere(what: string, rest: readonly string[], host: Host): Promise<Answer> {
  if ((what === '') === (rest.length === 0)) throw new RemnantError('misuse', 'name one claim or one command', { hint: 'a claim by its id, or a command behind "--"' })
  const repository = await host.repository()
  if (rest.length === 0 && /^[0-9a-f]{4,64}$/.test(what)) {
    const stored: Stored[] = []
    for await (const one of (await host.store()).readAll()) stored.push(one)
    const named = claimsNamed(what, stored).filter(({ claim }) => claim.claim_id.startsWith(what))
    const [only] = named
    if (only === undefined) return { text: `no claim here begins with "${what}"`, data: { once: null }, status: 1 }
    allowOnce(only.claim.claim_id, repository)
    return { text: `the next call that claim ${only.claim.claim_id.slice(0, 12)} would stop is let through, once`, data: { once: only.claim.claim_id } }
  }
  // A word alone may be a claim's id mistyped: only behind "--" is it a command, whatever it is.
  if (rest.length === 0) await refuseStray(what.trim(), host)
  const command = await typedCommand(rest.length === 0 ? [what] : rest, host, 'name the claim instead, by its id')
  allowOnce(commandId(command), repository)
  return { text: `the next call of \`${data(shown(command))}\` is let through, once`, data: { once: commandId(command) } }
}

/** Throws `misuse` for a word that is no claim's id and no program: a name mistyped would let nothing through, and say that it had. */
async function refuseStray(word: string, host: Host): Promise<void> {
  if (/[\s/]/.test(word) || (await (await host.world()).program(word, '.')) !== null) return
  throw new RemnantError('misuse', `"${plainText(word, 80)}" is no claim's id, and no program that is found here`, { hint: 'a claim by at least 4 digits of its id ("git remnant brief" shows them), or a command behind "--"' })
}
