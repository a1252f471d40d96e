import type { CanonicalCommand } from './command.ts'

/** Options that name a file in which the words of a request, a comment or a release stand. */
const NAMES_TEXT = /^(?:-F|--(?:body|notes|description|message)-file)$/
const NAMES_TEXT_WITHIN = /^--(?:body|notes|description|message)-file=(.*)$/s
const IN_TEMPORARY = /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders)\//

/** What was done, without the file of the moment from which a client of a forge read its words. Its receipt keeps the command as it was. */
export function withoutTexts(command: CanonicalCommand): CanonicalCommand {
  if (!/(?:^|\/)(?:gh|glab)$/.test(command.argv[0] ?? '')) return command
  const argv = command.argv.filter((word, i, all) => {
    const before = all[i - 1] ?? ''
    if (NAMES_TEXT.test(before) && IN_TEMPORARY.test(word)) return false
    if (NAMES_TEXT.test(word) && IN_TEMPORARY.test(all[i + 1] ?? '')) return false
    return !IN_TEMPORARY.test(NAMES_TEXT_WITHIN.exec(word)?.[1] ?? '')
  })
  return argv.length === command.argv.length ? command : { ...command, argv }
}
