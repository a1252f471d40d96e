import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deeds } from './guardtruth/deeds.mjs'
import { ends, others, spellings, unrelated } from './guardtruth/ends.mjs'
import { compared, openHost } from './guardtruth/host.mjs'
import { env, home, program } from './process.mjs'
import { wilson } from './table.mjs'
import { bundled } from './tools.mjs'

/** Most of a step is waiting for programs. */
const AT_ONCE = Number(process.env.AT_ONCE ?? 4)
/** How many steps at most; each project has its part. */
const STEPS = Number(process.env.STEPS ?? Infinity)
/** After so long no further step is begun. */
const MINUTES = Number(process.env.MINUTES ?? 30)

/** What changed so shortly before a call began may have changed while it ran, as far as the hook can tell. */
const SETTLED_MS = 600

/**
 * Whether the guard is right: (command, change, command again), really run. A dead end is stopped wrongly if the command then
 * succeeds; a mutation if it is no repetition of a done deed, or if the repetition does nothing and passes. Each call goes through the
 * agents' hook as a host would let it (one in ten as a process, the others by its code), and is made whatever the guard says.
 * GUARDTRUTH_ONLY=text: only projects whose name holds it.
 */
export async function guardtruth(folder) {
  const only = process.env.GUARDTRUTH_ONLY ?? ''
  const here = (needs) => spawnSync(needs, ['--version'], { env, stdio: 'ignore' }).error === undefined
  const projects = [...ends.flatMap((project) => ['.', 'packages/a'].map((below) => ({ ...project, name: `${project.id} in ${below}`, below }))), ...deeds.map((deed) => ({ ...deed, name: deed.id }))].filter(({ name }) => name.includes(only))
  const absent = [...new Set(projects.filter(({ needs }) => !here(needs)).map(({ id }) => id))]
  const waiting = projects.filter(({ needs }) => here(needs)).map((project, number) => ({ project, number }))
  const part = Math.ceil(STEPS / waiting.length)
  const tool = await installed(folder)
  const broken = []
  const steps = []
  const end = performance.now() + MINUTES * 60_000
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { project, number } = next
      const at = join(folder, String(number))
      mkdirSync(at)
      let left = part
      const note = (step) => {
        left--
        made++
        steps.push({ project: project.name, ...step })
        if (step.wrong && isStop(step)) console.error(`wrong: ${project.name}: ${step.command} · ${step.change} → ${step.decision}; it ended with ${step.status}`)
      }
      let made = 0
      const h = openHost(at, tool, project.below)
      try {
        await (project.deed === undefined ? deadEnds(h, project, note, () => left <= 0 || performance.now() > end) : doneDeeds(h, project, number, note, () => performance.now() > end))
      } catch (error) {
        broken.push(`${project.name}: ${error.message}`)
      }
      rmSync(at, { recursive: true, force: true })
      console.error(`${project.name}: ${made} steps`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return told(steps, absent, broken)
}

/** A copy of what is built, since others may build while this runs, and the hook's code for this process. */
async function installed(folder) {
  const at = join(folder, 'tool')
  for (const name of ['dist', 'hooks', 'package.json']) cpSync(join(home, name), join(at, name), { recursive: true })
  const { hooked } = await import(pathToFileURL(await bundled('guardtruth/hooked', folder)).href)
  return { home: at, program: join(at, relative(home, program)), hooked }
}

/** One session runs into the dead ends and is sealed; another is told of each; then everything changes, one thing at a time. */
async function deadEnds(h, project, note, isOver) {
  for (const [path, text] of Object.entries(project.files)) h.put(path, text, path === 'plain.sh' ? 0o644 : undefined)
  h.put('below/README', 'x\n')
  await begin(h, project.below)
  const first = new Map()
  for (const end of project.ends)
    for (let i = 0; i < (end.twice ? 2 : 1); i++) {
      const came = await h.make(end.command)
      if (came.status === 0) throw new Error(`"${end.command}" succeeded: ${came.stdout}`)
      await h.after(`s1 ${end.command}`, end.command, came)
      first.set(end, came)
    }
  await h.seal()
  const known = await h.boundaries()
  const isKnown = ({ command }) => known.has(JSON.stringify(command.split(' ')))
  const step = async (end, change, command, { same, at = {}, follow = false, made = command } = {}) => {
    if (isOver()) return
    const { decision, text } = await h.before('s2', command, at)
    const came = await h.make(made, at)
    const repeated = same && alike(came, first.get(end))
    note({ class: end.class, known: isKnown(end), change, command, decision, text, status: came.status, wrong: came.status === 0, repeated, output: came.stdout })
    if (!follow) return
    await h.after('s2', command, came, at)
    const then = await h.before('s2', command, at)
    note({ class: end.class, known: isKnown(end), change: `${change}, and it was made`, command, decision: then.decision, status: came.status, wrong: came.status === 0, repeated, output: came.stdout })
  }
  for (const end of project.ends) await step(end, 'another session', end.command, { same: true, follow: true })
  const kept = await h.keep()
  for (const end of project.ends)
    for (const [what, change, given, undo, spelled = (c) => c] of end.fixes) {
      await change(h)
      const at = typeof given === 'function' ? given(h) : (given ?? {})
      await step(end, what, spelled(end.command), { at, follow: true })
      kept.back()
      undo?.(h)
    }
  // What takes long is told in other words in one folder alone.
  const often = project.ends.filter(({ slow }) => !slow || project.below === '.')
  for (const [what, change, at] of unrelated) {
    await change(h)
    for (const end of often) await step(end, what, end.command, { same: true, at })
    kept.back()
  }
  for (const end of often) {
    for (const [what, spelled, made = spelled] of spellings) if (!end.command.includes("'")) await step(end, what, spelled(end.command), { same: true, made: made(end.command) })
    for (const [what, spelled, { below } = {}] of others) {
      const command = spelled(end.command, end.fixes[0] === undefined ? end.command : `echo trying && ${end.command}`)
      await step(end, what, command, below ? { at: { cwd: join(h.root, 'below') } } : {})
    }
    for (const command of end.others ?? []) await step(end, 'told otherwise', command)
  }
  // It passes in the end, and that is sealed too: what was a dead end is none.
  for (const end of project.ends.filter(({ fixes }) => fixes.length > 0).slice(0, 3)) {
    const [[what, change, given, undo]] = end.fixes
    const at = typeof given === 'function' ? given(h) : (given ?? {})
    await change(h)
    const came = await h.make(end.command, at)
    await h.after('s3', end.command, came, at)
    await h.seal()
    for (let i = 0; i < 2; i++) await step(end, `${what}, and that was sealed`, end.command, { at })
    kept.back()
    undo?.(h)
  }
}

/** A deed is done; is it known again, and is nothing else taken for it? */
async function doneDeeds(h, project, number, note, isOver) {
  h.put('README', 'x\n')
  await h.git('init', '-q', '-b', 'main')
  await begin(h, '.')
  // The guard has an index once something was sealed.
  for (const [name, results] of [['sealed', true], ['not sealed', true], ['cut off', false], ['cut off and sealed', false]]) {
    if (isOver()) return
    const kept = await h.keep()
    const made = await project.open(h, number)
    const deed = typeof project.deed === 'string' ? project.deed : project.deed(made)
    try {
      await h.before('d1', deed)
      const came = await h.make(deed)
      if (came.status !== 0) throw new Error(`"${deed}" ended with ${came.status}: ${came.stdout}`)
      if (results) await h.after('d1', deed, came)
      if (name.endsWith('sealed') && name !== 'not sealed') await h.seal()
      const after = await h.keep()
      for (const [what, change, command, same, at] of project.again(made)) {
        await change(h)
        const { decision, text } = await h.before('d2', command, at)
        const before = await project.count(made, h)
        const again = await h.make(command, at)
        const took = (await project.count(made, h)) - before
        // Done once more, or refused: else it was harmless.
        const harms = same && (took > 0 || again.status !== 0)
        note({ class: project.id, known: true, change: `${name}: ${what}`, command, decision, text, status: again.status, took, wrong: !harms, repeated: same && !project.silent && !(project.local && name.endsWith('sealed')) && name !== 'not sealed', output: again.stdout })
        after.back()
      }
    } finally {
      await made.close()
    }
    kept.back()
    h.remove(join(h.root, '../told'))
    h.remove(join(h.root, '../bare.git'))
    h.remove(join(h.root, '../two.git'))
  }
}

/** A first commit, and an index of the guard: something was sealed here before. */
async function begin(h, below) {
  await h.make(`cd "${below === '.' ? '.' : below.replaceAll(/[^/]+/g, '..')}" && git init -q -b main && git add -A && git commit -q -m start`)
  const gone = 'gone-of-mine --first'
  const came = await h.make(gone)
  await h.make('mkdir -p "$(git rev-parse --git-common-dir)/remnant"')
  await h.after('s0', gone, came)
  await h.seal()
  await new Promise((done) => setTimeout(done, SETTLED_MS))
}

const isStop = ({ decision }) => decision === 'deny' || decision === 'ask'

const alike = (a, b) => a.status === b.status && bare(a.stdout) === bare(b.stdout)
const bare = (text) => text.replace(/\d+/g, '').replace(/\S*\/(?=[\w.-]+)/g, '').trim()

function told(steps, absent, broken) {
  const stops = steps.filter(isStop)
  const wrong = stops.filter((step) => step.wrong)
  const notes = steps.filter(({ decision }) => decision === 'note')
  const passed = notes.filter((step) => step.wrong)
  const all = steps.filter(({ repeated }) => repeated)
  // What is no claim nobody can speak up about: most of it is of no class (DESIGN 4).
  const repeats = all.filter(({ known }) => known)
  const missed = repeats.filter(({ decision }) => decision === 'silent')
  const spoke = (some) => `${some.filter(({ decision }) => decision !== 'silent').length} of ${some.length}`
  const list = (title, some) => {
    if (some.length === 0) return
    const kinds = new Map()
    for (const step of some) {
      const kind = `${step.class}: ${step.command.replace(/\s+/g, ' ').slice(0, 90)} · ${step.change}${process.env.WHERE ? ` (${step.project})` : ''}`
      kinds.set(kind, [...(kinds.get(kind) ?? []), step])
    }
    console.log(`\n${title}`)
    for (const [kind, all] of kinds) console.log(`  ${all.length} × ${kind} → ${all[0].decision}; it ended with ${all[0].status}`)
  }
  for (const line of broken) console.log(`could not be measured to its end: ${line}`)
  for (const line of compared.differed) console.log(`the hook and its code differ: ${line}`)
  list('stops that were wrong', wrong)
  list('notes on calls that then passed', passed)
  list('repetitions that were missed', missed)
  list('repetitions of what is no claim', all.filter(({ known, decision }) => !known && decision === 'silent').map((step) => ({ ...step, change: 'any' })))
  const classes = [...new Set(repeats.map((step) => step.class))]
  return {
    note: `${steps.length} steps, each really run${absent.length === 0 ? '' : `; not here: ${absent.join(', ')}`}; intervals are Wilson's, at 95 %`,
    rows: [
      { what: 'stops that were wrong', value: `${wrong.length} of ${stops.length}, at most ${percent(wilson(wrong.length, stops.length)[1])}`, target: '0 in ≥ 600', met: wrong.length === 0 && stops.length >= 600 },
      ...(broken.length === 0 ? [] : [{ what: 'projects that could not be measured to their end', value: String(broken.length), target: '0', met: false }]),
      { what: '  of dead ends, of deeds', value: `${stops.filter(({ decision }) => decision === 'deny').length}, ${stops.filter(({ decision }) => decision === 'ask').length}` },
      { what: 'answers of hooks/guard and of its code that differ', value: `${compared.differed.length} of ${compared.calls}`, target: '0', met: compared.differed.length === 0 },
      { what: '  one of the two was silent, as where its time was up', value: String(compared.late) },
      { what: 'notes on calls that then passed', value: `${passed.length} of ${notes.length}`, target: '0', met: passed.length === 0 },
      { what: 'repetitions it spoke up about', value: `${spoke(repeats)}: ${percent(1 - missed.length / repeats.length)} [${wilson(repeats.length - missed.length, repeats.length).map(percent).join(', ')}]`, target: '≥ 90 %', met: repeats.length > 0 && missed.length <= repeats.length * 0.1 },
      { what: 'of all repetitions, what is no claim too', value: `${spoke(all)}: ${percent(all.filter(({ decision }) => decision !== 'silent').length / all.length)}` },
      ...classes.map((name) => ({ what: `  ${name}`, value: spoke(repeats.filter((step) => step.class === name)) })),
    ],
  }
}

const percent = (share) => (Number.isNaN(share) ? '–' : `${(share * 100).toFixed(1)} %`)
