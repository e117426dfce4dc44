"""Known causes: what is known to be wrong with an engine, while the search is for what else is.

A wrong answer is **known** where the semantics with the known causes gives it: with all of them
together, or with some of them where one shows only sometimes.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import islice
from operator import or_
from pathlib import Path
from typing import Any, TypeAlias

from rsp_conformance.causes.cause import UNEXPLAINED, Cause
from rsp_conformance.causes.evidence import Symptom
from rsp_conformance.causes.fingerprint import Fingerprint, fingerprint
from rsp_conformance.causes.hypothesis import MUTANTS, Hypothesis
from rsp_conformance.causes.met import Met, Some
from rsp_conformance.causes.prediction import Predictions
from rsp_conformance.files.fields import as_list, as_object, as_record, as_text, fail, get
from rsp_conformance.files.files import FileError, read_text, write_whole
from rsp_conformance.judge.crash_file import CrashFile, read
from rsp_conformance.judge.engine_under_test import Observation
from rsp_conformance.judge.replay import finding_in
from rsp_conformance.model.dials import MANNERS
from rsp_conformance.model.errors import did_you_mean, excerpt, reading
from rsp_conformance.model.finding import Finding

MOST_SETS = 40
"""So many sets of known causes are tried on one answer."""
MOST_RIGHT = 500
"""So many right answers are asked at most whether a cause would have made them wrong."""
ENOUGH_GONE = 3
"""So many right answers that a cause would have made wrong show that it is gone."""

_NAMES = ("id", "mutants", "dials", "fingerprint", "crash")
_FIELDS = (*_NAMES, "reason")
_FINGERPRINT = re.compile(rf"({re.escape(UNEXPLAINED)})?(?P<digits>[0-9a-f]{{8}})")

_NEVER_GONE = "# No run says when this one is mended: leave it out now and then to see."


@dataclass(frozen=True, slots=True)
class KnownCause:
    """A cause of wrong answers that is known.

    ``hypothesis`` predicts them; without one it is the cause of failures with the ``fingerprint``.
    ``reason`` is the user's. ``found`` says that this run has found it by itself: what it explains
    is wrong all the same, and only not searched again. ``file`` is where it stands, if in a file.
    ``observations`` are the answers of the crash file that names it, if it has wrong ones.
    """

    hypothesis: Hypothesis = Hypothesis()
    reason: str = ""
    fingerprint: str = ""
    found: bool = False
    file: str = field(default="", compare=False)
    observations: tuple[Observation, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(cls, cause: Cause, *, found: bool = False) -> KnownCause:
        """CAUSE, which a run has found, as one that is known."""
        digits = "" if cause.hypothesis else cause.id.removeprefix(UNEXPLAINED)
        return cls(cause.hypothesis, f"found by a run: {cause.text}", digits, found)

    @property
    def id(self) -> str:
        """The cause in a word or two, as reports name it."""
        return str(self.hypothesis) if self.hypothesis else f"{UNEXPLAINED}{self.fingerprint}"


_Some: TypeAlias = Some[KnownCause]


class KnownCauses:
    """All that is known of one engine, held against what it answers.

    ``predictions`` are remembered for whoever asks about the same answers.
    """

    def __init__(
        self, causes: Iterable[KnownCause] = (), predictions: Predictions | None = None
    ) -> None:
        self.causes = tuple(causes)
        self.predictions = predictions or Predictions()
        self._explained: dict[int, tuple[KnownCause, ...] | None] = {}
        self._passed_over: set[int] = set()
        self._met = Met[KnownCause]()
        self._covered: defaultdict[str, dict[Fingerprint, KnownCause]] = defaultdict(dict)

    def add(self, cause: KnownCause) -> None:
        """Know CAUSE from now on; what one known before explains alone is its all the same."""
        self.causes += (cause,)
        answers = self._explained.items()
        self._explained = {id: found for id, found in answers if found and len(found) == 1}
        self._passed_over.clear()

    def beside(self, causes: Iterable[KnownCause]) -> KnownCauses:
        """These and CAUSES, on the same predictions."""
        return KnownCauses((*self.causes, *causes), self.predictions)

    def take_back(self, id: str) -> None:
        """Know the cause ID no more, which this run has found."""
        self.causes = tuple(own for own in self.causes if not (own.found and own.id == id))
        self._explained.clear()
        self._passed_over.clear()
        self._met.forget_sets()

    def explain(
        self, observation: Observation, *, briefly: bool = False
    ) -> tuple[KnownCause, ...] | None:
        """Known causes with which the semantics answers as the engine did, none of them needless.

        Empty where the answer is right without any; None where nothing known explains it, for
        want of causes or of an answer too, and where the other one of two engines has answered.
        If BRIEFLY, as well where nothing has explained others like it: for whoever counts, or
        asks again in the end. Until a cause is added, or more than briefly asked, it stays so.
        Causes that the run was given are never asked briefly.
        """
        answers = not observation.failure and observation.unsupported is None
        if not self.causes or not answers or observation.stimulus.second:
            return None
        # By identity: Predictions keeps the observations.
        briefly = briefly and all(cause.found for cause in self.causes)
        if briefly and id(observation) in self._passed_over:
            return None
        if id(observation) not in self._explained:
            sets = islice(self._sets(observation, briefly=briefly), MOST_SETS)
            found = next((s for s in sets if self._agree(s, observation)), None)
            fewest = found and self._fewest(found, observation)
            ordered = fewest and tuple(cause for cause in self.causes if cause in fewest)
            self._meet(observation, ordered)
            if briefly and found is None:
                self._passed_over.add(id(observation))
                return None
            self._passed_over.discard(id(observation))
            self._explained[id(observation)] = fewest
        return self._explained[id(observation)]

    def _meet(self, observation: Observation, causes: _Some | None) -> None:
        """Take note that CAUSES explain OBSERVATION, or nothing: so it may be of others like it."""
        first = self._met.first(self._hypotheses)
        if first is not None and causes not in ((), (first,)):
            self._met.note_where(self._beside(first, observation), causes)
        if causes:
            self._met.note(causes)

    def has_explained(self, observation: Observation) -> bool:
        """Whether ``explain`` was asked of OBSERVATION, and known causes explain it."""
        return bool(self._explained.get(id(observation)))

    def showing(self, observations: Iterable[Observation]) -> tuple[KnownCause, ...]:
        """The known causes with which alone an engine answers any of the cases otherwise.

        Asked from the first z of each; not those with which `reference` does not do the case.
        """
        asked, nearer = tuple(observations), self.predictions.nearer
        return tuple(
            cause
            for cause in self.causes
            if any(nearer(cause.hypothesis, Hypothesis(), own) is not None for own in asked)
        )

    def covering(self, finding: Finding) -> tuple[KnownCause, ...]:
        """The known cause that has the fingerprint of FINDING, if there is one.

        That of a wrong answer is of its shrunk case (``cover``): a larger one has it where its
        property has shown that, and where it departs in the same way.
        """
        if not any(cause.fingerprint for cause in self.causes):
            return ()
        symptom = Symptom.of(finding)
        if not symptom.is_judged:
            return self.with_fingerprint(symptom)
        covered = self._covered[finding.property_name]
        own = fingerprint(symptom) if covered else None
        return tuple(cause for known, cause in covered.items() if own and known.covers(own))[:1]

    def cover(self, finding: Finding) -> tuple[KnownCause, ...]:
        """The known cause that has the fingerprint of FINDING, which is shrunk, if there is one.

        From now on it covers what departs like it in the same property.
        """
        symptom = Symptom.of(finding)
        known = self.with_fingerprint(symptom)
        if known and symptom.is_judged:
            self._covered[finding.property_name][fingerprint(symptom)] = known[0]
        return known

    def with_fingerprint(self, symptom: Symptom) -> tuple[KnownCause, ...]:
        """The known cause that has the fingerprint of SYMPTOM, if there is one.

        A crash file that another cause explains, which is known as well, stands for that one.
        """
        if not any(cause.fingerprint for cause in self.causes):
            return ()
        found = fingerprint(symptom).id
        same = (cause for cause in self.causes if cause.fingerprint == found)
        return tuple(cause for cause in same if not self.explain_all(cause.observations))

    @property
    def riddles(self) -> tuple[KnownCause, ...]:
        """Those that are known by wrong answers of a crash file, which nothing known explains."""
        own = (cause for cause in self.causes if cause.observations)
        return tuple(cause for cause in own if not self.explain_all(cause.observations))

    def solved_by(self, cause: Cause) -> KnownCause | None:
        """The riddle whose crash file CAUSE explains, now known by what CAUSE says, if any."""
        new = KnownCause.of(cause)
        if new.hypothesis:
            beside = self.beside([new])
            for own in self.riddles:
                if new in beside.explain_all(own.observations):
                    return KnownCause(new.hypothesis, own.reason, file=own.file)
        return None

    @property
    def hypothesis(self) -> Hypothesis:
        """All that is known together."""
        return together(self.causes)

    def explain_all(
        self, observations: Iterable[Observation], *, briefly: bool = False
    ) -> tuple[KnownCause, ...]:
        """The known causes that explain several answers; empty where one of them is not explained.

        An answer that is right needs no cause. BRIEFLY is as for ``explain``.
        """
        explained = [self.explain(observation, briefly=briefly) for observation in observations]
        if None in explained:
            return ()
        return tuple(dict.fromkeys(cause for causes in explained for cause in causes or ()))

    def is_gone(self, cause: KnownCause, right: Iterable[Observation]) -> bool:
        """Whether the engine cannot have CAUSE any more, which would have made RIGHT answers wrong.

        Only of some is it asked, which takes a second or two at most.
        """
        bears = (own for own in right if self.predictions.showing(cause.hypothesis, own))
        asked = islice(bears, MOST_RIGHT)
        agrees = self.predictions.agrees
        wrong = (own for own in asked if agrees(cause.hypothesis, own) is False)
        return len(list(islice(wrong, ENOUGH_GONE))) == ENOUGH_GONE

    def _agree(self, causes: Sequence[KnownCause], observation: Observation) -> bool:
        # Where they do not agree it is asked next which others show beside them.
        others = frozenset(name for own in self.causes for name in own.hypothesis.mutants)
        return self.predictions.agrees(together(causes), observation, others) is True

    def _sets(self, observation: Observation, *, briefly: bool) -> Iterator[_Some]:
        """Sets of known causes that may explain OBSERVATION, each once."""
        given: set[frozenset[KnownCause]] = set()
        for some in self._candidates(observation, briefly=briefly):
            if (own := frozenset(some)) not in given:
                given.add(own)
                yield some

    def _candidates(self, observation: Observation, *, briefly: bool) -> Iterator[_Some]:
        """None, each alone, what was met together, all, and then the smaller ones first.

        Of equals those met most.

        Only such as have the engine do something else on OBSERVATION than with one cause less; but
        the one met most comes before that is asked, as it is mostly the one. Which causes show
        beside it is known since it was asked: then comes what was met where the same ones do, and
        then what was met alone or with it. If BRIEFLY that is mostly all, where it was in vain.
        """
        causes = self._hypotheses
        yield ()
        if (first := self._met.first(causes)) is not None:
            yield (first,)
            beside = self._beside(first, observation)
            yield from self._met.where(beside)
            if briefly and self._met.is_in_vain(beside):
                return
            for some in self._met.sets:
                if len(some) == 1 or (first in some and beside.issuperset(some)):
                    yield some
        given = {frozenset[KnownCause]()}
        smaller: list[tuple[KnownCause, ...]] = [()]
        while smaller:
            larger: list[tuple[KnownCause, ...]] = []
            for some in smaller:
                for cause in self._bearing(some, causes, observation):
                    more = frozenset({*some, cause})
                    if more not in given:
                        given.add(more)
                        larger.append((*some, cause))
                        yield larger[-1]
            if smaller == [()]:
                bearing = {cause for (cause,) in larger}
                often = (some for some in self._met.sets if len(bearing.intersection(some)) > 1)
                yield from often
                yield causes
            smaller = larger

    @property
    def _hypotheses(self) -> _Some:
        """The causes that predict answers."""
        return tuple(cause for cause in self.causes if cause.hypothesis)

    def _beside(self, first: KnownCause, observation: Observation) -> frozenset[KnownCause]:
        """FIRST, and the causes that show beside it in an OBSERVATION that it does not explain."""
        return frozenset({first, *self._bearing((first,), self._hypotheses, observation)})

    def _bearing(
        self, some: Sequence[KnownCause], causes: Iterable[KnownCause], observation: Observation
    ) -> list[KnownCause]:
        """Those of CAUSES, met most first, that show in an engine which has SOME."""
        others = [cause for cause in causes if cause not in some]
        among = frozenset(name for cause in others for name in cause.hypothesis.mutants)
        shown = self.predictions.mending(together(some), observation, among)
        bearing = (c for c in others if c.hypothesis.dials or shown & {*c.hypothesis.mutants})
        return sorted(bearing, key=lambda cause: -self._met.often(cause))

    def _fewest(
        self, causes: tuple[KnownCause, ...], observation: Observation
    ) -> tuple[KnownCause, ...]:
        """CAUSES without those that the answer does not need, the last ones first."""
        for cause in reversed(causes):
            rest = tuple(other for other in causes if other is not cause)
            if rest and self._agree(rest, observation):
                causes = rest
        return causes


def together(causes: Iterable[KnownCause]) -> Hypothesis:
    """What an engine does that has all of CAUSES."""
    return reduce(or_, (cause.hypothesis for cause in causes), Hypothesis())


# --- files ----------------------------------------------------------------------------------------


def read_known(path: Path) -> tuple[KnownCause, ...]:
    """The causes in the file at PATH (docs/known.md).

    Raises FileError for a file that is not there, is no TOML, or holds something else.
    """
    text = read_text(path)
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        said = "nested too deeply" if isinstance(error, RecursionError) else error
        raise FileError(path, f"no TOML ({said})") from None
    try:
        return tuple(
            _causes(as_list(as_record(document, "", ("known",)).get("known", []), "known"), path)
        )
    except (ValueError, RecursionError) as error:
        raise FileError(path, " ".join(str(error).split())) from None


def _causes(entries: Sequence[Any], path: Path) -> Iterator[KnownCause]:
    """The causes of ENTRIES in the file at PATH; ValueError where one stands there twice."""
    before: dict[str, str] = {}
    for number, written in enumerate(entries):
        where = f"known[{number}]"
        entry = as_record(written, where, _FIELDS)
        cause = replace(_cause(entry, where, path.parent), file=str(path))
        # Several crash files may well be of one cause, and come to be so with another version.
        if "crash" not in entry and (first := before.setdefault(cause.id, where)) != where:
            raise ValueError(
                f"{first} and {where} are one cause, {cause.id}: leave one of them out"
            )
        yield cause


def _cause(entry: Mapping[str, Any], where: str, folder: Path) -> KnownCause:
    reason = as_text(get(entry, "reason"), f"{where}.reason").strip()
    if not reason:
        fail(f"{where}.reason", "why the cause is known", reason)
    said = [name for name in _NAMES if name in entry]
    if len(said) > 1 and not set(said) <= {"mutants", "dials"}:
        raise ValueError(f"{where}: {' and '.join(said)} are two causes: write two of [[known]]")
    if "id" in entry:
        return _of_id(as_text(entry["id"], f"{where}.id"), where, reason)
    if "fingerprint" in entry:
        text = as_text(entry["fingerprint"], f"{where}.fingerprint")
        return KnownCause(reason=reason, fingerprint=_digits(text, f"{where}.fingerprint"))
    if "crash" in entry:
        file = folder / as_text(entry["crash"], f"{where}.crash")
        with reading(f"{where}.crash"):
            symptom = Symptom.of(finding_in(read(file)))
        answers = symptom.observations if symptom.is_judged else ()
        return KnownCause(reason=reason, fingerprint=fingerprint(symptom).id, observations=answers)
    return KnownCause(_hypothesis(entry, where), reason)


def _of_id(id: str, where: str, reason: str) -> KnownCause:
    """The cause that reports call ID: a fingerprint, or dials and mutants with ``+`` in between."""
    if id.startswith(UNEXPLAINED) or _FINGERPRINT.fullmatch(id):
        return KnownCause(reason=reason, fingerprint=_digits(id, f"{where}.id"))
    parts = [part.strip() for part in id.split(" + ")]
    dials = dict(part.split("=", 1) for part in parts if "=" in part)
    mutants = [part for part in parts if "=" not in part]
    return KnownCause(_hypothesis({"mutants": mutants, "dials": dials}, where), reason)


def _digits(text: str, where: str) -> str:
    """The digits of a fingerprint as reports write it."""
    found = _FINGERPRINT.fullmatch(text)
    if found is None:
        fail(where, "eight hexadecimal digits, as ?-0123abcd", text)
    return found["digits"]


def fingerprint_of(crash: CrashFile) -> str:
    """The fingerprint of the failure in a crash file, as digits."""
    return fingerprint(Symptom.of(finding_in(crash))).id


def _hypothesis(entry: Mapping[str, Any], where: str) -> Hypothesis:
    names = [
        as_text(name, f"{where}.mutants[{number}]")
        for number, name in enumerate(as_list(entry.get("mutants", []), f"{where}.mutants"))
    ]
    for name in names:
        if name not in MUTANTS:
            hint = did_you_mean(name, MUTANTS) or " (docs/faults.md lists them)"
            raise ValueError(f"{where}: unknown mutant {excerpt(name)}{hint}")
    dials = as_object(entry.get("dials", {}), f"{where}.dials")
    words = {True: "yes", False: "no"}
    try:
        hypothesis = Hypothesis.of(
            {dial: words[v] if isinstance(v, bool) else v for dial, v in dials.items()}, names
        )
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    if manners := [dial for dial, _ in hypothesis.dials if dial in MANNERS]:
        raise ValueError(
            f"{where}.dials.{manners[0]}: says how the engine is asked, and explains no answer"
        )
    if not hypothesis:
        expected = "an id, mutants, dials, a fingerprint or a crash file"
        raise ValueError(f"{where}: names no cause: expected {expected}")
    return hypothesis


def write_known(path: Path, causes: Iterable[KnownCause]) -> None:
    """Add to the file at PATH, or to a new one, what it does not hold of CAUSES.

    Whole or not at all. Raises FileError where the file holds something else, OSError where it
    cannot be written.
    """
    text = read_text(path) if path.exists() else ""
    there = {cause.id: cause for cause in (read_known(path) if text else ())}
    new = {cause.id: cause for cause in causes if cause.id not in there}
    tables = "\n".join(map(_table, new.values()))
    written = f"{text.rstrip()}\n\n{tables}".lstrip() if text else tables
    try:
        tomllib.loads(written)
    except ValueError:  # Causes that stand in an array of its own take no further table.
        written = "\n".join(map(_table, (there | new).values()))
    write_whole(path, written)


def _table(cause: KnownCause) -> str:
    """CAUSE as a table of TOML, in which JSON's texts and lists mean the same."""
    lines = ["[[known]]"]
    if cause.fingerprint:
        lines += [_NEVER_GONE, f"fingerprint = {_text(cause.id)}"]
    if cause.hypothesis.mutants:
        lines.append(f"mutants = [{', '.join(map(_text, cause.hypothesis.mutants))}]")
    if cause.hypothesis.dials:
        dials = ", ".join(f"{dial} = {_text(value)}" for dial, value in cause.hypothesis.dials)
        lines.append(f"dials = {{{dials}}}")
    return "\n".join([*lines, f"reason = {_text(cause.reason)}", ""])


def _text(text: str) -> str:
    whole = text.encode("utf-8", "replace").decode()  # Half a character is no TOML.
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
