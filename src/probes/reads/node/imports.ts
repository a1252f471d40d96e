import type { Inputs } from '../inputs.ts'
import { type Token, argumentsAt } from '../tokens.ts'
import type { Locals } from './locals.ts'
import { FILES, OTHERS, QUIET_OF_PROCESS, isBuiltin, isQuiet, reaches } from './standard.ts'
import { isProperty } from './standing.ts'

/** What a module asks for, as its text says it. `how`: the rules by which it is looked for. */
export interface Asked {
  readonly specifier: string
  readonly how: 'import' | 'require'
}

/** The modules that a module imports and requires, and the names that it gives to them. */
export class Imports {
  readonly asked: Asked[] = []
  readonly #path: string
  readonly #inputs: Inputs
  readonly #locals: Locals

  constructor(path: string, inputs: Inputs, locals: Locals) {
    this.#path = path
    this.#inputs = inputs
    this.#locals = locals
  }

  follow(tokens: readonly Token[]): void {
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as Token
      if (token.is !== 'name' || isProperty(tokens, i)) continue
      const next = tokens[i + 1]
      if (token.value === 'import' || token.value === 'export') {
        if (next?.value === '(' && next.is === 'mark') {
          const { args } = argumentsAt(tokens, i + 1)
          const [only] = args[0] ?? []
          if (args[0]?.length === 1 && only?.is === 'text' && only.parts === undefined) {
            if (reaches(only.value)) this.#inputs.all(`"${this.#path}" imports ${only.value} when it runs`)
            this.#ask(only.value, 'import')
          } else this.#inputs.all(`"${this.#path}" imports what only running tells`)
        } else if (token.value === 'import' && next?.is === 'text') this.#ask(next.value, 'import')
        else if (next?.value !== '.') this.#clause(tokens, i)
      } else if (token.value === 'require') {
        const called = next?.is === 'mark' && next.value === '(' ? i + 1 : next?.value === '.' && tokens[i + 2]?.value === 'resolve' && tokens[i + 3]?.value === '(' ? i + 3 : null
        const { args } = called === null ? { args: [] } : argumentsAt(tokens, called)
        const [only] = args[0] ?? []
        if (next?.value === '.' && /^(?:main)$/.test(tokens[i + 2]?.value ?? '')) continue
        if (called === null || args[0]?.length !== 1 || only?.is !== 'text' || only.parts !== undefined) this.#inputs.all(`"${this.#path}" requires what only running tells`)
        else {
          this.#ask(only.value, 'require')
          if (/^(?:node:)?process$/.test(only.value) && tokens[i - 2]?.value !== 'process') this.#inputs.all(`"${this.#path}" takes process apart`)
          if (/^(?:node:)?(?:path|url)(?:\/posix)?$/.test(only.value)) for (let n = i - 2; n >= 0 && !/^(?:const|let|var)$/.test((tokens[n] as Token).value) && n > i - 60; n--) this.#locals.paths.add((tokens[n] as Token).value)
          if (reaches(only.value)) this.#required(tokens, i, only.value, argumentsAt(tokens, called).end)
        }
      }
    }
  }

  /** `import a, { b as c } from 'x'`, `export * from 'x'`. */
  #clause(tokens: readonly Token[], from: number): void {
    const names: string[] = []
    for (let i = from + 1; i < Math.min(tokens.length, from + 400); i++) {
      const token = tokens[i] as Token
      if (token.is === 'name' && token.value === 'from' && tokens[i + 1]?.is === 'text') {
        const specifier = (tokens[i + 1] as Token).value
        if (tokens[from + 1]?.value !== 'type') this.#ask(specifier, 'import')
        if (/^(?:node:)?(?:path|url)(?:\/posix)?$/.test(specifier)) for (const name of names) this.#locals.paths.add(name)
        else for (const name of names) this.#locals.foreign.add(name)
        if (/^(?:node:)?process$/.test(specifier) && names.some((name) => /^\w/.test(name) && name !== 'as' && !QUIET_OF_PROCESS.has(name))) this.#inputs.all(`"${this.#path}" takes process apart`)
        if (/^node:test$/.test(specifier) && names.includes('run')) this.#inputs.all(`"${this.#path}" runs tests of its own`)
        if (reaches(specifier)) (tokens[from] as Token).value === 'import' ? this.#locals.bind(names) : this.#inputs.all(`"${this.#path}" hands on ${specifier}`)
        return
      }
      if (token.is === 'mark' && !'{},*'.includes(token.value)) return
      if (token.is === 'text') return
      names.push(token.value)
    }
  }

  /** `const fs = require('fs')`, `const { a, b: c } = require('fs')`, `require('fs').a(…)`. */
  #required(tokens: readonly Token[], at: number, specifier: string, end: number): void {
    const after = tokens[end]
    const promises = after?.value === '.' && tokens[end + 1]?.value === 'promises' && tokens[end + 2]?.value !== '.'
    const closed = after === undefined || after.fresh || after.value === ';' || after.value === ',' || promises
    if (!closed || tokens[at - 1]?.value !== '=') return this.#inputs.all(`"${this.#path}" uses ${specifier} in its own way`)
    if (tokens[at - 2]?.is === 'name') return void this.#locals.spaces.add((tokens[at - 2] as Token).value)
    const names: Token[] = []
    for (let i = at - 3; i >= 0 && (tokens[i] as Token).value !== '{'; i--) names.unshift(tokens[i] as Token)
    for (let i = 0; i < names.length; i++) {
      const [name, colon, local] = [names[i], names[i + 1], names[i + 2]]
      if (name?.is !== 'name') continue
      if (colon?.value === ':' && local?.is === 'name') {
        this.#locals.functions.set(local.value, name.value)
        i += 2
      } else if (name.value === 'promises') this.#locals.spaces.add(name.value)
      else this.#locals.functions.set(name.value, name.value)
    }
  }

  #ask(specifier: string, how: Asked['how']): void {
    if (!isBuiltin(specifier)) this.asked.push({ specifier, how })
    else if (OTHERS.has(specifier.replace(/^node:/, '')) && specifier.replace(/^node:/, '') !== 'child_process') this.#inputs.all(`"${this.#path}" uses ${specifier}`)
    else if (!isQuiet(specifier) && !FILES.has(specifier.replace(/^node:/, '')) && !OTHERS.has(specifier.replace(/^node:/, ''))) this.#inputs.all(`"${this.#path}" uses ${specifier}`)
  }
}
