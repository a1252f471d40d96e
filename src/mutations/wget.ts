import { optionNames, readArguments } from '../model/arguments.ts'
import type { CanonicalCommand } from '../model/command.ts'
import type { Mutation } from '../model/mutation.ts'
import { type HttpRequest, confirmedRequest, intendedRequest } from '../model/request.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'wget',
  why: 'With a method or data to send it is no download, and what was sent was received.',
  names: ['wget'],
  intends(command) {
    const request = readRequest(command)
    return request === null ? null : intendedRequest(request)
  },
  confirms(command, output, succeeded) {
    const request = readRequest(command)
    if (request === null) return null
    if (/^wget: unable to resolve host|\bfailed: (?:Connection refused|Name or service not known)/m.test(output)) return 'not-done'
    const status = [...output.matchAll(/awaiting response\.\.\. (?:HTTP\/\S{1,8} )?(\d{3})(?: |$)/gm)].at(-1)?.[1]
    // It fails for every status that is an error.
    return confirmedRequest(request, status === undefined ? (succeeded ? 200 : null) : Number(status))
  },
} satisfies Mutation

function readRequest(command: CanonicalCommand): HttpRequest | null {
  const { program, args } = programOf(command)
  if (program !== 'wget') return null
  const given = readArguments(args, VALUES)
  if (given.has('--help', '-h', '--spider')) return null
  const data = given.value('--post-data', '--body-data')
  const from = given.value('--post-file', '--body-file')
  const posts = given.value('--post-data', '--post-file') !== null
  const method = given.value('--method') ?? (posts ? 'POST' : 'GET')
  return { method, url: given.words.length === 1 && given.value('-i', '--input-file') === null ? (given.words[0] as string) : null, body: data, from }
}

const VALUES = optionNames(`
  --post-data --post-file --method --body-data --body-file --header -O --output-document -o --output-file -a --append-output -i --input-file
  -t --tries -T --timeout -w --wait --user --password --http-user --http-password -U --user-agent --referer -P --directory-prefix
  --load-cookies --save-cookies --ca-certificate --certificate --private-key --max-redirect -e --execute -Q --quota --limit-rate`)
