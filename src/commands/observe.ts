import { resolve } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import type { Command, Host } from '../command.ts'
import { observe } from '../distill/observe.ts'
import { parse } from '../distill/parse.ts'
import { openLog, openLogFrom } from '../host/log.ts'
import { settingFor } from '../host/trial/setting.ts'

export default {
  name: 'observe',
  kind: 'plumbing',
  summary: 'A session log in, observations out; nothing is stored',
  details: 'Reads the log of any host that it recognises and writes one observation a line: what happened, where, and what came of it.',
  positionals: [{ name: 'file', describe: 'the log, with its sub-agents\' files beside it; standard input if not given, or -' }],
  run: async (args, host) => {
    const faults: RemnantError[] = []
    return { lines: observations(args.text('file'), host, faults), status: () => (faults.length > 0 ? 65 : 0) }
  },
} satisfies Command

async function* observations(file: string | undefined, host: Host, faults: RemnantError[]): AsyncGenerator<unknown> {
  const { formats, toolchains } = await host.sets()
  let told = 0
  const report = (fault: RemnantError): void => void faults.push(fault)
  const log = file === undefined || file === '-' ? await openLogFrom(host.stdin, formats, report) : await openLog(resolve(host.cwd, file), formats, host.files, report)
  for await (const { observation } of observe(parse(log.lines, log.format, report), toolchains, await rootsAround(host))) {
    for (; told < faults.length; told += 1) yield answerTo(faults[told] as RemnantError)
    yield observation
  }
  for (; told < faults.length; told += 1) yield answerTo(faults[told] as RemnantError)
}

/** Work trees of the repository around us, if there is one: a log may be read anywhere. */
async function rootsAround(host: Host): Promise<readonly string[]> {
  try {
    return (await settingFor(await host.git(), await host.config())).roots
  } catch (cause) {
    if (cause instanceof RemnantError) return []
    throw cause
  }
}

const answerTo = ({ fault, message, hint }: RemnantError) => ({ error: { fault, message, hint: hint ?? null } })
