import { joinPath } from '../../model/key.ts'
import type { Inputs } from './inputs.ts'
import { type Pattern, STAR, above, inFolder, isKnown, nameIn, placeOf } from './pattern.ts'
import type { Place } from './place.ts'

const SOURCE = /\.(?:c|cc|cpp|cxx|c\+\+|C|h|hh|hpp|hxx|inl|ipp|i|ii|S|s)$/

/** A compiler's command: its sources, and all that they include. */
export async function followC(args: readonly Pattern[], at: Place): Promise<void> {
  const { inputs, folder } = at
  inputs.env(['CPATH', 'C_INCLUDE_PATH', 'CPLUS_INCLUDE_PATH', 'LIBRARY_PATH', 'GCC_EXEC_PREFIX', 'COMPILER_PATH', 'SOURCE_DATE_EPOCH'])
  const quoted: string[] = []
  const system: string[] = []
  const sources: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Pattern
    if (!isKnown(arg) && !arg.includes(STAR)) return inputs.all('an option of a compiler that only running tells')
    const searched = /^-(I|iquote|isystem|idirafter|B|L|F)(.*)$/s.exec(arg)
    if (searched !== null) {
      const where = searched[2] === '' ? (args[++i] ?? '') : (searched[2] as string)
      const place = placeOf(where, folder)
      if (place === '?') return inputs.all('headers that only running tells where they lie')
      if (place === null) continue
      if (searched[1] === 'B' || searched[1] === 'L' || searched[1] === 'F') await inputs.tree(place)
      else (searched[1] === 'iquote' ? quoted : system).push(place)
    } else if (/^-(?:o|MF|MT|MQ|x|std|D|U|arch|target|u|z)$/.test(arg)) i += 1
    else if (/^(?:@|-(?:include|imacros|specs|T|wrapper|fplugin|fprofile|fmodules|W[lpa],|X|fsanitize-blacklist|save-temps|fuse-ld|iprefix|isysroot|-sysroot|include-pch|iwithprefix))/.test(arg)) return inputs.all(`a compiler with ${arg.slice(0, 20)}`)
    else if (arg.startsWith('-')) continue
    else {
      const place = placeOf(arg, folder)
      if (place !== null && at.made.has(place) && !inputs.tracked(place)) continue
      sources.push(...(await inputs.path(arg, folder, 'read')))
    }
  }
  await includes(sources, quoted, system, inputs)
}

/** All that sources include, in every branch. */
async function includes(sources: readonly string[], quoted: readonly string[], system: readonly string[], inputs: Inputs): Promise<void> {
  const seen = new Set<string>()
  const queue = sources.filter((path) => SOURCE.test(path))
  // A header of the system asks for others in the same folders.
  for (const folder of system) await inputs.listed(folder, 'headers', (path) => path !== folder)
  for (let path = queue.shift(); path !== undefined && !inputs.isFull; path = queue.shift()) {
    if (seen.has(path)) continue
    seen.add(path)
    const text = ((await inputs.text(path)) ?? '').replace(/\\\r?\n/g, '')
    // A comment may stand before a directive, or in it.
    const bare = text.includes('/*') ? uncommented(text) : text
    for (const line of new Set([...text.split('\n'), ...bare.split('\n')])) {
      const found = /^\s*(?:#|%:|\?\?=)\s*(include|include_next|import|embed)\b\s*(?:"([^"]+)"|<([^>]+)>)?/.exec(line)
      if (found !== null) {
        const [, word, near, far] = found
        if (near === undefined && far === undefined) inputs.all(`"${path}" includes what a macro says`)
        if (word === 'embed' || word === 'include_next') inputs.all(`"${path}" uses ${word}`)
        await look(near ?? far ?? '', near !== undefined, path)
      }
      for (const [, near, far] of line.matchAll(/__has_include\s*\(\s*(?:"([^"]+)"|<([^>]+)>)/g)) await look(near ?? far ?? '', near !== undefined, path)
      if (/\.incbin|_Pragma|^\s*#\s*pragma\s+(?:GCC\s+pch|GCC\s+dependency|comment)|__has_embed|^\s*(?:export\s+)?(?:import|module)\s+[\w<"]/.test(line)) inputs.all(`"${path}" may read more than it includes`)
    }
  }

  async function look(name: string, near: boolean, from: string): Promise<void> {
    if (name === '' || name.startsWith('/')) return name === '' ? undefined : inputs.all(`"${from}" includes from outside`)
    for (const folder of [...(near ? [above(from), ...quoted] : []), ...system]) {
      const place = joinPath(folder, name)
      if (place === null) return inputs.all(`"${from}" includes from outside`)
      await inputs.present(`${place}.gch`)
      if ((await inputs.kind(place)) === 'file') {
        queue.push(place)
        return
      }
      await inputs.present(place)
    }
    if (near) return
  }
}

/** A text without its block comments; where one is not closed, what is behind it stays. */
function uncommented(text: string): string {
  let bare = ''
  for (let at = 0; ; ) {
    const open = text.indexOf('/*', at)
    const close = open === -1 ? -1 : text.indexOf('*/', open + 2)
    if (close === -1) return bare + text.slice(at)
    bare += `${text.slice(at, open)} `
    at = close + 2
  }
}

/** Standard headers whose functions look at no file but by the names in REACHES. */
const STANDARD = new Set('assert ctype errno float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype complex'.split(' ').map((name) => `${name}.h`))
const REACHES = /\b(?:f?re?open|fopen|open(?:at|dir)?|creat|popen|system|exec[lv]\w*|posix_spawn\w*|f?scandir|dlopen|remove|rename|tmpfile|stat|lstat|access|getenv|secure_getenv|asm|__asm__|syscall|mmap|freopen)\b/

/** Whether a program that was made of sources can read nothing but what it is given: it knows no function that opens a file. */
export async function isDeaf(sources: readonly string[], inputs: Inputs): Promise<boolean> {
  const seen = new Set<string>()
  const queue = [...sources]
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (seen.has(path)) continue
    seen.add(path)
    if (!/\.[ch]$/.test(path)) return false
    const text = (await inputs.text(path)) ?? ''
    if (REACHES.test(text)) return false
    for (const [, far, near] of text.matchAll(/^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")/gm)) {
      if (far !== undefined && !STANDARD.has(far)) return false
      if (near === undefined) continue
      // Wherever a header of this name is found, all of that name are looked at.
      const known = inputs.known(nameIn(near))
      if (known.length === 0 && !STANDARD.has(near)) return false
      queue.push(...known)
    }
  }
  return sources.length > 0
}

/** Names that make looks for when it wonders how a file is made. */
export const besides = (path: string): ((other: string) => boolean) => {
  const stem = nameIn(path).replace(/\.[^.]*$/, '')
  const [folder, name] = [above(path), nameIn(path)]
  return (other) => (above(other) === folder && (nameIn(other).startsWith(`${name}.`) || nameIn(other).startsWith(`${stem}.`) || nameIn(other) === `s.${name}` || nameIn(other) === `${name},v`)) || (above(above(other)) === folder && /^(?:RCS|SCCS)$/.test(nameIn(above(other)))) || other === inFolder(folder, stem)
}
