"""Every property keeps to what an engine declares, and to what its language can say.

The declarations are those of the adapters, and of engines that do half of many features; no engine
is asked. Run with ``-s`` to see the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest

from rsp_conformance.adapters.cqels.register import CQELS
from rsp_conformance.adapters.cqels1.register import CQELS1
from rsp_conformance.adapters.csparql.register import CSPARQL
from rsp_conformance.adapters.yasper.register import YASPER
from rsp_conformance.files.profiles import named_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.algebra import BGP, Extend, Filter, Join, LeftJoin, Minus, Window
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import Aggregate, Exists, Operation, Variable
from rsp_conformance.model.features import RESTRICTIONS, with_implied
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.trial import Trial
from rsp_conformance.model.usage import case_features
from rsp_conformance.model.walk import mentioned, within
from rsp_conformance.protocol.messages import read_hello
from rsp_conformance.run.properties import SUITE, Property
from rsp_conformance.run.selection import not_applicable, strategy_of
from rsp_conformance.strategies.windows import width_of
from rsp_conformance.text.errors import NotExpressible
from tests.builders.drawing import draw_runs, missing, parts_of
from tests.docs.markdown import ROOT
from tests.generators.profiles import subject

SOURCE = (ROOT / "rsp_conformance/adapters/rsp_rs/src/main.rs").read_text("utf-8")
RSP_RS = re.search(r'const FEATURES: &str = "([^"]*)"', SOURCE)
assert RSP_RS is not None
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
        "features": RSP_RS[1].replace("\\\n", " ").split(),
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


def inner_filter(case: Case) -> bool:
    inner = [part.right for part in parts_of(case, LeftJoin, Minus)]
    inner += [part.pattern for part in parts_of(case, Exists)]
    return any(o.condition is not None for o in parts_of(case, LeftJoin)) or any(
        isinstance(part, Filter) for pattern in inner for part in within(pattern)
    )


def positive_exists(case: Case) -> bool:
    alone = [f.condition for f in parts_of(case, Filter) if isinstance(f.condition, Exists)]
    every = list(parts_of(case, Exists))
    return len(alone) < len(every) or not all(exists.negated for exists in every)


def filtered_bind(case: Case) -> bool:
    bound = {part.variable.name for part in parts_of(case, Extend)}
    conditions = [part.condition for part in parts_of(case, Filter, LeftJoin) if part.condition]
    return any(not bound.isdisjoint(mentioned(condition)) for condition in conditions)


def compound_window_join(case: Case) -> bool:
    if len(case.query.windows) == 1:
        return False
    match case.query:
        case Query(
            form=Form.SELECT,
            pattern=Join(
                Window(pattern=BGP((one,))),
                Window(pattern=BGP((other,))),
            ),
            distinct=False,
            group_by=None,
        ):
            return len({*mentioned(one)} & {*mentioned(other)}) != 1
    return True


def joined_aggregate(case: Case) -> bool:
    triples = [triple for bgp in parts_of(case, BGP) for triple in bgp.triples]
    return len(triples) > 1 and any(True for _ in parts_of(case, Aggregate))


def single_pattern(case: Case) -> bool:
    held = [
        bgp for window in parts_of(case, Window) for bgp in within(window) if isinstance(bgp, BGP)
    ]
    aggregates = any(True for _ in parts_of(case, Aggregate))
    return not aggregates and sum(len(bgp.triples) for bgp in held) < 2


def long_window(case: Case) -> bool:
    times = [case.registered, *(element.t for element in case.elements)]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    return max(map(width_of, case.query.windows)) > 16 or max(gaps, default=0) > 32


def unread_window(case: Case) -> bool:
    read = {part.name for part in parts_of(case, Window)}
    if any(isinstance(name, Variable) for name in read):
        return False
    return any(w.named and w.name not in read for w in case.query.windows)


HAS: dict[str, Callable[[Case], bool]] = {
    "without-arithmetic": lambda case: any(o.name in "+-*/" for o in parts_of(case, Operation)),
    "without-inner-filters": inner_filter,
    "without-positive-exists": positive_exists,
    "without-filtered-binds": filtered_bind,
    "without-sample": lambda case: any(
        aggregate.name in ("SAMPLE", "GROUP_CONCAT") for aggregate in parts_of(case, Aggregate)
    ),
    "without-steps": lambda case: any((w.slide or 1) != 1 for w in case.query.windows),
    "without-single-patterns": single_pattern,
    "without-plain-queries": lambda case: case.query.operator is None,
    "without-joined-aggregates": joined_aggregate,
    "without-compound-window-joins": compound_window_join,
    "without-layouts": lambda case: case.layout is not None,
    "without-long-windows": long_window,
    "without-unread-windows": unread_window,
    "without-datasets": lambda c: bool(c.query.default_graphs or c.query.named_graphs),
}
"""Whether a case has what an engine may decline; tests/strategies/test_terms.py has the others."""


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
        reasons += [r for r, has in HAS.items() if r in under_test.features and has(case)]
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


def test_every_restriction_is_looked_for() -> None:
    looked_for = {name.strip() for name in HAS}
    assert looked_for <= RESTRICTIONS.keys()
    declined = {r for hello in HELLOS.values() for r in hello["features"] if r in RESTRICTIONS}
    assert declined == looked_for


def test_what_an_engine_may_decline_is_drawn_otherwise() -> None:
    foci = ("filter", "exists", "aggregates", "functions", "multi-window", "named-graphs")
    assert not missing({*HAS}, lambda case: [n for n, has in HAS.items() if has(case)], foci, 3)
