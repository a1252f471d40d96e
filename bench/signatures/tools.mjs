import { c } from './c.mjs'
import { java } from './java.mjs'
import { javascript } from './javascript.mjs'
import { programs } from './programs.mjs'
import { python } from './python.mjs'
import { rust } from './rust.mjs'

/**
 * The tools, each with the faults that are seeded in a small project of its own: `needs` is what the machine must have,
 * `argv` what is run, `files` the sound project, `before` what prepares it, `grown` what
 * has come to it by the second run. A fault adds or replaces files, and says of
 * which class it is (DESIGN "what becomes a falsified boundary").
 */
export const tools = [...javascript, ...python, ...c, ...rust, ...java, ...programs]
