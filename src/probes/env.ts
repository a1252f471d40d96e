import type { Probe } from '../model/probe.ts'

/** Names behind which a credential may stand: never read by value, whatever the configuration says. */
const CREDENTIAL = /token|secret|key|pass|pwd|auth|cred|private|cookie|session|signature|cert|dsn/i
/** A value that carries one: user-info in a URL. */
const USER_INFO = /:\/\/[^/\s]*@/

export default {
  id: 'env',
  why: 'Many a command does something else where a variable is set.',
  argument: 'NAME of an environment variable',
  async read(argument, world) {
    if (!/^[A-Za-z_]\w*$/.test(argument)) return { unreadable: 'it names no environment variable' }
    const value = world.env(argument)
    if (value === undefined) return { value: 'unset' }
    if (!world.envValues.includes(argument) || CREDENTIAL.test(argument) || USER_INFO.test(value)) return { value: 'set' }
    return /[\n\r\0]/.test(value) || !value.isWellFormed() ? { unreadable: `"${argument}" is not one line of text` } : { value: `=${value}` }
  },
} satisfies Probe
