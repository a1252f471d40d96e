/** Whether a script of sed only edits what it is given: it reads, writes and runs nothing by name. What can't be told may do so. Linear. */
export function onlyEdits(script: string): boolean {
  let at = 0
  const last = script.length
  const blank = (): void => {
    while (at < last && /[\s;]/.test(script[at] as string)) at += 1
  }
  /** Behind the next mark; false: there is none. In a pattern (`sets`) a mark in brackets is none. */
  const past = (mark: string, sets: boolean): boolean => {
    let set = false
    for (; at < last; at++) {
      const letter = script[at] as string
      if (letter === '\\') at += 1
      else if (letter === '[' && sets && !set) set = true
      else if (letter === ']' && set) set = false
      else if (letter === mark && !set) {
        at += 1
        return true
      }
    }
    return false
  }
  const address = (): boolean => {
    const letter = script[at] ?? ''
    if (letter === '/') {
      at += 1
      if (!past('/', true)) return false
      while (/[IM]/.test(script[at] ?? '')) at += 1
    } else if (letter === '\\') return false
    else if (/[\d$+~]/.test(letter)) while (/[\d$+~]/.test(script[at] ?? '')) at += 1
    return true
  }
  for (blank(); at < last; blank()) {
    if (!address()) return false
    while (/[\s,]/.test(script[at] ?? '')) {
      at += 1
      if (!address()) return false
    }
    while (/[!\s]/.test(script[at] ?? '')) at += 1
    const verb = script[at++] ?? ''
    if (/^[{}dDgGhHnNpPxzl=#]?$/.test(verb)) {
      if (verb === '#') while (at < last && script[at] !== '\n') at += 1
    } else if (verb === 's' || verb === 'y') {
      const mark = script[at++] ?? ''
      if (mark === '' || /[\\\n]/.test(mark) || !past(mark, verb === 's') || !past(mark, false)) return false
      while (/[gpIiMm\d]/.test(script[at] ?? '')) at += 1
      if (verb === 's' && /[we]/.test(script[at] ?? '')) return false
    } else if (/^[aic]$/.test(verb)) {
      // The text goes to the end of the line, and on where that says so.
      while (at < last && script[at] !== '\n') at += script[at] === '\\' ? 2 : 1
    } else if (/^[qQbtT:]$/.test(verb)) while (at < last && !/[\n;}]/.test(script[at] as string)) at += 1
    else return false
  }
  return true
}
