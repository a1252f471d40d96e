import { optionNames, readArguments } from '../model/arguments.ts'
import type { CanonicalCommand } from '../model/command.ts'
import type { Target } from '../model/claim.ts'
import { type Mutation, doneAt } from '../model/mutation.ts'
import { serverAt } from '../model/place.ts'
import { type SqlWrite, sqlFile, sqlWrite } from '../model/sql.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'mysql',
  why: 'Statements that change data or tables are done on a server that others use, and most can not be taken back.',
  names: ['mysql', 'mariadb'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { ...call.write, target: call.target }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^ERROR \d+ \(\w{5}\)/m.test(output)) return call.single ? 'not-done' : null
    if (/^Query OK, 0 rows affected/m.test(output) && !/^Query OK, [1-9]/m.test(output) && call.write.repeat === 'harmful') return 'not-done'
    // It prints nothing unless it is asked to, and stops at the first error.
    return (succeeded && !call.forces) || /^Query OK, /m.test(output) ? doneAt(call.target, call.write.identifier, call.write.state_hash) : null
  },
} satisfies Mutation

interface Call {
  readonly write: SqlWrite
  readonly target: Target | null
  readonly single: boolean
  readonly forces: boolean
}

function readCall(command: CanonicalCommand): Call | null {
  const { program, args } = programOf(command)
  if (program !== 'mysql' && program !== 'mariadb') return null
  const at = args.lastIndexOf('<')
  // `-p` takes its value only where it is joined to it.
  const given = readArguments((at === -1 ? args : args.slice(0, at)).filter((arg) => !/^-p./.test(arg)), VALUES)
  if (given.has('--help', '-?', '--version', '-V')) return null
  const text = given.value('-e', '--execute')
  const file = /^\s*source\s+(\S+?);?\s*$/i.exec(text ?? '')?.[1] ?? (text === null && at !== -1 ? (args[at + 1] ?? null) : null)
  const write = file !== null ? sqlFile(file) : text === null ? null : sqlWrite(text)
  if (write === null) return null
  const host = given.value('-h', '--host') ?? command.env.find(([name]) => name === 'MYSQL_HOST')?.[1] ?? 'localhost'
  const database = given.value('-D', '--database') ?? given.words[0] ?? ''
  const single = file === null && (text ?? '').replace(/;\s*$/, '').includes(';') === false
  return { write, target: serverAt('mysql', host, given.value('-P', '--port'), database), single, forces: given.has('-f', '--force') }
}

const VALUES = optionNames('-e --execute -h --host -P --port -u --user -D --database -S --socket --protocol --default-character-set --ssl-ca --ssl-cert --ssl-key --ssl-mode --delimiter --init-command')
