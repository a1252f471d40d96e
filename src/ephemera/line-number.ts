import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'line-number',
  why: 'Lines and columns move with every edit above them.',
  weight: 'noise',
  placeholder: '<line>',
  find: (text) => PATTERNS.flatMap((pattern) => spansOf(text, pattern)),
} satisfies Ephemeron

const FILE =
  '(?:\\.(?:[cm]?[jt]sx?|py[xid]?|rs|go|java|kts?|rb|php|c|cc|cpp|cxx|h|hh|hpp|cs|fs|vb|swift|scala|sh|bash|zsh|ps1|bat|jsonc?|ya?ml|toml|mdx?|css|scss|sass|less|html?|vue|svelte|astro|sql|txt|xml|gradle|exs?|erl|hs|lua|p[lm]|r|jl|dart|zig|nix|tf|proto|graphql|snap|cfg|ini|conf|lock|mk|cmake|lean|mli?|cljs?|asm|el|csv|ipynb|rst|tex)|\\b(?:Makefile|Dockerfile|Justfile|Rakefile|Gemfile|Jenkinsfile)|<[a-z][\\w-]{0,30}>|\\[eval\\])'

const PATTERNS = [
  new RegExp(`${FILE}:(?<it>\\d{1,7}(?::\\d{1,6})?(?:-\\d{1,7})?)(?!\\d)`, 'dgi'),
  new RegExp(`${FILE}\\((?<it>\\d{1,7}(?:,\\d{1,6})?)\\)`, 'dgi'),
  /(?<=[\w)\]/]):(?<it>\d{1,7}:\d{1,6})(?![\d:])/dg,
  /\blines?[ :#]\s?(?<it>\d{1,7}(?:(?:-| to )\d{1,7})?)\b/dgi,
  /\bcol(?:umns?)?[ :#]\s?(?<it>\d{1,7}(?:-\d{1,7})?)\b/dgi,
  /\b(?:at )?(?:position|offset) (?<it>\d{1,9})\b/dgi,
  /#L(?<it>\d{1,7}(?:-L\d{1,7})?)\b/dg,
  /^\s{0,20}(?<it>\d{1,7}:\d{1,6})(?=\s)/dgm,
  /^[ \t>]{0,20}(?<it>\d{1,7})(?= ?\|)/dgm,
]
