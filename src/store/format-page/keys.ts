/** On what claims rest, and what each key's value is: section 7. */
export const KEYS = `## 7. Keys

A key is \`probe\` or \`probe:argument\`, at most 500 units. Its value is UTF-8 text without a line break; only the value's SHA-256 is stored.

| key | value |
|---|---|
| \`platform\` | \`OS ARCH LIBC\` as Node names them; LIBC \`glibc\`, \`musl\` or \`-\` (\`linux x64 glibc\`) |
| \`privilege\` | \`root\`, \`user\`, or \`restricted\` (no root, and Linux's NoNewPrivs is 1) |
| \`os-release\` | kernel release, space, \`ID-VERSION_ID\` |
| \`repository\` | the first-parent root commit of HEAD, or \`unborn\` |
| \`tool:NAME\` | the first \`\\d+(\\.\\d+)+[\\w.+-]*\` of \`NAME --version\`, else its first line trimmed, or \`absent\` |
| \`file:PATH\` | git's blob id of the content after clean filters, or \`absent\` |
| \`exists:PATH\` | what lies there, links followed: \`file\`, \`folder\`, \`other\` or \`absent\` |
| \`tree:PATH\` | SHA-256 hex over lines \`MODE BLOB PATH\\n\`, bytewise sorted, of tracked and untracked-not-ignored files as they lie, paths from the top, without \`.remnants/\`; \`absent\` if there is no such folder |
| \`names:PATH\` | SHA-256 hex over lines \`MODE NAME\\n\`, bytewise sorted, of what lies directly in a folder as \`tree:\` sees it, a folder in it with mode \`040000\`; \`absent\` if there is no such folder |
| \`alike:[FOLDER,PART,…]\` | the same as \`names:\` of those names alone that hold one of the parts (folder and parts as canonical JSON) |
| \`reads:[FOLDER,WORD,…]\` | what a command (its words as canonical JSON, behind the folder where it starts) can reach; see below |
| \`makefiles:[FOLDER,WORD,…]\` | what a make in a folder reads to know its targets (its words \`-f FILE\`, \`-I FOLDER\` behind it, as canonical JSON): SHA-256 hex over lines \`H PATH\`, \`absent PATH\`, \`outside H PATH\`, \`outside absent PATH\`, as \`reads:\` has them, H over the bytes; the same of every make that its recipes start, and of all files called like a makefile where only running tells which |
| \`manifests:NAME\` | SHA-256 hex over lines \`BLOB PATH\\n\`, bytewise sorted, of the files of this name that \`tree:.\` sees outside of \`node_modules/\`, links followed; besides, of each submodule its commit, and of each link that leads to no file its own blob |
| \`lock:ECO/PKG\` | JCS of sorted \`[name, version, integrity or null]\`, or \`absent\` |
| \`absent:PATH\`, \`absent-tool:NAME\` | \`present\` or \`absent\` |
| \`env:NAME\` | \`unset\`, \`set\`, or \`=VALUE\` where the configuration lists NAME |
| \`target:KIND/ID\` | the URL or coordinate, without user and password |
| \`interface:NAME\` | what the configured command prints |

PATH is relative to the repository's top, with \`/\`.

\`reads:\` is SHA-256 hex over lines, each closed by a line feed, bytewise sorted, no line twice; H is SHA-256 hex. A command is followed
from its words through the texts of what it starts (shell scripts, npm scripts, makefiles, modules of JavaScript and Python, headers of C,
packages of cargo), into every branch, without running anything:

| line | says |
|---|---|
| \`MODE BLOB PATH\` | the content of a file can be read, as \`tree:\` has it |
| \`ignored H PATH\` | the same for one that git ignores, H over its bytes |
| \`fields H PATH NAME…\` | of a JSON object only these fields: H over the canonical JSON of an object of them, null for one that is not there |
| \`absent PATH\`, \`file PATH\`, \`folder PATH\` | a path is looked for, and this is what lies there |
| \`link PATH PATH\` | where a link leads |
| \`outside H PATH\`, \`outside absent PATH\`, \`outside KIND PATH\` | what a path outside of the work tree (absolute, \`~/…\`, \`../…\`, or a link that leads out) holds, H over the bytes of a regular file of at most 1 MiB; that nothing lies there; or of what only has to be there, that it is a \`file\`, \`folder\` or \`other\` |
| \`names H FOLDER\`, \`match H PATTERN\`, \`list H FOLDER WORDS\` | what a folder holds, what fits a pattern, what of a folder is of the kind that WORDS name: H over the paths, sorted, parted by line feeds |
| \`tree H FOLDER\` | all in a folder, as \`tree:\` has it |
| \`program FOLDER NAME absent\`, \`program FOLDER NAME H\` | a program is started from a folder: H over what it says of its version, or over \`present\` |

Where a text does what only running tells (a path or a module that is worked out, a program that may read anything, a grammar that is not
followed), \`tree H .\` is among the lines. How far a text is followed may differ between versions of a program: another value is drift, so
that a claim is suspended, never wrongly believed. A reader that can't tell the value counts it as drifted. No value is told
where git is started or \`.git/\` is read, where what lies outside is no such file, where a module or a script that lies outside is
loaded, if no lockfile has an entry for it, and where standard input is read that nothing in the command's own text feeds.
`
