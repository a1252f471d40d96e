import { joinPath } from '../../model/key.ts'
import { besides, followC, isDeaf } from './c.ts'
import { type Makefile, type Rule, readMakefile } from './make/makefile.ts'
import { STEERING, optionsOf } from './make/options.ts'
import { type Pattern, isKnown, placeOf } from './pattern.ts'
import type { Place, Start } from './place.ts'
import { followShell } from './shell.ts'

const MOST_TARGETS = 400

/** `make [-C DIR] [-f FILE] TARGET…`: the makefiles, and of each target what it is made of and by which commands. */
export async function followMake(args: readonly Pattern[], at: Place, start: Start): Promise<void> {
  const { inputs } = at
  if (!args.every(isKnown)) return inputs.all('a make whose words only running tells')
  inputs.env(STEERING)
  if (at.steered) return inputs.all('a make within a make that sets variables')
  const options = optionsOf(args as readonly string[], at.folder)
  if ('refused' in options) return inputs.all(options.refused)
  const { folder, file, idle, goals, given } = options
  const read = await readMakefile(file, given, { ...at, folder })
  if (read === null) {
    // What is named as what is made may be satisfied by anything of its name, an empty folder too.
    for (const goal of goals) await inputs.path(goal, folder, 'stat')
    return
  }
  const followed = new Making(read, idle, { ...at, folder, depth: at.depth + 1, ...(given.length > 0 && { steered: true }) }, start)
  const wanted = goals.length > 0 ? goals : read.first === null ? [] : [read.first]
  for (const goal of [...read.files, ...wanted]) await followed.target(goal, 0)
  await followed.programs()
}

class Making {
  readonly #make: Makefile
  readonly #idle: boolean
  readonly #at: Place
  readonly #start: Start
  readonly #seen = new Set<string>()
  readonly #sources = new Set<string>()
  /** Programs that only a compiler makes. */
  readonly #compiled = new Set<string>()

  constructor(make: Makefile, idle: boolean, at: Place, start: Start) {
    this.#make = make
    this.#idle = idle
    this.#at = { ...at, made: new Set([...at.made, ...make.rules.flatMap(({ targets }) => targets).flatMap((target) => joinPath(at.folder, target) ?? [])]) }
    this.#start = start
  }

  async target(name: string, depth: number): Promise<void> {
    const { inputs, folder } = this.#at
    if (this.#seen.has(name) || inputs.isFull) return
    this.#seen.add(name)
    if (this.#seen.size > MOST_TARGETS || depth > 40) return inputs.all('a make of many targets')
    const place = placeOf(name, folder)
    if (place === null) return
    if (place === '?' || /[*?[~]/.test(name)) return inputs.all('a target that only running tells')
    if (/\.[ch]$/.test(place)) this.#sources.add(place)
    const phony = this.#make.phony.has(name)
    const own = this.#make.rules.filter(({ targets }) => targets.includes(name))
    const explicit = own.filter(({ recipe }) => recipe.length > 0)
    if (explicit.length > 1) return inputs.all(`two ways to make "${name}"`)
    const patterned = explicit.length > 0 || phony ? [] : this.#make.rules.flatMap((rule) => ofPattern(rule, name))
    if (!phony) {
      await inputs.listed(placeFolder(place), `besides ${place}`, besides(place), 'none')
      await this.#state(place, own.length > 0 || patterned.length > 0)
    }
    const prerequisites = own.flatMap(({ prerequisites }) => prerequisites)
    for (const one of prerequisites) await this.target(one, depth + 1)
    const ways: readonly Rule[] = explicit.length > 0 ? explicit : patterned
    for (const way of ways) {
      for (const one of way.prerequisites) await this.target(one, depth + 1)
      await this.#recipe(name, place, way, [...new Set([...(way.prerequisites.length > 0 ? way.prerequisites : []), ...prerequisites])])
    }
    if (ways.length === 0 && !phony) await this.#builtIn(name, place, prerequisites, depth)
    else if (!phony && !inputs.tracked(place)) await this.#left(place, [...prerequisites, ...ways.flatMap((way) => way.prerequisites)].length === 0)
  }

  /** Of what make makes and git ignores, it is no input that it was made before. */
  async #state(place: string, made: boolean): Promise<void> {
    const { inputs } = this.#at
    if (this.#idle) await inputs.present(place)
    if (inputs.tracked(place) && !(this.#idle && !(await this.#standsAny()))) await inputs.content(place)
    else if (!made) await inputs.present(place)
  }

  /**
   * What an earlier make left is taken as it lies while it is newer than what it is made of, and always if it is made of nothing.
   * What a compiler made is what it would make again.
   */
  async #left(place: string, always: boolean): Promise<void> {
    const { inputs } = this.#at
    if (this.#compiled.has(place)) return
    const kind = await inputs.kind(place)
    if (always) await inputs.present(place)
    if (kind === 'file') await inputs.left(place)
  }

  /** Something that make makes lies there, so that times decide what is made again. */
  async #standsAny(): Promise<boolean> {
    const { inputs } = this.#at
    for (const place of this.#at.made) if ((await inputs.kind(place)) !== null) return true
    return false
  }

  async #recipe(name: string, place: string, { recipe, stem }: Rule, prerequisites: readonly string[]): Promise<void> {
    const { inputs } = this.#at
    if (this.#idle) return recipe.some((line) => /\$[({]MAKE|^\s*\+/.test(line)) ? inputs.all('a make within a make') : undefined
    let compiled = recipe.length > 0
    for (const line of recipe) {
      const text = await this.#make.expand(line, { '@': name, '<': prerequisites[0] ?? '', '^': prerequisites.join(' '), '+': prerequisites.join(' '), '?': prerequisites.join(' '), '*': stem ?? '' })
      if (text === null) return inputs.all('a recipe that only running tells')
      const command = text.replace(/^[\s@+-]+/, '')
      if (command === '') continue
      compiled &&= /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ar|ranlib|mkdir)\s[^;&|`$()<>]*$/.test(command)
      await followShell(command, 'sh', [], { ...this.#at }, this.#start)
    }
    if (compiled) this.#compiled.add(place)
  }

  /** What make knows without being told: objects and programs from sources beside them. */
  async #builtIn(name: string, place: string, prerequisites: readonly string[], depth: number): Promise<void> {
    const { inputs, folder } = this.#at
    const stem = name.replace(/\.o$/, '')
    if (inputs.tracked(place)) return
    const source = ['c', 'cc', 'cpp', 'C', 's', 'S', 'p', 'f', 'y', 'l'].map((ending) => `${stem}.${ending}`)
    for (const one of source) {
      const at = placeOf(one, folder)
      if (at === null || at === '?' || (await inputs.kind(at)) === null) continue
      if (!one.endsWith('.c')) return inputs.all(`"${one}" is made by rules of make's own`)
      await this.target(one, depth + 1)
      const flags = await this.#make.expand('$(CFLAGS) $(CPPFLAGS) $(LDFLAGS) $(LDLIBS)', {})
      if (flags === null || this.#idle) return flags === null ? inputs.all('flags that only running tells') : undefined
      const program = (await this.#make.expand('$(CC)', {})) ?? ''
      if (!/^(?:cc|gcc|clang)$/.test(program)) return inputs.all('a compiler of its own')
      await inputs.program(program, folder)
      await followC([...flags.split(/\s+/).filter((flag) => flag !== ''), one, ...prerequisites], this.#at)
      this.#compiled.add(place)
      return
    }
    if (/\.o$/.test(name) || (await inputs.kind(place)) !== null) return
    if (this.#make.rules.some(({ targets }) => targets.includes(`${name}.o`))) await this.target(`${name}.o`, depth + 1)
  }

  /** A program that was just made is run: it may read whatever its sources can open. */
  async programs(): Promise<void> {
    const { inputs } = this.#at
    if (inputs.ran.size === 0) return
    for (const place of inputs.ran) if (!this.#compiled.has(place)) return inputs.all(`"${place}" may read anything`)
    if (!(await isDeaf([...this.#sources], inputs))) inputs.all('a program that opens files')
  }
}

const placeFolder = (place: string): string => (place.includes('/') ? place.slice(0, place.lastIndexOf('/')) : '.')

/** A pattern rule as one for this target. */
function ofPattern(rule: Rule, name: string): Rule[] {
  for (const target of rule.targets) {
    const cut = target.indexOf('%')
    if (cut === -1) continue
    const [before, behind] = [target.slice(0, cut), target.slice(cut + 1)]
    if (!name.startsWith(before) || !name.endsWith(behind) || name.length <= before.length + behind.length) continue
    const stem = name.slice(before.length, name.length - behind.length)
    return [{ ...rule, stem, prerequisites: rule.prerequisites.map((one) => one.replace('%', stem)) }]
  }
  return []
}

