import { table } from '../../base/table.ts'
import { shown } from '../../model/command.ts'
import type { Tried } from './run.ts'

/** The runs as JUnit XML, the form that pipelines read: red and flaky ones fail, what could not be judged is an error, what did not run is skipped. */
export function junitOf(tried: readonly Tried[]): string {
  const count = (element: string): number => tried.filter(({ result }) => ELEMENTS[result] === element).length
  const seconds = tried.reduce((sum, one) => sum + (one.seconds ?? 0), 0)
  const counts = `tests="${tried.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds.toFixed(3)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="git remnant gate" ${counts}>`,
    `  <testsuite name="git remnant gate" ${counts}>`,
    ...tried.flatMap(caseOf),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function caseOf(one: Tried): string[] {
  const { command, claims } = one.gate
  const open = `    <testcase classname="${xml(command.folder)}" name="${xml(shown(command))}" time="${(one.seconds ?? 0).toFixed(3)}"`
  const element = ELEMENTS[one.result]
  if (element === null) return [`${open}/>`]
  const told = [one.signature, ...claims.map(({ claim_id }) => `claim ${claim_id}`), `commit ${one.commit}`].filter((line) => line !== null).join('\n')
  const message = one.reason ?? one.signature?.split('\n', 1)[0] ?? one.result
  if (element === 'skipped') return [`${open}>`, `      <skipped message="${xml(message)}"/>`, '    </testcase>']
  return [`${open}>`, `      <${element} type="${one.result}" message="${xml(message)}">${xml(told)}</${element}>`, '    </testcase>']
}

const ELEMENTS: Readonly<Record<Tried['result'], 'failure' | 'error' | 'skipped' | null>> = {
  green: null,
  red: 'failure',
  FLAKY: 'failure',
  'timed-out': 'error',
  infra: 'error',
  'not-approved': 'skipped',
  slow: 'skipped',
}

/** Text for an attribute or an element; XML has no form for most control characters. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\n\t\r]/g, (character) => ENTITIES[character] as string)

const ENTITIES: Readonly<Record<string, string>> = table({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;', '\t': '&#9;', '\r': '&#13;' })
