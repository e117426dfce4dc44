"""Every bundled profile, found again from what `reference` answers, with and without a mutant."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rsp_conformance.diagnosis.profile.findings import DialFinding, findings
from rsp_conformance.diagnosis.profile.identify import Identification, identify, with_form
from rsp_conformance.diagnosis.profile.values import SETTLED
from rsp_conformance.files.profiles import bundled_profile, named_profile
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.protocol import registry
from tools.engines.record import RECORDS

KEPT = RECORDS / "recovered"
"""What the command finds, a file for each profile."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """What experiments find of `reference` under one profile.

    Attributes:
        mutants: the mutants that it has.
        lost: the dials that explain less as they are than as they were found, ``bounds = (o,c]``.
        named: the mutants that were found.
        alike: the dials that were found otherwise and that no answer tells apart, with the value
            that they have.
        explained: the answers of ``answers`` that what was found explains.
        complete: whether the time and the predictions sufficed.
        seconds: by the clock of the wall.
        asked: how many predictions were asked; 0 in a record from before they were counted.
    """

    mutants: Sequence[str]
    lost: Sequence[str]
    named: Sequence[str]
    alike: Sequence[str]
    explained: int
    answers: int
    complete: bool
    seconds: float
    asked: int = 0

    @property
    def recovered(self) -> bool:
        """Whether what was found explains every answer, with the mutants and no other one."""
        exact = self.complete and self.explained == self.answers and not self.lost
        return exact and sorted(self.named) == sorted(self.mutants)

    @property
    def is_unseen(self) -> bool:
        """Whether the profile alone explains all, the mutants making no difference under it."""
        whole = not self.lost and self.explained == self.answers
        return whole and bool(self.mutants) and not self.named


def recovery(found: Identification, mutants: Sequence[str], seconds: float) -> Recovery:
    """Return what an identification says.

    Args:
        found: what was found of `reference` under a profile.
        mutants: the mutants that it has.
        seconds: how long that took.
    """
    all_found = findings(found)
    return Recovery(
        mutants=list(mutants),
        lost=[f"{one.dial} = {one.declared}, not {one.whole}" for one in missed(found)],
        named=list(found.setting.mutants),
        alike=[f"{o.dial} ({o.declared})" for o in all_found if o.whole != o.declared],
        explained=len(found.explained()),
        answers=found.judged,
        complete=found.complete,
        seconds=round(seconds, 1),
        asked=found.predictions.asked,
    )


def keep(profile: str, found: Sequence[Recovery], folder: Path = KEPT) -> None:
    """Write what was found of a profile to a folder."""
    folder.mkdir(exist_ok=True, parents=True)
    text = json.dumps([asdict(one) for one in found], indent=1) + "\n"
    (folder / f"{profile}.json").write_text(text, "utf-8")


def kept(folder: Path = KEPT) -> dict[str, list[Recovery]]:
    """Return what was found of each profile and written to a folder."""
    return {
        path.stem: [Recovery(**one) for one in json.loads(path.read_text("utf-8"))]
        for path in sorted(folder.glob("*.json"))
    }


def identified(
    profile: str,
    *,
    mutants: Sequence[str] = (),
    start: str = "rsp-ql",
    seed: int = 0,
    max_time: float = 600.0,
) -> Identification:
    """Return what is found of `reference` under a profile.

    The search learns nothing of what the engine declares, but for the dials that no answer tells.

    Args:
        profile: the bundled profile by which the engine works.
        mutants: the mutants that it has.
        start: the bundled profile with which the search begins.
        seed: the seed of the random cases.
        max_time: the seconds after which the search ends.
    """
    options = {"profile": profile} | ({"fault": ",".join(mutants)} if mutants else {})
    with registry.connect("reference", options) as engine:
        subject = EngineUnderTest.meet(engine, bundled_profile(start))
        said = named_profile(subject.hello.profile)
        untold = {dial: said.base.text(dial) for dial in SETTLED}
        begun = subject.profile.with_dials(untold)
        found = identify(subject, begun, run_seed=seed, max_time=max_time)
        return replace(found, said=said, declared=with_form(said, found.start))


def missed(found: Identification) -> list[DialFinding]:
    """Return the dials whose declared value explains less than the value that was found."""
    return [one for one in findings(found) if one.contradicted]
