import { CONFIG_SCHEMA } from '../model/config.ts'
import { KEYS } from './format-page/keys.ts'
import { LAYOUT } from './format-page/layout.ts'
import { OBJECT } from './format-page/object.ts'

/** What `init --track` writes, by path from the top of the work tree. `root`: the first-parent root commit, where it is known. */
export const trackedFiles = (root: string | null): readonly (readonly [path: string, text: string])[] => [
  ['.remnants/README.md', FORMAT_PAGE],
  ['.remnants/config.json', `${JSON.stringify({ schema: CONFIG_SCHEMA, ...(root === null ? {} : { repository_root: root }) }, null, 2)}\n`],
]

/** The on-disk format, exact enough to write another program for it. `.remnants/README.md` is this text. */
export const FORMAT_PAGE = LAYOUT + OBJECT + KEYS
