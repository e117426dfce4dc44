"""A cause: the reason for failures of an engine, and how far the answers show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from rsp_conformance.diagnosis.mutants import MUTANTS, known_setting
from rsp_conformance.files.codec import Format, Keys, Via, at_least
from rsp_conformance.model.dependence import NOTHING_FOUND, Dependence, Experiment
from rsp_conformance.model.setting import Setting

Count = Annotated[int, at_least(0)]
UNEXPLAINED = "?-"
"""The id of a cause that no setting explains begins with this."""
WRONG_FORM: Final = "wrong form"
"""The kind of failure of an answer that has another form than the query asks for."""
SUPPORTED: Final = 5
"""A setting that explains less wrong answers than this may fit them by chance, so the engine is
asked for more of them; and nothing that it explains is excluded while a run goes on."""


def is_named(id: str) -> bool:
    """Whether the id of a cause is the name of a setting that explains it."""
    return not id.startswith(UNEXPLAINED)


DECIDES: Mapping[str, str] = {
    "bounds": "which ends of a window belong to it",
    "window": "which window is evaluated at t",
    "t0": "where windows start",
    "report": "when the query is evaluated",
    "report_windows": "for which windows a policy that names none must hold",
    "content_change": "what counts as a change of content",
    "tick": "one evaluation per instant, or one per element",
    "stream_operators": "operators that queries may write",
    "r2s": "how IStream and DStream subtract",
    "window_content": "whether duplicates in a window count",
    "windows_in": "windows are named, or merged into the default graph",
    "empty_answers": "whether answers without rows are reported",
    "answer_time": "what the timestamp of an answer is",
    "trigger": "which arrival closes a window",
    "numbers": "when two numbers are the same",
    "time_tolerance": "how far timestamps may be off",
    "clock": "whose arrivals make time pass for a window",
    "literals": "whether `01` and `1` stay two terms",
    "empty_group": "what an aggregate without GROUP BY gives over no solution",
    "count_slide": "the slide of a window by count that has none written",
    "n0": "where windows by count start",
    "now": "what NOW holds",
    "ties": "in which order elements of one instant are counted by windows by count",
    "graph_variable": "whether `GRAPH ?g` outside WINDOW ranges over named windows too",
}
"""What each dial decides, in the words of docs/dials.md."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause of failures of one engine.

    Attributes:
        id: its name, which stays the same from run to run: that of its setting, or UNEXPLAINED and
            the fingerprint of failures that no setting explains.
        setting: the setting that predicts the engine's answers; empty if none does.
        alternatives: other settings that predict all wrong answers that it explains, and that no
            right answer tells from it.
        properties: the properties whose failures it explains.
        explains: the number of wrong answers that it predicts.
        open: the number of wrong answers that it affects and does not predict either.
        contradicts: the number of right answers that it predicts otherwise.
        passing: the number of right answers that it was checked against.
        asked: the number of wrong answers that were tested for whether it affects them.
        wrong: the number of wrong answers of the run.
        right: the number of right answers of the run.
        file: the crash file of its smallest case; may be empty.
        elements: how many stream elements that case has.
        together: the ids of the named causes that explain that case together; itself, if it does
            so alone.
        text: what is wrong, in one sentence.
        dependence: what it depends on, if nothing explains it and experiments were asked.
        set_apart: whether wrong answers that it may have spoilt are evidence of no other cause.
    """

    id: str
    setting: Setting = Setting()
    alternatives: tuple[Setting, ...] = ()
    properties: tuple[str, ...] = ()
    explains: int = 0
    open: int = 0
    contradicts: int = 0
    passing: int = 0
    asked: int = 0
    wrong: int = 0
    right: int = 0
    file: str = ""
    elements: int = 0
    together: tuple[str, ...] = ()
    text: str = ""
    dependence: Dependence = NOTHING_FOUND
    set_apart: bool = False

    @property
    def is_explained(self) -> bool:
        """Whether a setting explains it."""
        return bool(self.setting)

    @property
    def is_supported(self) -> bool:
        """Whether it explains more answers than fit a setting by chance."""
        return self.explains >= SUPPORTED

    @property
    def is_of_wrong_form(self) -> bool:
        """Whether answers have another form than the query asks for; reports begin with these."""
        return self.text.startswith(f"{WRONG_FORM}:")

    @property
    def mutants(self) -> tuple[str, ...]:
        """The mutants of its setting."""
        return self.setting.mutants

    @property
    def dials(self) -> Mapping[str, str]:
        """The dials of its setting."""
        return dict(self.setting.dials)


@dataclass(frozen=True, kw_only=True, slots=True)
class SettingJson:
    """A setting of an engine: what would predict its answers."""

    mutants: tuple[str, ...] = ()
    """Mutants, by the names that `rsp-conformance mutants` lists."""
    dials: Mapping[str, str] = field(default_factory=dict)
    """Dials turned from the engine's profile."""

    @classmethod
    def of(cls, setting: Setting) -> SettingJson:
        """Return a setting as documents have it."""
        return SettingJson(mutants=setting.mutants, dials=dict(setting.dials))

    def setting(self) -> Setting:
        """Return the setting.

        Raises:
            ValueError: a mutant or dial does not exist.
        """
        return known_setting(self.dials, self.mutants)


@dataclass(frozen=True, kw_only=True, slots=True)
class SmallestJson:
    """The smallest case that shows a cause."""

    file: str = ""
    """Its crash file, from the folder of the run if it lies in that; may be empty."""
    elements: Count = 0
    """The number of its stream elements."""
    id: str = ""
    """The id of the crash file, which `rsp-conformance replay` takes too; may be empty."""
    causes: tuple[str, ...] = ()
    """The ids of the causes that explain the case together; mostly it is this cause alone."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CauseJson(SettingJson):
    """A cause of failures; without mutants and dials nothing known explains it.

    It is compared with no answer then, and ``passing``, ``asked``, ``wrong`` and ``right`` are 0.
    """

    id: str
    """The same from run to run; it begins with `?-` if nothing known explains the cause."""
    alternatives: tuple[SettingJson, ...] = ()
    """Other settings that no case has told from it."""
    properties: tuple[str, ...] = ()
    """The properties whose failures it explains."""
    explains: Count = 0
    """Wrong answers that it predicts."""
    open: Count = 0
    """Wrong answers that it affects and does not predict either."""
    contradicts: Count = 0
    """Right answers that differ from what it predicts."""
    passing: Count = 0
    """Right answers with which it was compared."""
    asked: Count = 0
    """Wrong answers that were tested for whether it affects them."""
    wrong: Count = 0
    """All wrong answers of the run."""
    right: Count = 0
    """All right answers of the run."""
    smallest: SmallestJson
    text: str = ""
    """What is wrong, in one sentence."""
    evidence: str = ""
    """How far the answers of the run show it, in one sentence."""
    only_if: tuple[str, ...] = ()
    """Conditions, if nothing known explains it: no answer to a case without one was wrong."""
    experiments: tuple[Experiment, ...] = ()
    """The cases that were asked to find the conditions."""
    set_apart: bool = False
    """Whether wrong answers that it may have spoilt are left out of the counts of all causes."""

    def cause(self) -> Cause:
        """Return the cause.

        Raises:
            ValueError: a mutant or dial does not exist.
        """
        return Cause(
            setting=self.setting(),
            alternatives=tuple(own.setting() for own in self.alternatives),
            file=self.smallest.file,
            elements=self.smallest.elements,
            together=self.smallest.causes,
            dependence=Dependence(self.only_if, self.experiments),
            **{name: getattr(self, name) for name in _SAME},
        )


def json_of(cause: Cause) -> CauseJson:
    """Return a cause as documents have it, without what a report says about it besides."""
    return CauseJson(
        mutants=cause.mutants,
        dials=cause.dials,
        alternatives=tuple(map(SettingJson.of, cause.alternatives)),
        smallest=SmallestJson(file=cause.file, elements=cause.elements, causes=cause.together),
        only_if=cause.dependence.only_if,
        experiments=cause.dependence.experiments,
        **{name: getattr(cause, name) for name in _SAME},
    )


_SAME: Final = (
    *("id", "properties", "explains", "open", "contradicts", "passing", "asked", "wrong", "right"),
    *("text", "set_apart"),
)
"""The fields of a cause that its documents have as they are."""
KEYS: Final = (
    "id mutants dials alternatives properties explains open contradicts passing asked wrong right "
    "smallest text evidence only_if experiments set_apart"
)
"""The keys of a cause in a document."""
RARE: Final = "only_if experiments set_apart"
"""The keys that it has only if nothing known explains it."""
CAUSES: Final = Format(
    {
        Cause: Via(CauseJson, CauseJson.cause, json_of),
        CauseJson: Keys(KEYS, omit=f"evidence {RARE}"),
        SmallestJson: Keys(omit="id causes"),
    },
    open=True,
)
"""Causes in files and events."""


def text_of(setting: Setting, *rivals: Setting) -> str:
    """Say in a sentence what is wrong with an engine if it has a setting, or one of its rivals."""
    dials = [
        f"it answers as with {dial} = {value} ({DECIDES.get(dial, 'a dial')})"
        for dial, value in setting.dials
    ]
    said = [MUTANTS[name].summary.rstrip(".") for name in setting.mutants] + dials
    others = [f" Or {own}, which is as likely: {text_of(own)}" for own in rivals]
    return "; ".join(said) + "." + "".join(others)
