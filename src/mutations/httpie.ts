import { optionNames, readArguments } from '../model/arguments.ts'
import type { CanonicalCommand } from '../model/command.ts'
import type { Mutation } from '../model/mutation.ts'
import { type HttpRequest, confirmedRequest, intendedRequest, statusInHeads } from '../model/request.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'httpie',
  why: 'A request with items is a POST without a word that says so, and what a service took twice it did twice.',
  names: ['http', 'https', 'xh', 'xhs'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : intendedRequest(call.request)
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    return confirmedRequest(call.request, statusInHeads(output) ?? (call.strict && succeeded ? 200 : null))
  },
} satisfies Mutation

/** HTTPie and xh, `[METHOD] URL [ITEM…]`. `strict`: a status of 400 and above makes it fail. */
function readCall(command: CanonicalCommand): { readonly request: HttpRequest; readonly strict: boolean } | null {
  const { program, args } = programOf(command)
  if (!/^(?:http|https|xh|xhs)$/.test(program)) return null
  const given = readArguments(args, VALUES)
  if (given.has('--offline', '--help', '--version', '--curl', '--curl-long') || (program === 'xh' && given.has('-h'))) return null
  const named = /^[A-Z]{3,7}$|^(?:get|post|put|patch|delete|head|options)$/i.test(given.words[0] ?? '')
  const [url, ...items] = named ? given.words.slice(1) : given.words
  if (url === undefined) return null
  const raw = given.value('--raw')
  const data = items.filter((item) => DATA.test(item))
  const file = data.map((item) => /^[^=@:]+@(?!@)(.*)$|^[^=@:]+:?=@(.*)$/s.exec(item)).find((found) => found !== null)
  const method = named ? (given.words[0] as string) : data.length > 0 || raw !== null ? 'POST' : 'GET'
  const from = file == null ? null : (file[1] ?? file[2] ?? null)
  const body = from !== null ? null : raw !== null ? raw : data.length > 0 ? [...data].sort().join('\n') : null
  return { request: { method, url: spelled(url, program), body, from }, strict: given.has('--check-status') || program.startsWith('xh') }
}

/** `:3000/x` is this machine's port. */
function spelled(url: string, program: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url
  const scheme = program === 'https' || program === 'xhs' ? 'https' : 'http'
  return `${scheme}://${url.startsWith(':') ? `localhost${url === ':' ? '' : url.replace(/^:(?=\/)/, '')}` : url}`
}

/** `name=text`, `name:=json`, `name@file`; a header (`Name:text`) and a parameter (`name==text`) send nothing. */
const DATA = /^[^=@:\s]{1,200}(?::?=(?!=)|@)/
const VALUES = optionNames(`
  -a --auth -A --auth-type --session --session-read-only -o --output -p --print -P --history-print -s --style --timeout --proxy --verify
  --cert --cert-key --ssl --ciphers --max-redirects --max-headers --raw --boundary --pretty --response-charset --response-mime --format-options --bearer`)
