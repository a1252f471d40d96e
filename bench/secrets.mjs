import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { home } from './process.mjs'
import { bundled } from './tools.mjs'

/** Leaks and wrong purges: made-up secrets of every shape in every field of every format, and texts that hold none. */
export async function secrets(folder) {
  const { cleanTexts, findingIn, leakOf, planted, trials } = await import(pathToFileURL(await bundled('secrets', folder)).href)
  const shapes = planted(Number(process.env.SECRETS_SEED ?? 1))
  const all = trials(shapes)
  const leaks = []
  for (const trial of all) {
    const leak = await leakOf(trial)
    if (leak !== null) leaks.push(`leaked: ${trial.format}, ${trial.place}: ${trial.shape.name}`)
  }
  const places = new Set(all.map(({ place }) => place)).size
  const formats = new Set(all.map(({ format }) => format)).size
  const clean = await wrongIn(cleanTexts(home), findingIn)
  const real = await corpus(findingIn)
  for (const line of [...leaks, ...clean.wrong.map((line) => `no secret, taken for one: ${line}`), ...(real?.wrong ?? []).slice(0, 50).map((line) => `of a real log: ${line}`)]) console.log(line)
  return {
    note: `${shapes.length} shapes in ${places} fields of ${formats} formats; ${real === null ? 'no corpus of real logs on this machine (LOG_CORPUS)' : 'what is found in real logs may be secrets: look at each'}`,
    rows: [
      { what: 'planted secrets that got out', value: `${leaks.length} of ${all.length}`, target: '0', met: leaks.length === 0 },
      share('clean texts taken for secrets', clean),
      ...(real === null ? [] : [share('command lines of real logs taken for secrets', real)]),
    ],
  }
}

const share = (what, { wrong, n }) => ({ what, value: `${wrong.length} of ${n} (${((100 * wrong.length) / Math.max(n, 1)).toFixed(2)} %)`, target: '1 %', met: wrong.length <= n / 100 })

async function wrongIn(texts, findingIn) {
  const wrong = []
  for (const text of texts) {
    const kind = await findingIn(text)
    if (kind !== null) wrong.push(`${kind}: ${text.slice(0, 160)}`)
  }
  return { wrong, n: texts.length }
}

/** The distinct command lines that real logs hold; null: there are none here. Where one looks like a secret, its kind and place are told, never its words. */
async function corpus(findingIn) {
  const top = resolve(home, process.env.LOG_CORPUS || '../shared/corpus')
  if (!existsSync(top)) return null
  const seen = new Set()
  const wrong = []
  for (const path of readdirSync(top, { recursive: true }).filter((name) => name.endsWith('.jsonl')).sort()) {
    let number = 0
    for await (const line of createInterface({ input: createReadStream(join(top, path)) })) {
      number += 1
      for (const text of commandsIn(line)) {
        if (seen.has(text)) continue
        seen.add(text)
        const kind = await findingIn(text)
        if (kind !== null) wrong.push(`${kind}: ${path}:${number}`)
      }
    }
  }
  return { wrong, n: seen.size }
}

/** What stands under `command` or `cmd` in a line, however deep. */
function commandsIn(line) {
  const found = []
  const look = (value, name) => {
    if (typeof value === 'string') {
      if (name === 'command' || name === 'cmd') found.push(value.slice(0, 4000))
      else if (name === 'arguments' && value.startsWith('{')) look(parsed(value), '')
    } else if (value !== null && typeof value === 'object') for (const [key, inner] of Object.entries(value)) look(inner, Array.isArray(value) ? name : key)
  }
  look(parsed(line), '')
  return found
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
