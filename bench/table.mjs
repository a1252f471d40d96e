/** Prints a bench as a table: `rows` of { what, value, floor?, ratio?, target? }; a target is a ratio or a figure that should not be passed. */
export function print(name, { note, rows }) {
  const head = ['', 'measured', 'floor', 'ratio', 'target', '']
  const lines = rows.map(({ what, value, floor, ratio, target, met }) => [
    what,
    value,
    floor ?? '',
    ratio === undefined ? '' : ratio.toFixed(2),
    target ?? '',
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ])
  const widths = head.map((title, i) => Math.max(title.length, ...lines.map((line) => String(line[i]).length)))
  const row = (cells) => cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]))).join('  ').trimEnd()
  console.log(`\n${name}${note ? `: ${note}` : ''}\n${[head, ...lines].map(row).join('\n')}`)
}

export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
export const ms = (number) => `${number.toFixed(1)} ms`

/** Wilson's interval of a share, at 95 %. */
export function wilson(k, n) {
  if (n === 0) return [0, 1]
  const z = 1.96
  const [p, d] = [k / n, 1 + (z * z) / n]
  const [middle, half] = [(p + (z * z) / (2 * n)) / d, (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / d]
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

/** A share as a row of a table, with the lower end of its interval; under thirty samples a share says nothing. */
export function share(what, right, all, target) {
  if (all < 30) return { what, value: `not measured (${right} of ${all})` }
  const value = `${((100 * right) / all).toFixed(1)} % of ${all} (≥ ${(100 * wilson(right, all)[0]).toFixed(1)} %)`
  return { what, value, target: `≥ ${Math.round(100 * target)} %`, met: right / all >= target }
}
