/** The host or a tool says that it left some of an output out: what stood there, nobody can say. */
export const isShortened = (output: string): boolean => SHORTENED.test(output)

const SHORTENED = /truncated|omitted|elided|<response clipped>|(?:…|\.\.\.) ?\+ ?\d{1,9} (?:more )?(?:lines?|characters?|chars?)/i
