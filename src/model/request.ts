import { sha256 } from '../base/digest.ts'
import type { Target } from './claim.ts'
import { type Confirmation, type IntendedMutation, doneAt, isOpen, targetOf } from './mutation.ts'
import { isLoopback, publicUrl } from './place.ts'

/** One HTTP request as a command line gives it. */
export interface HttpRequest {
  readonly method: string
  /** null: more than one, or none that can be told. */
  readonly url: string | null
  /** What is sent, as far as the command line holds it; null: nothing. */
  readonly body: string | null
  /** The file that is sent. */
  readonly from: string | null
}

/**
 * What a request would change (RFC 9110): PUT and DELETE converge, POST and PATCH may not. null for what only reads, and
 * for a server of this machine, which ends with the session. The target is the URL without its query, the identifier
 * the method, the URL and the body's digest; keys in them are left out.
 */
export function intendedRequest(request: HttpRequest): IntendedMutation | null {
  const method = request.method.toUpperCase()
  if (!/^(?:POST|PUT|PATCH|DELETE)$/.test(method)) return null
  const at = request.url === null ? null : publicUrl(request.url)
  if (at !== null && (isLoopback(at.host) || !/^https?:/.test(at.place) || asks(request, at.place))) return null
  const repeat = method === 'POST' || method === 'PATCH' ? 'harmful' : 'convergent'
  const target: Target | null = at === null ? null : targetOf('http', at.place)
  const body = request.body === null || isOpen(request.body) ? null : sha256(request.body)
  const sent = body !== null ? ` sha256:${body}` : request.from === null || isOpen(request.from) ? '' : ` @${request.from}`
  const told = target !== null && (request.body === null || body !== null)
  return { repeat, target, identifier: told ? `${method} ${(at as { url: string }).url}${sent}` : null, state_hash: body }
}

/** What the response's status shows of it; null: nobody recorded one. */
export function confirmedRequest(request: HttpRequest, status: number | null): Confirmation {
  const intended = intendedRequest(request)
  if (intended === null || status === null) return null
  if (status >= 400 && status < 500 && status !== 408) return 'not-done'
  return status >= 200 && status < 300 ? doneAt(intended.target, intended.identifier, intended.state_hash ?? null) : null
}

/** The status of the last response whose head stands in the output (`HTTP/1.1 201 Created`); `< ` before it as `curl -v` shows it. */
export function statusInHeads(output: string): number | null {
  let status: number | null = null
  let final = false
  const shown = /^< HTTP\//m.test(output)
  for (const line of output.split('\n')) {
    const found = (shown ? /^< HTTP\/\d(?:\.\d)? (\d{3})(?: |$)/ : /^HTTP\/\d(?:\.\d)? (\d{3})(?: |$)/).exec(line.slice(0, 200))
    // What follows the head of a last answer is its body, whatever it looks like.
    if (found !== null && !final) status = Number(found[1])
    else if (line.trim() === '' && status !== null && !shown && /^[245]/.test(String(status))) final = true
  }
  return status
}

/** A question that is put by POST: a GraphQL query, a search. */
function asks({ body }: HttpRequest, place: string): boolean {
  if (/\/_(?:search|msearch|count|mget|analyze)$/.test(place)) return true
  return body !== null && /^\s*\{[\s\S]{0,200}"query"\s*:\s*"(?:\s|\\n)*(?:query\b|\{|fragment\b)/.test(body) && !/\bmutation\b/.test(body)
}
