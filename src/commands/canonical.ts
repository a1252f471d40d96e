import { canonical, parseStrict } from '../base/canonical.ts'
import { sha256 } from '../base/digest.ts'
import type { Command } from '../command.ts'
import { answerEach, inputLines, inputOf } from '../host/log/lines.ts'

export default {
  name: 'canonical',
  kind: 'plumbing',
  summary: 'Canonical bytes (RFC 8785) and digest of JSON values',
  details: [
    'Reads one JSON value a line and answers {"digest", "bytes"} a line: the SHA-256 of the canonical bytes, and those bytes as text.',
    'A key twice in one object, a lone surrogate and a number that no double can hold are refused in their line\'s place.',
  ].join('\n'),
  positionals: [{ name: 'file', describe: 'JSON lines; standard input if not given, or -' }],
  async run(args, host) {
    return answerEach(inputLines(inputOf(args.text('file'), host)), (text) => {
      const bytes = canonical(parseStrict(text))
      return { digest: sha256(bytes), bytes }
    })
  },
} satisfies Command
