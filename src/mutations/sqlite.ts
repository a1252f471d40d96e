import { optionNames, readArguments } from '../model/arguments.ts'
import type { CanonicalCommand } from '../model/command.ts'
import type { Target } from '../model/claim.ts'
import { type Mutation, doneAt } from '../model/mutation.ts'
import { joinPath } from '../model/key.ts'
import { sqliteAt } from '../model/place.ts'
import { type SqlWrite, sqlFile, sqlWrite } from '../model/sql.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'sqlite',
  why: 'A database in a file is in no commit, and rows that were added twice are there twice.',
  names: ['sqlite3', 'sqlite'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { ...call.write, target: call.target }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^(?:Error|Parse error|Runtime error|Error near line \d+|Error: stepping)\b/m.test(output)) return 'not-done'
    return succeeded ? doneAt(call.target, call.write.identifier, call.write.state_hash) : null
  },
} satisfies Mutation

function readCall(command: CanonicalCommand): { readonly write: SqlWrite; readonly target: Target | null } | null {
  const { program, args } = programOf(command)
  if (program !== 'sqlite3' && program !== 'sqlite') return null
  const at = args.lastIndexOf('<')
  const given = readArguments(at === -1 ? args : args.slice(0, at), VALUES, 'whole')
  const [database, ...texts] = given.words
  if (database === undefined || given.has('-readonly', '--readonly', '-help', '--help', '-version', '--version')) return null
  const all = [...given.all('-cmd', '--cmd'), ...texts]
  const file = all.map((text) => /^\.(?:read|import|restore)\s+(?:--?\w+\s+)*(\S+)/.exec(text)?.[1]).find((path) => path !== undefined) ?? (texts.length === 0 && at !== -1 ? args[at + 1] : undefined)
  const write = file !== undefined ? sqlFile(file) : sqlWrite(all.filter((text) => !text.startsWith('.')).join(';\n'))
  if (write === null) return null
  const path = /^(?:\/|file:|:memory:|[A-Za-z]:)/.test(database) ? database.replace(/^file:([^?]*).*$/s, '$1') : (joinPath(command.folder, database) ?? database)
  const target = sqliteAt(path)
  return target === null ? null : { write, target }
}

const VALUES = optionNames('-cmd --cmd -init --init -separator --separator -nullvalue --nullvalue -newline --newline -mmap --mmap -vfs --vfs -maxsize --maxsize')
