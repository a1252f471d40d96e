/** What stands in a remnant: sections 4 to 6. */
export const OBJECT = `## 4. The object

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

`
