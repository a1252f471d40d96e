/** What a remnant is, where it lies, and the commit that holds it: sections 1 to 3, with signatures. */
export const LAYOUT = `# What lies here

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

`
