"""Document 003's isolation of a precondition delta, in its published order and with its published silences.

Reads {"manifest", "environment"} a line, answers a line {"verdict", "drifted_keys", "retained_claims", "invalidated_claims"}.
Like the published pattern, it never looks at the composite seal.
"""

import hashlib
import json
import sys


def isolate(manifest, environment):
    baselines = dict((key, value) for key, value in manifest["baseline_key_hashes"])
    dependencies = [(claim, frozenset(keys)) for claim, keys in manifest["claim_dependency_map"]]
    if not baselines or not dependencies:
        return report("FULL_RECONSTRUCTION_REQUIRED", (), (), ())

    now = {key: hashlib.sha256(value.encode("utf-8")).hexdigest() for key, value in environment.items()}
    drifted = frozenset(key for key, value in baselines.items() if now.get(key) != value)
    claims = frozenset(claim for claim, _ in dependencies)
    if not drifted:
        return report("NO_DRIFT", (), claims, ())
    if drifted & frozenset(manifest["structural_keys"]):
        return report("FULL_RECONSTRUCTION_REQUIRED", drifted, (), claims)

    invalidated = frozenset(claim for claim, keys in dependencies if drifted & keys)
    retained = claims - invalidated
    if not invalidated:
        return report("AMBIENT_DRIFT_ONLY", drifted, retained, ())
    if not retained:
        return report("FULL_RECONSTRUCTION_REQUIRED", drifted, (), invalidated)
    return report("PARTIAL_REPROBE_REQUIRED", drifted, retained, invalidated)


def report(verdict, drifted, retained, invalidated):
    by_code_unit = lambda text: text.encode("utf-16-be")
    return {
        "verdict": verdict,
        "drifted_keys": sorted(drifted, key=by_code_unit),
        "retained_claims": sorted(retained, key=by_code_unit),
        "invalidated_claims": sorted(invalidated, key=by_code_unit),
    }


for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps(isolate(case["manifest"], case["environment"])))
