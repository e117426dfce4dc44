"""How much an engine may hang and die before the run goes on without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.protocol.failures import EngineBroken
from rsp_conformance.run import asking
from rsp_conformance.run.asking import Asker
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.trials import by_seed
from tests.builders.engines import Flawed, right, run_of
from tests.generators.profiles import subject


def asker(seconds: Mapping[str, float] | None = None, **ended: list[str | None]) -> Asker:
    """An asker after cases of properties have ended so, and lost so many seconds."""
    made = Asker(subject({}))
    for name, kinds in ended.items():
        made.take(name, kinds)
    for name, lost in (seconds or {}).items():
        made.losses[name].seconds = lost
    return made


def test_a_property_bears_some_losses_and_some_seconds() -> None:
    assert asker(windows=["", *["died"] * 9]).ends("windows") == ""
    assert asker(windows=["", *["died"] * 10]).ends("windows") == "the engine died (10)"
    assert asker({"windows": 60.0}, windows=["", "died"]).ends("windows") == "the engine died (1)"


def test_how_an_engine_was_lost_is_said() -> None:
    kinds = ["", "timeout", "died", "protocol-error", "timeout"]
    said = "the engine did not answer in time (2), died (1), broke the protocol (1)"
    assert asker(windows=kinds).ends("windows") == said


def test_few_cases_that_hang_end_a_property() -> None:
    assert asker(windows=["", "died", "died", "timeout"]).ends("windows") == ""
    assert asker(windows=["", "timeout", "timeout"]).ends("windows") != ""


def test_in_all_losses_are_bounded() -> None:
    for lost, ends in ((1.0, False), (2.0, True)):
        own = asker({"windows": 299.0, "gaps": lost}, windows=[""], gaps=["", "died"])
        assert bool(own.ends("gaps")) is ends


def test_an_engine_that_answered_nothing_gets_one_case_of_the_next_property() -> None:
    own = asker(windows=["timeout", "timeout"])
    own.learn("windows")
    assert own.ends("gaps") == ""
    own.take("gaps", ["died"])
    assert own.ends("gaps") != ""
    own.take("gaps", [""])
    assert own.ends("gaps") == ""


def test_an_engine_that_never_answers_ends_the_run() -> None:
    own = asker(windows=["died", "died"], gaps=["died"], report=["timeout"])
    own.learn("windows")
    own.learn("gaps")
    said = r"of its first 4 cases, of 3 properties: it died \(3\), did not answer in time \(1\)"
    with pytest.raises(EngineBroken, match=said):
        own.learn("report")


def test_an_engine_that_answers_at_times_does_not() -> None:
    own = asker(windows=["", "died", "died"])
    for name in ("windows", "gaps", "report", "join", "any"):
        own.take(name, ["died"] * 3)
        own.learn(name)


def test_the_time_that_was_given_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking.time, "monotonic", lambda: 100.0)
    assert asker().ends("windows", 100.5) == ""
    assert asker().ends("windows", 100.0) == "the time was up"


class OneBatch(InProcessEngine):
    """An engine with one batch at a time."""

    is_open = False

    def run_many(self, *given: Any, **more: Any) -> Iterator[Any]:
        assert not self.is_open
        self.is_open = True
        yield from super().run_many(*given, **more)
        self.is_open = False


def test_what_is_asked_in_the_midst_of_a_batch_waits_for_it(tmp_path: Path) -> None:
    """A connection has one batch at a time, and a relation asks again before it accuses."""
    own = Asker(run_of(OneBatch(Flawed(right)), tmp_path).subject)
    property = property_named("windows")
    stimuli = [s for d in by_seed(property, own.subject, 1, range(9)) for s in d.trial.stimuli]
    answers = []
    for answer in own.all("windows", stimuli):
        answers.append(answer)
        assert own.again(answer.stimulus).observed == answer.observed
    assert [one.stimulus for one in answers] == [*dict.fromkeys(stimuli)] and len(answers) > 5
