import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'tenant',
  why: 'What was seen for one tenant does not hold for the next (001, `context_independence_proof`).',
  weight: 'session',
  placeholder: '<tenant>',
  find: (text) => [...spansOf(text, ASSIGNED), ...spansOf(text, OPTION), ...spansOf(text, NAMED), ...spansOf(text, PATH)],
} satisfies Ephemeron

const ASSIGNED = /\btenant(?:[ _-]?(?:id|name|slug|key))?["']?\s?[=:]\s?["'`]?(?<it>[A-Za-z0-9][\w.-]{0,100})/dgi
const OPTION = /--tenant(?:-?(?:id|name))?\s{1,3}["'`]?(?<it>[A-Za-z0-9][\w.-]{0,100})/dgi
const NAMED = /\btenant (?:id )?["'`]?(?<it>(?=[A-Za-z_-]{0,40}\d)[\w.-]{2,100})/dgi
const PATH = /\/tenants?\/(?<it>[A-Za-z0-9][\w.-]{0,100})/dgi
