import { sha256 } from '../base/digest.ts'
import { isOpen } from './mutation.ts'

/** What a database's text or file of statements would write. */
export interface SqlWrite {
  readonly repeat: 'harmful' | 'convergent'
  /** `INSERT users sha256:…`; a file by its name; null where the shell still works the text out. */
  readonly identifier: string | null
  readonly state_hash: string | null
}

/** null: the statements only read, end with their session, or are rolled back. */
export function sqlWrite(text: string): SqlWrite | null {
  const statements = plainSql(text.slice(0, 100_000)).split(';').map((statement) => statement.trim()).filter((statement) => statement !== '')
  if (statements.some((one) => /^rollback\b/i.test(one)) && !statements.some((one) => /^(?:commit|end)\b/i.test(one))) return null
  const writes = statements.flatMap((one) => writeIn(one) ?? [])
  const [first] = writes
  if (first === undefined) return null
  const repeat = writes.some(({ verb }) => ADDS.has(verb)) ? 'harmful' : 'convergent'
  if (isOpen(text)) return { repeat, identifier: null, state_hash: null }
  const hash = sha256(text)
  return { repeat, identifier: `${first.verb}${first.object === null ? '' : ` ${first.object}`} sha256:${hash}`, state_hash: hash }
}

/** A file of statements: what is in it nobody says, so it may add something twice. */
export const sqlFile = (path: string): SqlWrite => ({ repeat: 'harmful', identifier: isOpen(path) ? null : `@${path}`, state_hash: null })

function writeIn(statement: string): { readonly verb: string; readonly object: string | null } | null {
  const verb = /^(\\?[a-z]+)/i.exec(statement)?.[1]?.toUpperCase() ?? ''
  if (verb === 'WITH') {
    const inner = /\b(INSERT|UPDATE|DELETE|MERGE)\s/i.exec(statement)?.[1]?.toUpperCase()
    return inner === undefined ? null : { verb: inner, object: null }
  }
  if (verb === 'EXPLAIN') return /^explain\s+(?:\(\s*)?analy[sz]e\b/i.test(statement) && /\b(?:insert|update|delete|merge)\s/i.test(statement) ? { verb: 'EXPLAIN', object: null } : null
  if (!WRITES.has(verb) || /^create\s+(?:or\s+replace\s+)?(?:global\s+|local\s+)?temp(?:orary)?\s/i.test(statement)) return null
  if ((verb === 'COPY' || verb === '\\COPY') && !/\sfrom\s/i.test(statement)) return null
  return { verb, object: OBJECT.exec(statement)?.[1]?.replace(/["`[\]]/g, '').toLowerCase() ?? null }
}

const WRITES = new Set('INSERT UPDATE DELETE DROP ALTER CREATE TRUNCATE GRANT REVOKE REPLACE MERGE COPY \\COPY RENAME UPSERT CALL LOAD COMMENT REASSIGN REFRESH DO \\I \\IR'.split(' '))
const ADDS = new Set('INSERT UPDATE MERGE COPY \\COPY CALL LOAD DO EXPLAIN \\I \\IR'.split(' '))
const OBJECT =
  /^\\?[a-z]+\s+(?:(?:or|into|from|ignore|only|if|not|exists|table|index|unique|view|schema|database|user|role|sequence|type|function|extension|materialized|concurrently|replace|local|data)\s+)*(["`[]?[a-z_][\w.$"`[\]]{0,120})/i

/** Without comments, and without what stands in quotes. */
const plainSql = (text: string): string =>
  text.replace(/'(?:[^']|'')*'|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//g, (found) => (found.startsWith("'") || found.startsWith('$') ? "''" : ' '))
