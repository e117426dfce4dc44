"""Print which bundled profiles are found again from `reference`, without a defect and with one."""

from __future__ import annotations

import argparse
import random
import sys

from rsp_conformance.causes.hypothesis import MUTANTS
from rsp_conformance.model.profiles import profile_names
from rsp_conformance.profiling.findings import findings
from tests.mutation.profiles import identified, missed
from tests.progress import never_silent, reported

SAMPLED = (
    *("newest-only", "stale-join", "gaps-as-tumbling", "equal-timestamps-overwrite"),
    *("first-triple-only", "istream-ignored", "filter-error-true", "second-window-overwrites"),
    *("limit-ignored", "null-aggregate", "distinct-forever", "duplicates-collapsed"),
)
"""Mutants that are no setting of a dial under another name."""


def main(arguments: list[str] | None = None) -> int:
    """Find every profile again; 1 where a dial of one is not."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.profiles", description=__doc__)
    parser.add_argument("profiles", nargs="*", metavar="PROFILE", help="only these")
    parser.add_argument("--start", default="rsp-ql", help="the profile that the search begins with")
    parser.add_argument("--mutants", type=int, default=1, help="mutants sampled for each profile")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    chosen = random.Random(given.seed)
    failed = 0
    with never_silent():
        names = given.profiles or list(profile_names())
        for name in reported("finding", names, names):
            sampled = chosen.sample(SAMPLED, given.mutants)
            for mutants in ((), *((mutant,) for mutant in sampled)):
                assert set(mutants) <= set(MUTANTS)
                found = identified(name, mutants=mutants, start=given.start, seed=given.seed)
                evidence = found.evidence
                lost = [f"{one.dial} = {one.value}, not {one.declared}" for one in missed(found)]
                alike = [one for one in findings(found) if one.value != one.declared]
                failed += bool(lost)
                print(
                    f"{name} {' '.join(mutants) or '-'}: {'; '.join(lost) or 'recovered'}; "
                    f"mutants {' '.join(found.setting.mutants) or '-'}; not told apart "
                    f"{', '.join(f'{one.dial} ({one.declared})' for one in alike) or '-'}; "
                    f"{len(evidence.explained(found.setting))} of {len(evidence.answered)} answers",
                    flush=True,
                )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
