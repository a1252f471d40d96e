/** What build/pages.mjs needs to write help and manual: no part of the program. */
export { allCommands } from '../commands.ts'
export { helpOf, manualOf } from './help.ts'
