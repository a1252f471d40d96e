const SECONDS = { d: 86400, h: 3600, m: 60, s: 1 }

/** Seconds in a duration such as `1h 30m`; throws for anything else. */
export function parseDuration(text) {
  const parts = text.trim().split(/\s+/)
  return parts.reduce((total, part) => total + secondsOf(part), 0)
}

/** The shortest way to write a number of seconds: `5400` is `1h 30m`. */
export function formatDuration(seconds) {
  const parts = []
  let rest = seconds
  for (const [unit, size] of Object.entries(SECONDS)) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count}${unit}`)
    rest -= count * size
  }
  return parts.join(' ') || '0s'
}

function secondsOf(part) {
  const found = /^(\d+)([a-z])$/.exec(part)
  if (found === null || !(found[2] in SECONDS)) throw new RangeError(`"${part}" is not a duration`)
  return Number(found[1]) * SECONDS[found[2]]
}
