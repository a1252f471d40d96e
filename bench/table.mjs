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
