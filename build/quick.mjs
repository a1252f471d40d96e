import crypto from 'node:crypto'
import * as json from 'jsonc-parser'
import * as grammar from 'unbash'
import * as maker from 'zod/mini'

const RESERVED = /^(?:enum|null|undefined|void|function|catch|instanceof|default|_default)$/

/** A check of a text by one pattern, written out. */
const PATTERN = /\bz\.regex\(\/(?:\[(?:[^\]\\\n]|\\.)*\]|[^/\\[\n]|\\.)+\/[a-z]*\)/g

/**
 * Puts a stand-in where schemas are made, for a bundle in which none is checked: whatever is made of it can be made more of, and to
 * check something with it is an error.
 */
export const noSchemas = {
  name: 'no-schemas',
  resolveId: (source) => (source === 'zod/mini' ? '\0no-schemas' : null),
  // V8 takes a pattern apart as soon as it meets it.
  transform: (code) => (code.includes('z.regex(') ? { code: code.replace(PATTERN, 'z.regex()'), map: null } : null),
  load: (id) =>
    id !== '\0no-schemas'
      ? null
      : `const schema = new Proxy(function () {}, {
  get: (_, name) => {
    if (name === 'parse' || name === 'safeParse') throw new Error('no schema is checked here')
    return name === 'shape' ? {} : schema
  },
  apply: () => schema,
})
${Object.keys(maker).map((name) => (RESERVED.test(name) ? `export { schema as ${name} }` : `export const ${name} = schema`)).join('\n')}
`,
}

/** Each of a module's functions, which loads the module when it is called. */
const late = (module, loaded) =>
  Object.keys(module)
    .filter((name) => typeof module[name] === 'function' && !RESERVED.test(name))
    .map((name) => `export const ${name} = (...given) => ${loaded}.${name}(...given)\n`)
    .join('')

/** Puts a stand-in where cryptography is loaded: it costs a tenth of Node's own start, and few calls need it. */
export const lateCrypto = {
  name: 'late-crypto',
  resolveId: (source) => (source === 'node:crypto' ? '\0late-crypto' : null),
  load: (id) => (id === '\0late-crypto' ? late(crypto, "process.getBuiltinModule('node:crypto')") : null),
}

/** Packages with a file of their own: the shell's grammar, which plain words do not need, and a parser of JSON. */
export const LATE = { unbash: 'quick-grammar', 'jsonc-parser': 'quick-jsonc' }

/** Loads them when one of their functions is first called. */
export const latePackages = {
  name: 'late-packages',
  resolveId(source, importer) {
    if (Object.values(LATE).some((file) => source === `./${file}.cjs`)) return { id: source, external: true }
    return importer !== undefined && Object.hasOwn(LATE, source) ? `\0late ${source}` : null
  },
  load: (id) => (id.startsWith('\0late ') ? late(PACKAGES[id.slice(6)], `require('./${LATE[id.slice(6)]}.cjs')`) : null),
}

const PACKAGES = { unbash: grammar, 'jsonc-parser': json }

/** The file of all that an agent's hook needs at most calls. */
export const AT_ONCE = 'quick-guard'

/** Everything that a file needs at once, in one file beside it; what is loaded later stays apart. */
export function atOnce(...files) {
  const found = new Set()
  return {
    test: (id) => !files.includes(id) && found.has(id),
    plugin: {
      name: 'at-once',
      buildEnd() {
        const add = (id) => {
          if (found.has(id)) return
          found.add(id)
          for (const next of this.getModuleInfo(id)?.importedIds ?? []) add(next)
        }
        files.forEach(add)
      },
    },
  }
}

/**
 * Loads that file with what V8 kept of its compilation: half of the time that it takes. What another Node kept is refused by V8 itself,
 * and the file is compiled as ever.
 */
export const keptCode = {
  name: 'kept-code',
  /** With one character that needs more, each of a text takes two bytes. */
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.name === AT_ONCE) file.code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  },
  renderChunk: (code, chunk) =>
    chunk.name !== 'agent' ? null : { code: code.replace(`require("./${AT_ONCE}.cjs")`, `(${loaded})(require("node:fs"),require("node:vm"),__dirname+"/${AT_ONCE}.cjs")`) },
}

const loaded = `(fs,vm,file)=>{let kept;try{kept=fs.readFileSync(file+".kept")}catch{return require(file)}const made=new module.constructor(file,module);require.cache[file]=made;new vm.Script("(function(exports,require,module,__dirname){"+fs.readFileSync(file,"latin1")+"\\n})",{filename:file,cachedData:kept}).runInThisContext()(made.exports,require,made,__dirname);return made.exports}`
