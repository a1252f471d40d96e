import { optionNames, readArguments } from '../model/arguments.ts'
import type { CanonicalCommand } from '../model/command.ts'
import type { Mutation } from '../model/mutation.ts'
import { type HttpRequest, confirmedRequest, intendedRequest, statusInHeads } from '../model/request.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'curl',
  why: 'What was sent to a service was received once for each time that it was sent, and web hooks and orders count.',
  names: ['curl'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : intendedRequest(call.request)
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (UNSENT.test(output)) return 'not-done'
    const heads = call.heads ? statusInHeads(output) : null
    return confirmedRequest(call.request, heads ?? writtenOut(output, call.format) ?? (call.strict && succeeded ? 200 : null))
  },
} satisfies Mutation

interface Call {
  readonly request: HttpRequest
  /** Heads of responses are printed. */
  readonly heads: boolean
  /** What `-w` prints at the end. */
  readonly format: string | null
  /** A status of 400 and above makes it fail. */
  readonly strict: boolean
}

function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  if (program !== 'curl') return null
  const given = readArguments(args, VALUES)
  if (given.has('-h', '--help', '-V', '--version', '--manual', '-M') || given.value('-K', '--config') !== null) return null
  const data = [...given.all('-d', '--data', '--data-ascii', '--data-raw', '--data-binary', '--data-urlencode', '--json'), ...given.all('-F', '--form', '--form-string')]
  const upload = given.value('-T', '--upload-file')
  const asked = given.has('-I', '--head') || given.has('-G', '--get')
  const method = given.value('-X', '--request') ?? (asked ? 'GET' : data.length > 0 ? 'POST' : upload === null ? 'GET' : 'PUT')
  const files = data.filter((one) => /^@|=[@<]/.test(one)).map((one) => one.replace(/^[^@<]*[@<]/, ''))
  const urls = [...given.words, ...given.all('--url')]
  const from = upload ?? files[0] ?? null
  const request = { method, url: urls.length === 1 && !given.has('-:', '--next') ? (urls[0] as string) : null, body: data.length > 0 && from === null ? data.join('&') : null, from }
  return {
    request,
    heads: given.has('-i', '--include', '--show-headers', '-v', '--verbose') || ['-', '/dev/stdout', '/dev/stderr'].includes(given.value('-D', '--dump-header') ?? ''),
    format: given.value('-w', '--write-out'),
    strict: given.has('-f', '--fail', '--fail-with-body') && !given.has('-Z', '--parallel'),
  }
}

const VALUES = optionNames(`
  -X --request -d --data --data-ascii --data-raw --data-binary --data-urlencode --json -F --form --form-string -T --upload-file --url
  -H --header -u --user -U --proxy-user -A --user-agent -e --referer -b --cookie -c --cookie-jar -o --output -w --write-out -D --dump-header
  -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -x --proxy -K --config -E --cert --key --cacert --capath --pass
  --cert-type --key-type --ciphers --resolve --connect-to --interface --unix-socket --limit-rate -r --range -C --continue-at -z --time-cond
  --oauth2-bearer --aws-sigv4 --max-redirs --max-filesize -y --speed-time -Y --speed-limit --output-dir --netrc-file --trace --trace-ascii
  --stderr --noproxy --url-query --variable --dns-servers --tlsv --tls-max --rate --preproxy --socks5 --socks5-hostname --local-port -P -Q -t`)

/** It could not be reached, nothing had been sent yet, or the service refused it. */
const UNSENT = /^curl: \((?:1|2|3|5|6|7|27|35|51|53|54|58|59|60|66|77|80|83|90|91|97)\)|^curl: option |^curl: \(22\) The requested URL returned error: 4\d\d/m

/** The status as a `-w` format shows it at the end of the output. */
function writtenOut(output: string, format: string | null): number | null {
  const name = /%\{(?:http_code|response_code)\}/.exec(format?.slice(0, 500) ?? '')
  if (format === null || name === null) return null
  const text = (part: string): string => part.replace(/\\n/g, '\n').replace(/\\t/g, '\t').replace(/\\r/g, '')
  const before = text(format.slice(0, name.index)).replace(/^[\s\S]*%\{\w+\}/, '')
  const after = text(format.slice(name.index + name[0].length))
  const tail = output.trimEnd().slice(-(before.length + 3 + after.length + 400))
  const at = tail.lastIndexOf(before.trimStart() === '' ? '' : before.trimStart())
  if (after.trim() === '') return numberAtEnd(tail, before)
  const found = at === -1 ? null : /^(\d{3})(?!\d)/.exec(tail.slice(at + before.trimStart().length))
  return before.trim() === '' || found === null ? null : Number(found[1])
}

/** `before` and three digits at the end. */
function numberAtEnd(tail: string, before: string): number | null {
  const digits = /(\d{3})$/.exec(tail)?.[1]
  return digits !== undefined && (before === '' || tail.slice(0, -3).endsWith(before) || tail.slice(0, -3) === before.trimStart()) ? Number(digits) : null
}
