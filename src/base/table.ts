/** A table that is looked up by words from outside: it holds its own names alone, and neither `constructor` nor `__proto__`. */
export const table = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T>> => Object.assign(Object.create(null) as Record<string, T>, entries)
