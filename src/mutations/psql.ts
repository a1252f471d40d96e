import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt } from '../model/mutation.ts'
import { databaseAt, serverAt } from '../model/place.ts'
import { type SqlWrite, sqlFile, sqlWrite } from '../model/sql.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'psql',
  why: 'A row that was inserted twice is two rows, and a database outlives every session.',
  names: ['psql'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { ...call.write, target: call.target }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    const done = doneAt(call.target, call.write.identifier, call.write.state_hash)
    // Statements of one `-c` stand or fall together; of a file those before and behind the error may stand.
    if (/^(?:psql:\S{1,300}:\d+: )?(?:ERROR|FATAL):|^psql: error: /m.test(output)) return call.whole ? 'not-done' : null
    const tags = [...output.matchAll(TAG)]
    if (tags.length > 0) return tags.every(([, , count]) => count === '0') ? 'not-done' : call.whole || succeeded ? done : null
    return succeeded && call.whole ? done : null
  },
} satisfies Mutation

interface Call {
  readonly write: SqlWrite
  readonly target: Target | null
  /** All of it stands, or its status says that it does not. */
  readonly whole: boolean
}

function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  if (program !== 'psql') return null
  const at = args.lastIndexOf('<')
  const input = at === -1 ? null : (args[at + 1] ?? null)
  const given = readArguments(at === -1 ? args : args.slice(0, at), VALUES)
  if (given.has('--help', '-?', '-V', '--version', '-l', '--list')) return null
  const texts = given.all('-c', '--command')
  const file = given.value('-f', '--file') ?? (texts.length === 0 ? input : null)
  const written = texts.length === 0 ? null : sqlWrite(texts.join(';\n'))
  const write = file !== null && file !== '-' ? sqlFile(file) : written
  if (write === null) return null
  const stops = given.all('-v', '--set', '--variable').some((one) => /^ON_ERROR_STOP(?:=(?:1|on|true))?$/i.test(one)) || given.has('-1', '--single-transaction')
  return { write, target: targetIn(command, given.value('-d', '--dbname') ?? given.words[0] ?? null, given.value('-h', '--host'), given.value('-p', '--port')), whole: file === null ? texts.length === 1 || stops : stops }
}

/** A URL, a `key=value` line, or a name with the host of `-h`, of the environment on the line, or this machine. */
function targetIn({ env }: CanonicalCommand, database: string | null, host: string | null, port: string | null): Target | null {
  const variable = (name: string): string | null => env.find(([key]) => key === name)?.[1] ?? null
  const named = database ?? variable('PGDATABASE')
  if (named !== null && /^postgres(?:ql)?:\/\//.test(named)) return databaseAt(named)
  const pairs = named?.includes('=') === true ? new Map([...named.matchAll(/(?<!\S)(\w{1,30})=([^\s']{1,200})/g)].map(([, key, value]) => [key, value])) : null
  const name = pairs === null ? named : (pairs.get('dbname') ?? null)
  const at = pairs?.get('host') ?? host ?? variable('PGHOST')
  return name === null || at === null ? null : serverAt('postgresql', at, pairs?.get('port') ?? port ?? variable('PGPORT'), name)
}

const VALUES = optionNames(`
  -c --command -d --dbname -f --file -v --set --variable -F --field-separator -o --output -P --pset -R --record-separator -T --table-attr
  -h --host -p --port -U --username -L --log-file`)
const TAG = /^(INSERT \d+|UPDATE|DELETE|MERGE|COPY|CREATE [A-Z ]{3,40}|DROP [A-Z ]{3,40}|ALTER [A-Z ]{3,40}|TRUNCATE TABLE|GRANT|REVOKE|COMMENT|REFRESH MATERIALIZED VIEW|CALL|DO)(?: (\d+))?$/gm
