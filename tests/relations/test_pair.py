"""Two engines in one run: who is asked what, who is accused, and what can be replayed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import read_options
from rsp_conformance.judge.crash_file import OtherEngine
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.keeper import Keeper
from rsp_conformance.model.algebra import Window
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.walk import subpatterns
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.relations.pair import EnginePair
from rsp_conformance.run.budget import Budget
from rsp_conformance.run.events import PropertyFinished
from rsp_conformance.run.ledger import Ledger
from rsp_conformance.run.opinions import Opinions
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.session import Session
from rsp_conformance.run.settings import RunSettings
from tests.builders.cases import nearby_case
from tests.builders.command_line import cli


class Named(ReferenceEngine):
    """The reference engine under a name of its own, with what HELLO says of it otherwise."""

    def __init__(self, name: str, hello: dict[str, Any] | None = None, **options: str) -> None:
        super().__init__(read_options(options))
        self._said = {"engine": name, **(hello or {})}

    def hello(self, request: Any) -> dict[str, Any]:
        return {**super().hello(request), **self._said}


def met(name: str, hello: dict[str, Any] | None = None, **options: str) -> EngineUnderTest:
    return EngineUnderTest.meet(InProcessEngine(Named(name, hello, **options)))


def events(pair: EnginePair, folder: Path, *names: str, **other: str) -> Iterator[PropertyFinished]:
    """How the properties NAMES of PAIR end; crash files name `reference` with OTHER options."""
    against = OtherEngine("reference", other, pair.other.profile)
    keeper = Keeper(folder, "reference", {"profile": "rsp-js"}, "7", against)
    settings = RunSettings(seed=7, budget=Budget(40), judged_by="the test")
    run = Session(pair, settings, keeper, Ledger(), Opinions())
    for name in names:
        yield run.run(property_named(name))


def test_two_right_engines_agree(tmp_path: Path) -> None:
    stamps = {"dial.answer_time": "evaluation"}
    pair = EnginePair.of(met("one", profile="rsp-js"), met("other", profile="rsp-js", **stamps))
    names = ("against[windows]", "against[join]", "against[filter]")
    for finished in events(pair, tmp_path, *names):
        assert finished.verdict == "passed"
        assert finished.counts["compared"] >= 10


@pytest.mark.parametrize("faulty", ["one", "other"])
def test_the_one_that_is_wrong_is_named(faulty: str, tmp_path: Path) -> None:
    fault = {"fault": "optional-as-join"}
    one, other = (fault if name == faulty else {} for name in ("one", "other"))
    pair = EnginePair.of(
        met("one", profile="rsp-js", **one), met("other", profile="rsp-js", **other)
    )
    (finished,) = events(pair, tmp_path, "against[optional]", profile="rsp-js", **other)
    assert (finished.verdict, finished.note) == ("failed", "contradiction")
    (file,) = (tmp_path / "crashes").iterdir()
    options = [f"--engine-option={name}={value}" for name, value in one.items()]
    again = cli("replay", file, *options)
    assert again.status == 1
    right = "other" if faulty == "one" else "one"
    assert f"is expected, as {right} answers" in " ".join(again.out.split())


def test_a_query_is_rewritten_for_the_engine_that_merges_its_windows() -> None:
    pair = EnginePair.of(met("one", profile="c-sparql"), met("other", profile="rsp-js"))
    assert pair.drawer is pair.other
    case = nearby_case(3, 2)
    merged = pair.as_asked(case, pair.first)
    assert merged is not None
    assert not any(isinstance(part, Window) for part in subpatterns(merged.query.pattern))
    assert not any(window.named for window in merged.query.windows)
    assert pair.as_asked(case, pair.other) == case


def test_each_stimulus_goes_to_the_engine_that_it_is_for() -> None:
    pair = EnginePair.of(met("one", profile="rsp-js"), met("other", profile="rsp-rs"))
    case = nearby_case(3, 2)
    first, second = Stimulus(case), Stimulus(case, second=True)
    found = {o.stimulus: o.dials.bounds for o in pair.ask_many([first, second])}
    assert len(found) == 2
    assert pair.dials_of(first).t0 == "first-aligned-close"
    assert pair.dials_of(second).t0 == "first-element-close"


def test_engines_without_a_feature_in_common_are_refused() -> None:
    one, other = met("one", {"features": ["select"]}), met("other", {"features": ["ask"]})
    with pytest.raises(BadInput, match="one and other share no feature"):
        EnginePair.of(one, other)
