import { resolve } from 'node:path'
import { RemnantError } from '../../base/errors.ts'
import type { Host } from '../../command.ts'
import type { Purge } from '../../distill/candidate.ts'
import { parse } from '../../distill/parse.ts'
import { reasonOf } from '../../distill/reasons.ts'
import { openLog } from '../../host/log.ts'
import { purgesOf } from '../../host/purge-log.ts'
import { logOfSession } from '../../host/log/sessions.ts'
import type { Place } from '../../model/observation.ts'
import type { Remnant } from '../../model/remnant.ts'
import type { Receipt } from '../../model/receipt.ts'
import { KINDS, data } from '../../resolve/words.ts'

/** The log that a person names, else the one that the host itself keeps of the session; null: neither is here. */
export async function logFor({ session_id }: Pick<Remnant, 'session_id'>, { host: id }: Receipt, named: string | undefined, host: Host): Promise<string | null> {
  if (named !== undefined) return resolve(host.cwd, named)
  const formats = (await host.sets()).formats.filter((format) => format.host === id && format.host !== 'git-remnant')
  const { workTree } = await host.repository()
  return formats.length === 0 || workTree === null ? null : logOfSession(session_id, workTree, host.env, formats, host.files)
}

/** Where a log shows what came of a record; null: it is not in it, or the log can't be read that far. */
export async function placeOf(record: string, path: string, host: Host): Promise<Place | null> {
  let place: Place | null = null
  try {
    const log = await openLog(path, (await host.sets()).formats, host.files, () => {})
    for await (const turn of parse(log.lines, log.format, () => {}, ({ record_id }, { file, number }) => {
      if (record_id === record) place ??= { file: log.names[file] ?? path, line: number }
    }))
      if (place !== null || turn.record_id === record) return place
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
  }
  return place
}

/** What was purged of a record in this clone, and the rules' own reasons; null: nothing was. */
export async function purgedOf(record: string, host: Host): Promise<{ readonly text: string; readonly data: readonly Record<string, unknown>[] } | null> {
  const purges = purgesOf(record, await host.repository(), host.files)
  if (purges.length === 0) return null
  const sets = await host.sets()
  const told = purges.map((purge) => ({ purge, why: reasonOf(purge.rule, sets) }))
  return {
    text: told.map(({ purge, why }) => inLines(purge, why).join('\n')).join('\n'),
    data: told.map(({ purge: { list, record_id, rule, reason, by }, why }) => ({ kind: list, record_id, rule, reason, why, decided_by: by ?? null })),
  }
}

const inLines = ({ list, record_id, rule, reason, by }: Purge, why: string | null): string[] => [
  `purged  ${KINDS[list]} of record ${data(record_id)}`,
  row('rule', `${data(rule)}: ${data(reason)}`),
  ...(by === undefined ? [] : [row('since', `record ${data(by)}`)]),
  ...(why === null ? [] : [row('because', why)]),
]

const row = (label: string, text: string): string => `  ${label.padEnd(9)} ${text}`
