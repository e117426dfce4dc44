"""Every property keeps to what an engine declares, and to what its language can say.

The declarations are those of the adapters, and of engines that do half of many features; no engine
is asked. Run with ``-s`` to see the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rsp_conformance.adapters.cqels.register import CQELS
from rsp_conformance.adapters.cqels1.register import CQELS1
from rsp_conformance.adapters.csparql.register import CSPARQL
from rsp_conformance.adapters.yasper.register import YASPER
from rsp_conformance.files.profiles import named_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.features import with_implied
from rsp_conformance.model.trial import Trial
from rsp_conformance.model.usage import case_features
from rsp_conformance.protocol.messages import read_hello
from rsp_conformance.run.properties import SUITE, Property
from rsp_conformance.run.selection import not_applicable, strategy_of
from rsp_conformance.test_suite.declined import declinable
from rsp_conformance.text.errors import NotExpressible
from tests.adapters.checkout.declared import features_of
from tests.builders.drawing import draw_runs
from tests.generators.profiles import subject

HALVES = (
    "select filter-comparisons filter-not bind functions distinct having one-aggregate group-by "
    "aggregate-expressions gap-windows static-data optional-static exists-static union-static "
    "multi-triple-elements typed-literals separate-blank-nodes without-sample "
    "without-positive-exists without-inner-filters without-filtered-binds "
    "without-joined-aggregates"
).split()
PAIRS = ["multi-window", "without-compound-window-joins", "without-arithmetic"]
WINDOWS = {name: {**CQELS.hello, **said} for name, said in CQELS.variants["windows"].items()}
HELLOS: dict[str, Mapping[str, Any]] = {
    **{f"cqels, {name}": hello for name, hello in WINDOWS.items()},
    "csparql": CSPARQL.hello,
    "yasper": YASPER.hello,
    "cqels1": CQELS1.hello,
    "rsp-rs": {
        "language": "rsp-ql",
        "dialect": {"duration": "instants", "explicit_step": True},
        "profile": "rsp-rs",
        "features": features_of("rsp_rs"),
    },
    "halves": {**WINDOWS["future"], "features": HALVES},
    "halves and pairs": {**WINDOWS["future"], "features": [*HALVES, *PAIRS]},
}


def declared(name: str) -> EngineUnderTest:
    """An engine with the hello NAME, which answers nothing."""
    said = {"op": "hello", "protocol": 1, "engine": name, "version": "1", "advances": "elements"}
    hello = read_hello({**said, **HELLOS[name], "features": [*HELLOS[name]["features"]]})
    met = EngineUnderTest(subject({}).engine, named_profile(hello.profile, name), hello)
    met._check()
    return met


def cases_of(name: str, property: Property, number: int, runs: int) -> list[Case]:
    under_test = declared(name)
    examples = draw_runs(strategy_of(property, under_test), number, runs=runs)
    return [variant.case for example in examples for variant in Trial.of(example).variants]


def outside(name: str, cases: list[Case]) -> dict[str, int]:
    """How many of CASES fall outside of what the engine NAME takes, by the reason."""
    under_test = declared(name)
    found: dict[str, int] = {}
    for case in cases:
        reasons = sorted(case_features(case) - with_implied(under_test.features))
        reasons += sorted(declinable(case, under_test.dials(case)) & under_test.features)
        try:
            under_test.query_text(case)
        except NotExpressible as why:
            reasons.append(str(why))
        for reason in reasons[:1]:
            found[reason] = found.get(reason, 0) + 1
    return found


@pytest.mark.parametrize("name", HELLOS)
def test_next_to_nothing_is_outside_of_what_an_engine_takes(name: str) -> None:
    asked = 0
    # Every second property, and another half of them for the next engine.
    for property in SUITE[list(HELLOS).index(name) % 2 :: 2]:
        if not_applicable(property, declared(name)) is not None:
            continue
        own = cases_of(name, property, 10, 2)
        found = outside(name, own)
        asked += 1
        print(f"{name:14} {property.name:26} {sum(found.values()) / len(own):4.0%} {found or ''}")
        assert sum(found.values()) <= len(own) / 20, (property.name, found)
    assert asked >= 8
