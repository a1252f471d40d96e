import { CONFIG_SCHEMA } from '../model/config.ts'

/** What `init --track` writes, by path from the top of the work tree. `root`: the first-parent root commit, where it is known. */
export const trackedFiles = (root: string | null): readonly (readonly [path: string, text: string])[] => [
  ['.remnants/README.md', FORMAT_PAGE],
  ['.remnants/config.json', `${JSON.stringify({ schema: CONFIG_SCHEMA, ...(root === null ? {} : { repository_root: root }) }, null, 2)}\n`],
]

/** The on-disk format, exact enough to write another program for it. `.remnants/README.md` is this text. */
export const FORMAT_PAGE = `# What lies here

Each file under this folder is a **remnant**: what one session of a coding agent proved, under the state of the environment in
which it proved it. \`git-remnant\` (format \`git-remnant/1\`) writes and reads them. Do not edit one: its name is the digest of its
bytes, and a file that does not hash to its name is not believed. \`git remnant show DIGEST\` prints one, \`git remnant verify\`
checks all, \`git remnant checkout\` brings copies back that were lost or reformatted.

This page says all that another program needs to read and write them.

## 1. Bytes and names

- A remnant is one JSON object, serialised by RFC 8785 (JCS): UTF-8, no byte order mark, no line break at the end. At most
  1,048,576 bytes, nested at most 64 deep, all text well-formed Unicode, numbers integers in the range of a double.
- \`DIGEST\` = SHA-256 of exactly those bytes, 64 lower-case hex digits. It is the remnant's only name and stands nowhere inside it.
- Below, \`JCS(x)\` is the RFC 8785 text of x, and \`H(x)\` = SHA-256 of \`JCS(x)\` as lower-case hex.
- A reader hashes the bytes, parses them strictly (no key twice, no unknown field, \`JCS(parsed)\` = the bytes), and refuses
  a \`schema\` that it does not know. What it refuses it skips and names; it never drops a field.

## 2. Places

| place | what |
|---|---|
| \`refs/remnants/DIGEST\` | the remnant itself: a ref to one commit. It is made once and never moves. |
| \`.remnants/XX/DIGEST.json\` | in that commit's tree: its only file. \`XX\` = the first two digits of DIGEST. |
| \`.remnants/XX/DIGEST.json\` | in the work tree: a copy for readers. If it differs from what the ref says, the ref is right. Symbolic links are not followed. |
| \`refs/remnants/sig/DIGEST/SIGNATURE\` | a signature of the remnant DIGEST, by its own digest: a ref to one commit. |
| \`.remnants/sig/DIGEST/SIGNATURE.json\` | in that commit's tree its only file; in the work tree a copy. |
| \`.remnants/config.json\` | shared settings, where this folder is tracked. |
| \`remnant/\` in the common git directory | local to one clone, never shared: \`own\` (a digest a line: what this clone sealed), and other state. |

Nobody should check out a remnant's ref as a branch: its tree holds nothing but that file.

## 3. The commit

It follows from the remnant, so every writer of one remnant makes the same commit, and the union of two stores is a merge.
The ids are those of the repository: a SHA-1 and a SHA-256 repository name one remnant by two commits, each by one of its own.
Where refs lie, in files or in a reftable, changes nothing.

- Tree: \`.remnants\` (40000) → \`XX\` (40000) → \`DIGEST.json\` (100644) → a blob of the remnant's bytes. Nothing else.
- Parents: the commits of the remnants in \`supersedes\`, in its order; none if it is empty.
- Author and committer, the same: \`git-remnant <git-remnant@remnant.invalid> SECONDS +0000\`, where SECONDS is
  \`provenance.observed_until\` in whole seconds since 1970, rounded down, and 0 for a time before that.
- No encoding, no signature, no other header. Message: \`Remnant DIGEST\` and one line feed.

With git's own commands, for a remnant in the file \`R\` that supersedes nothing:

    D=$(sha256sum R | cut -c1-64); X=$(echo "$D" | cut -c1-2)
    B=$(git hash-object -w --no-filters R)
    T=$(printf '100644 blob %s\\t%s.json\\n' "$B" "$D" | git mktree)
    T=$(printf '040000 tree %s\\t%s\\n' "$T" "$X" | git mktree)
    T=$(printf '040000 tree %s\\t.remnants\\n' "$T" | git mktree)
    export GIT_AUTHOR_NAME=git-remnant GIT_AUTHOR_EMAIL=git-remnant@remnant.invalid GIT_AUTHOR_DATE="@SECONDS +0000"
    export GIT_COMMITTER_NAME=git-remnant GIT_COMMITTER_EMAIL=git-remnant@remnant.invalid GIT_COMMITTER_DATE="@SECONDS +0000"
    git update-ref "refs/remnants/$D" "$(printf 'Remnant %s\\n' "$D" | git commit-tree "$T")" ""

A writer makes the objects durable before the ref, and makes the ref only if there is none.

### Signatures

A signature is an object of its own, so that a remnant has one name whoever signed it: the JCS text of
\`{"remnant": DIGEST, "schema": "git-remnant/signature/1", "signature": TEXT}\`, at most 32,768 bytes, named by its SHA-256.

- TEXT is what \`ssh-keygen -Y sign -n git-remnant\` makes of exactly the remnant's bytes: the armored SSHSIG (OpenSSH's PROTOCOL.sshsig),
  version 1, namespace \`git-remnant\`, its base64 in lines of 70, each line ended by one line feed, the last one too.
- Its commit holds \`.remnants\` → \`sig\` → \`DIGEST\` → \`SIGNATURE.json\`, has no parent, the author and committer of section 3 with SECONDS 0,
  and the message \`Signature SIGNATURE of remnant DIGEST\` and one line feed.
- It says nothing by being there. It counts in a clone that accepted its key, while \`ssh-keygen -Y verify\` finds it good.

## 4. The object

Every field is always there; an empty list or null says that there is nothing. No other field is allowed.

| field | value |
|---|---|
| \`schema\` | \`"git-remnant/1"\` |
| \`session_id\` | text; provenance only, no claim rests on it |
| \`provenance\` | \`{"host","observed_until","head","patch_ids"}\`: the agent's host; the time (RFC 3339, UTC, \`Z\`) of the latest observation that a claim here names, 1970-01-01T00:00:00Z without times; a commit id or null, and patch ids, as the log recorded them |
| \`environment_fingerprint\` | the seal: \`H\` of the object that maps each key of \`baseline_key_hashes\` to its hash |
| \`baseline_key_hashes\` | \`[[KEY, SHA-256 of the key's value], …]\`, sorted by key, no key twice |
| \`structural_keys\` | keys whose change invalidates the whole remnant, sorted |
| \`claim_dependency_map\` | \`[[CLAIM_ID, [KEY, …]], …]\`: on which keys each claim rests. Sorted, keys sorted, ids exactly those of the claims, no empty list |
| \`verified_invariants\`, \`falsified_boundaries\`, \`non_idempotent_commits\`, \`debug_residuals\`, \`unresolved_handoffs\` | the claims (5), each list sorted by \`claim_id\` |
| \`ephemeral_exclusion_list\` | \`[{"kind","count"}, …]\`: what was stripped, by kind and count, never by value |
| \`supersedes\` | \`[[DIGEST, [CLAIM_ID, …]], …]\`: claims of earlier remnants that this one answers |

Lists whose order means nothing are sorted by the UTF-8 bytes of their elements' JCS. Order of text is by UTF-16 code unit.
A broken seal, or an empty map, is a verdict for whoever resolves the remnant, and no fault of form.

## 5. Claims

\`claim_id\` is \`H\` of a list that says what the claim is about. Each claim has a \`verification_receipt\` (6).

| list | other fields | \`claim_id\` = H of |
|---|---|---|
| \`verified_invariants\` | \`statement\`, \`effect\`, \`context_independence_proof\` | \`["verified_invariant", statement]\` |
| \`falsified_boundaries\` | \`class\`, \`path\`, \`precondition\`, \`terminal_error_signature\` | \`["falsified_boundary", path, terminal_error_signature]\` |
| \`non_idempotent_commits\` | \`mutation\`, \`repeat\`, \`target\`, \`identifier\`, \`state_hash\`, \`outcome\` | \`["non_idempotent_commit", mutation, target, identifier]\` |
| \`debug_residuals\` | \`root_cause_invariant\`, \`falsified_branches\`, \`verified_patch_receipt\`, \`regression_gate_signature\`, \`proof\` | \`["debug_residual", regression_gate_signature, verified_patch_receipt.patch_id]\` |
| \`unresolved_handoffs\` | \`failing_gate\`, \`terminal_error_signature\`, \`open_since_patch\`, \`falsified_branches\` | \`["unresolved_handoff", failing_gate, terminal_error_signature]\` |

- \`statement\`, \`root_cause_invariant\`: text of 1 to 500 UTF-16 units. \`terminal_error_signature\`: 1 to 2,000.
- \`effect\`: \`{"verb","kind","value"}\`; verb \`use|avoid|require\`, kind \`command|path|key|tool|interface\`, value 1 to 500 units.
- \`context_independence_proof\`: \`{"rules":[id],"stripped":[kind]}\`.
- \`class\`: \`program-missing|usage|dependency|path-missing|denied|red\`. \`precondition\`: \`[[KEY, public value or null], …]\`.
- \`path\`, \`mutation\`, \`regression_gate_signature\`, \`failing_gate\`: canonical commands (6).
- \`repeat\`: \`harmful|convergent\`. \`target\`: \`{"kind","id"}\`. \`identifier\`, \`state_hash\`: text or null.
- \`verified_patch_receipt\`: \`{"patch_id","diff_sha256"}\`. \`proof\`: null or \`PROVEN|VACUOUS|STILL_RED|FLAKY|INFRA_FAILURE\`.
- \`falsified_branches\`: \`[{"patch_id": text or null, "gate": command, "terminal_error_signature"}, …]\`.

## 6. Commands, outcomes, receipts

- Canonical command: \`{"folder","env","argv","where","privilege"}\`. \`folder\` is relative to the repository's top, with \`/\`
  (\`.\` is the top). \`env\`: \`[[name, value], …]\` sorted. \`argv\` has one word or more; input from a file is \`"<", PATH\` at its end.
  \`where\`: \`here\`, \`container:NAME\` or \`host:NAME\`. \`privilege\`: \`user\` or \`root\`. Two are equal if their JCS is.
- Outcome: \`{"is":"code","code":INTEGER}\`, \`{"is":"summary","passed":BOOLEAN}\`, or \`{"is":X}\` with X one of
  \`success failure answer transient unknown\`.
- Receipt: \`{"host","record_id","command","outcome","output_sha256","strength"}\`. \`output_sha256\`: SHA-256 of the output, null
  for one under 32 bytes or unknown. \`strength\`: \`reproduced > witnessed > recorded > summary > asserted\`.
  \`host\` is \`[a-z][a-z0-9-]{0,39}\`; \`record_id\` at most 200 units.

## 7. Keys

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
| \`reads:[FOLDER,WORD,…]\` | what a command (its words as canonical JSON, behind the folder where it starts) can reach; see below |
| \`makefiles:[FOLDER,WORD,…]\` | what a make in a folder reads to know its targets (its words \`-f FILE\`, \`-I FOLDER\` behind it, as canonical JSON): SHA-256 hex over lines \`H PATH\`, \`absent PATH\`, \`outside H PATH\`, \`outside absent PATH\`, as \`reads:\` has them, H over the bytes |
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
