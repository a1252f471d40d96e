import * as z from 'zod/mini'
import { type Json, parseStrict } from '../base/canonical.ts'
import { sha256 } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import { check } from '../base/schema.ts'
import type { Command } from '../command.ts'
import { answerEach, inputLines, inputOf } from '../host/log/lines.ts'
import { Manifest } from '../model/verdict.ts'
import { isolate } from '../resolve.ts'

const HINT = 'a line is {"manifest":{…},"environment":{KEY:VALUE}}; "git remnant isolate --help" shows the fields'

const Request = z.strictObject({ manifest: Manifest, environment: z.looseObject({}) })

export default {
  name: 'isolate',
  kind: 'plumbing',
  summary: 'Which claims of a record an environment leaves standing',
  details: [
    'Reads {"manifest":{"record_id","precondition_seal","baseline_key_hashes":[[KEY,SHA256]…],"structural_keys":[KEY…],',
    '"claim_dependency_map":[[CLAIM,[KEY…]]…]},"environment":{KEY:VALUE…}} a line and answers',
    '{"verdict","reason","drifted_keys","retained_claims","invalidated_claims"} a line, lists sorted.',
    'The seal is the SHA-256 of the canonical object {KEY: hash}; a value\'s hash is the SHA-256 of its UTF-8.',
  ].join('\n'),
  positionals: [{ name: 'file', describe: 'JSON lines; standard input if not given, or -' }],
  async run(args, host) {
    return answerEach(inputLines(inputOf(args.text('file'), host)), (text) => {
      const { manifest, environment } = requestIn(parseStrict(text))
      return isolate(manifest, environment)
    })
  },
} satisfies Command

function requestIn(value: Json): { manifest: Manifest; environment: Map<string, string> } {
  const { manifest, environment } = check(Request, value, 'request', HINT)
  refuseTwice('baseline_key_hashes', manifest.baseline_key_hashes)
  refuseTwice('claim_dependency_map', manifest.claim_dependency_map)
  return { manifest, environment: hashesOf(environment) }
}

/** By hand, because a schema's record passes over a key that is named `__proto__`. */
function hashesOf(environment: Readonly<Record<string, unknown>>): Map<string, string> {
  const hashes = new Map<string, string>()
  for (const [key, value] of Object.entries(environment)) {
    if (typeof value !== 'string') throw new RemnantError('malformed', 'request has a value in "environment" that is not a string', { hint: HINT })
    if (!key.isWellFormed() || !value.isWellFormed()) throw new RemnantError('malformed', 'request has text that is not Unicode in "environment"', { hint: HINT })
    hashes.set(key, sha256(value))
  }
  return hashes
}

function refuseTwice(field: 'baseline_key_hashes' | 'claim_dependency_map', pairs: readonly (readonly [string, unknown])[]): void {
  if (new Set(pairs.map(([name]) => name)).size < pairs.length)
    throw new RemnantError('malformed', `request names one thing twice in "manifest.${field}"`, { hint: HINT })
}
