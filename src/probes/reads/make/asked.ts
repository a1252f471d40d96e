import type { World } from '../../../model/probe.ts'
import { Inputs } from '../inputs.ts'
import { nameIn } from '../pattern.ts'
import { FUNCTIONS } from './functions.ts'
import { type Makefile, readMakefile } from './makefile.ts'
import { STEERING, optionsOf } from './options.ts'

/** More names than this are not worked out. */
const MOST_NAMES = 5000

/**
 * Parts of names such that GNU make, started with these words in a folder, looks for no name in the list of any folder that holds none
 * of them: its targets, what they are made of, and what its own rules and those of the makefiles would make them of. Recipes are another
 * matter. null: its makefiles do what only running tells.
 */
export async function askedBy(args: readonly string[], folder: string, world: World): Promise<readonly string[] | null> {
  const inputs = await Inputs.open(world)
  const options = optionsOf(args, folder)
  if (inputs === null || 'refused' in options) return null
  inputs.env([...STEERING, 'VPATH', 'GPATH'])
  const make = await readMakefile(options.file, options.given, { folder: options.folder, inputs, depth: 0, made: new Set() })
  if (make === null || inputs.whole !== null || make.isGlobbing) return null
  if (![...make.texts, ...options.given.map(([, value]) => value)].every(isPlain) || !FLAGS.every((name) => isPlain(world.env(name) ?? ''))) return null
  for (const text of make.texts) for (const [, name = ''] of text.matchAll(/\$[({]?([\w.-]+)/g)) if (!isPlain(world.env(name) ?? '')) return null
  for (const name of make.included) if (!make.files.includes(name) && (await liesAmongHeaders(name, world))) return null
  const named = [...options.goals, ...make.rules.flatMap(({ targets, prerequisites }) => [...targets, ...prerequisites]), ...make.phony, ...make.included, ...(options.file === null ? MAKEFILES : [options.file])]
  const names = withPatterns(named.filter((name) => !name.includes('%')), make)
  return names === null || names.some((name) => !/^[\w./+,@-]+$/.test(name) || name.startsWith('-l')) ? null : partsOf(names)
}

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

/** Of what make's own recipes are put together. */
const FLAGS = 'ARFLAGS AR AS ASFLAGS CC CFLAGS CO COFLAGS CPP CPPFLAGS CTANGLE CWEAVE CXX CXXFLAGS FC FFLAGS GET LDFLAGS LDLIBS LEX LFLAGS LINT LINTFLAGS LOADLIBES M2C MAKEINFO MODFLAGS OUTPUT_OPTION PC PFLAGS RFLAGS RM TANGLE TARGET_ARCH TARGET_MACH TEX TEXI2DVI WEAVE YACC YFLAGS'.split(' ')

/** Whether a text holds nothing by which make looks at the work tree, or reads what no makefile says: only variables, and functions on words. */
const isPlain = (text: string): boolean =>
  !/[\r\uFFFD]|^[ -]*load\b/m.test(text) && [...text.replaceAll('$$', '').matchAll(/\$[({]\s*([a-z-]+)(?=[\s\\])/g)].every(([, name = '']) => (FUNCTIONS.get(name) ?? null) !== null)

/** Whether make finds a makefile that is included where headers of the system lie. */
async function liesAmongHeaders(name: string, world: World): Promise<boolean> {
  for (const folder of ['/usr/gnu/include', '/usr/local/include', '/usr/include']) if ((await world.outside(`${folder}/${name}`)) !== null) return true
  return false
}

/**
 * Names with all that rules by pattern lead on to. Of make's own rules each puts another ending to a name, or to what is before its ending
 * (or something before it, which leads no further). A stem with such an ending leads to nothing but what holds the stem without it.
 * null: too many, or only running tells.
 */
function withPatterns(named: readonly string[], { rules }: Makefile): readonly string[] | null {
  const patterns = rules.filter(({ targets }) => targets.some((target) => target.includes('%')))
  if (patterns.some(({ targets }) => !targets.every(isSimple))) return null
  const names = new Set(named)
  for (const name of names) {
    if (names.size > MOST_NAMES || name.length > 300) return null
    const bare = withoutEnding(name)
    const forms = [name, bare, ...ENDINGS.flatMap((ending) => [`${name}.${ending}`, `${bare}.${ending}`])]
    for (const { targets, prerequisites } of patterns)
      for (const target of targets)
        for (const form of forms)
          for (const stem of stemsOf(target, form)) {
            const short = withoutKnown(stem)
            if (short !== stem) names.add(short)
            for (const one of [...targets, ...prerequisites]) names.add(one.replace('%', () => short))
          }
  }
  return [...names]
}

/** Whether a rule's target fits names by what is around one of their parts, and by no more than one ending that rules of make's own know. */
function isSimple(target: string): boolean {
  const [before = '', behind = ''] = nameIn(target).split('%')
  if (nameIn(target) === '%' || !nameIn(target).includes('%') || /[.,]/.test(before) || behind.includes(',') || /(?:^|\/)S?CCS\/|(?:^|\/)RCS\//.test(target)) return false
  const [head = '', ...endings] = behind.split('.')
  return !ENDINGS.some((ending) => head !== '' && ending.endsWith(head)) && !endings.slice(0, -1).some((ending) => ENDINGS.includes(ending))
}

/** What `%` stands for where a name fits a pattern: with its folders, and without them. */
function stemsOf(pattern: string, name: string): string[] {
  const cut = pattern.indexOf('%')
  if (cut === -1) return []
  const [before, behind] = [pattern.slice(0, cut), pattern.slice(cut + 1)]
  return [name, nameIn(name)].flatMap((one) => (one.startsWith(before) && one.endsWith(behind) && one.length > before.length + behind.length ? [one.slice(before.length, one.length - behind.length)] : []))
}

/** A stem without the endings of make's own at its end. */
function withoutKnown(stem: string): string {
  const [, short = stem, ending = ''] = /^(.*[^/.])\.([^/.]+)$/s.exec(stem) ?? []
  return ENDINGS.includes(ending) ? withoutKnown(short) : stem
}

const withoutEnding = (name: string): string => (/[^/.][^/]*\.[^/.]*$/.test(name) ? name.replace(/\.[^/.]*$/, '') : name)

/** Endings of which rules of make's own know what to make, or what is made of it. */
const ENDINGS = 'out a ln o c cc C cpp p f F m r y l ym yl lm s S mod sym def h info dvi tex texinfo texi txinfo w ch web sh elc el'.split(' ')

/** What every name in the lists holds by which make looks for these: no part holds another. */
function partsOf(names: readonly string[]): readonly string[] {
  const parts = [...new Set(names.map((name) => nameIn(withoutEnding(name.replace(/\/+$/, '')))))].filter((part) => part !== '' && part !== '.' && part !== '..')
  return parts.filter((part) => !parts.some((other) => other !== part && part.includes(other))).sort()
}
