"""Every bundled profile, found again from what `reference` answers, with and without a defect."""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.profiles import bundled_profile, profile_from_json
from rsp_conformance.profiling.findings import DialFinding, findings
from rsp_conformance.profiling.identify import Identification, identify
from rsp_conformance.protocol import registry


def identified(
    profile: str,
    *,
    mutants: Sequence[str] = (),
    start: str = "rsp-ql",
    seed: int = 0,
    max_time: float = 600.0,
) -> Identification:
    """What is found of `reference` under PROFILE with MUTANTS, the search begun from START."""
    options = {"profile": profile} | ({"fault": ",".join(mutants)} if mutants else {})
    with registry.connect("reference", options) as engine:
        subject = EngineUnderTest.meet(engine, bundled_profile(start))
        declared = profile_from_json(subject.hello.profile)
        return identify(subject, declared, run_seed=seed, max_time=max_time)


def missed(found: Identification) -> list[DialFinding]:
    """The dials whose declared value explains less than what was found."""
    return [one for one in findings(found) if one.contradicted]
