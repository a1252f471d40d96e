import { screen } from '../src/distill/screen.ts'
import { ephemera } from '../src/ephemera.ts'

export { cleanTexts } from '../test/secrets/clean.ts'
export { leakOf, trials } from '../test/secrets/judge.ts'
export { planted } from '../test/secrets/planted.ts'

const secrets = ephemera.filter(({ weight }) => weight === 'secret')

/** The kind of secret that a text is taken for; null: none. */
export const findingIn = async (text: string): Promise<string | null> => (await screen([{ field: 'text', text }], { session: '', root: null }, secrets))[0]?.kind ?? null
