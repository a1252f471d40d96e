import type { CanonicalCommand } from './command.ts'

/** A folder of the moment in which a tool keeps its cache decides how long it takes, and not what it checks. */
const CACHES = /(?:^|_)CACHE(?:_?(?:DIR|HOME|PATH|ROOT|FOLDER))?$|^(?:npm_config_cache|GOCACHE|GOTMPDIR|TMPDIR)$/
const IN_TEMPORARY = /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders)\//

/** How a check is to be run by somebody else: without the temporary caches of whoever ran it. Its receipt keeps the command as it was. */
export function withoutCaches(command: CanonicalCommand): CanonicalCommand {
  const env = command.env.filter(([name, value]) => !(CACHES.test(name) && IN_TEMPORARY.test(value)))
  return env.length === command.env.length ? command : { ...command, env }
}
