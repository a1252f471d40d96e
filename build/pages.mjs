import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Writes help.json and the manual page from the very commands that the bundle runs. */
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const { allCommands, helpOf, manualOf } = (await import('../dist/pages.cjs')).default
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const commands = await allCommands()
writeFileSync(at('dist/help.json'), JSON.stringify(helpOf(commands, version)))
writeFileSync(at('dist/git-remnant.1'), manualOf(commands, version))
rmSync(at('dist/pages.cjs'))
