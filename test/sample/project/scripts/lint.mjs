import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const rules = JSON.parse(readFileSync('lint.json', 'utf8'))
const folders = process.argv.slice(2)
const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
const findings = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, i) => check(line, `${file}:${i + 1}`)),
)

for (const finding of findings) console.log(finding)
console.log(`lint: ${files.length} files, ${findings.length} findings`)
process.exitCode = findings.length > 0 ? 1 : 0

function check(line, place) {
  const found = []
  if (line.length > rules.maxLineLength) found.push(`${place}: longer than ${rules.maxLineLength}`)
  if (rules.noTabs && line.includes('\t')) found.push(`${place}: tab`)
  if (rules.noTrailingSpace && / $/.test(line)) found.push(`${place}: space at the end of the line`)
  return found
}
