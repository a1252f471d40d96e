import { sha256 } from '../base/digest.ts'
import type { Probe } from '../model/probe.ts'

/**
 * Every file of one name in the work tree: a workspace is named by what stands in its manifest, so that only all of them say which one
 * is meant. A submodule, or a folder behind a link, may hold more of them: where it leads counts.
 */
export default {
  id: 'manifests',
  why: 'A gate of a workspace is defined by the manifest that bears its name, wherever it lies; sources are another matter.',
  argument: 'the name of a file, without a folder',
  async read(argument, world) {
    if (argument.includes('/')) return { unreadable: 'it names no file without a folder' }
    const tree = await world.tree('.')
    if (tree === null) return { value: 'absent' }
    if (tree.doubt !== null) return { unreadable: tree.doubt }
    const lines: string[] = []
    let written = 0
    for (const { mode, blob, path } of tree.files) {
      const steps = path.split('/')
      const isNamed = steps.at(-1) === argument
      const leads = mode === SUBMODULE || mode === LINK
      if ((!isNamed && !leads) || steps.includes('node_modules')) continue
      // What a folder holds that lies outside nobody sees here; a manifest that does can't be told.
      const found = await (isNamed ? world.stat(path) : world.stat(path).catch(() => null))
      if (!isNamed && found?.kind === 'file') continue
      written = Math.max(written, found?.changed ?? 0)
      lines.push(`${mode === LINK && found?.kind === 'file' ? await world.blob(path) : blob} ${path}\n`)
    }
    const sorted = lines.map((line) => Buffer.from(line, 'utf8')).sort(Buffer.compare)
    return {
      value: sha256(Buffer.concat(sorted)),
      changed: Math.max(written, tree.folders ?? tree.changed),
      written,
      // Where one was removed its folder may hold nothing more that git would tell.
      get moved() {
        return tree.moved ?? Number.POSITIVE_INFINITY
      },
    }
  },
} satisfies Probe

const SUBMODULE = '160000'
const LINK = '120000'
