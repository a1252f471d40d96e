import type { CanonicalCommand } from './command.ts'
import { withoutUserInfo } from './mutation.ts'
import type { World } from './probe.ts'

/**
 * The one repository of a forge to which the work tree pushes, as a forge's tool takes it where its words name none; null: there is
 * none, there are several, or a variable may lead the tool elsewhere. `leads`: how such variables begin.
 */
export async function forgeProject({ env }: CanonicalCommand, leads: readonly string[], world: World): Promise<{ readonly host: string; readonly path: string } | null> {
  if (env.some(([name]) => leads.some((lead) => name.startsWith(lead))) || leads.some((lead) => ELSEWHERE.some((rest) => world.env(`${lead}${rest}`)))) return null
  const urls = [...(await world.pushUrls()).values()].flat().map(withoutUserInfo)
  const [first] = urls
  const found = first === undefined ? null : PROJECT.exec(first.slice(0, 1000))
  const [, host, path] = found ?? []
  return host !== undefined && path !== undefined && urls.every((url) => same(PROJECT.exec(url.slice(0, 1000)), host, path)) ? { host, path } : null
}

const same = (found: RegExpExecArray | null, host: string, path: string): boolean => found?.[1] === host && found[2] === path

const ELSEWHERE = ['REPO', 'HOST']
const PROJECT = /^(?:(?:https?|ssh|git):\/\/)?([\w-]+(?:\.[\w-]+)+)[/:]((?:[\w.-]{1,100}\/){1,8}[\w.-]{1,100}?)(?:\.git)?\/?$/
