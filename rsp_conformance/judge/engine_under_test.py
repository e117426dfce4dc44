"""An engine under test: cases in, observations out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from rsp_conformance.files.profiles import named_profile
from rsp_conformance.judge.flood import FLOOD, too_many_rows
from rsp_conformance.judge.spans import check_spans
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import with_implied
from rsp_conformance.model.finding import EngineFailure
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Query
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.windows import Count
from rsp_conformance.protocol.engine import Engine
from rsp_conformance.protocol.forms import Hello
from rsp_conformance.protocol.messages import Reply, Response
from rsp_conformance.protocol.requests import run_request
from rsp_conformance.sparql.canonical import as_kept
from rsp_conformance.text.errors import NotExpressible
from rsp_conformance.text.languages import LANGUAGES, printer_of, triple_terms


@dataclass(slots=True)
class EngineUnderTest:
    """An engine with the engine profile that it is checked against.

    Attributes:
        engine: the engine.
        profile: the engine profile, with the dials turned.
        hello: the engine's hello.
    """

    engine: Engine
    profile: Profile
    hello: Hello
    _counter: int = field(default=0, init=False)

    @classmethod
    def meet(
        cls, engine: Engine, profile: Profile | None = None, dials: Mapping[str, Any] | None = None
    ) -> EngineUnderTest:
        """Ask an engine for its hello, and close it again if it cannot be tested.

        Args:
            engine: the engine.
            profile: the engine profile; None takes the one that the driver names.
            dials: the dials to turn on top of the profile.

        Raises:
            EngineError: the engine does not start or does not answer.
            ValueError: a profile or a dial is unknown, or does not fit the engine's language.
        """
        try:
            hello = engine.hello()
            chosen = profile
            if chosen is None:
                chosen = named_profile(hello.profile, f"{hello.engine}'s own")
            # What the hello says of answers and time is no reading of RSP-QL; the judge needs it.
            manners = {"answers": hello.answers, "advances": hello.advances}
            subject = cls(engine, chosen.turn(dials or {}).with_dials(manners), hello)
            subject._check()
        except BaseException:
            engine.close()
            raise
        return subject

    def _check(self) -> None:
        """Raise ValueError if no query can be printed or no answer judged."""
        hello, base = self.hello, self.profile.base
        printer_of(hello.language, hello.dialect)
        language = LANGUAGES[hello.language]
        language.check_features(hello.features)
        if language.in_whole_seconds(hello.dialect) and base.unit % 1000:
            raise ValueError(
                f"queries have durations in seconds and the profile's unit is {base.unit} "
                "ms: set the dial unit to a multiple of 1000"
            )
        if language.windows_in not in (None, base.windows_in):
            raise ValueError(
                f"in {language.name} windows are {language.windows_in}: set the dial windows_in "
                "to it"
            )
        if hello.answers == "rows" and base.answer_time == "none":
            raise ValueError(
                "an engine that hands out single rows (answers: rows) is judged by their instants: "
                "answer_time none is not supported with it"
            )

    @property
    def features(self) -> frozenset[str]:
        """The features that a case may use: those that the engine declares, and what they imply."""
        return with_implied(self.hello.features)

    @property
    def triple_terms(self) -> bool:
        """Whether quoted triples are sent as RDF 1.2 writes them."""
        return triple_terms(self.hello.features, self.hello.dialect)

    def asked(self, stimulus: Stimulus) -> EngineUnderTest:
        """The engine that a stimulus is for: this one; a pair of engines chooses."""
        return self

    def close(self) -> None:
        """End the engine."""
        self.engine.close()

    def dials(self, case: Case) -> Dials:
        """The dials that hold for the case's query."""
        return self.profile.dials(case.query)

    def dials_of(self, stimulus: Stimulus) -> Dials:
        """The dials that hold for a stimulus, with the unit of time that it asks for."""
        dials = self.dials(stimulus.case)
        return dials if stimulus.unit is None else replace(dials, unit=stimulus.unit)

    def query_text(self, case: Case, unit: int | None = None) -> str:
        """The query of a case in the engine's language.

        Args:
            case: the case.
            unit: milliseconds per instant; None takes the dial ``unit``.

        Raises:
            NotExpressible: the language has no such query.
        """
        dials = self.dials(case)
        unit = dials.unit if unit is None else unit
        dialect = {**self.hello.dialect, "triple_terms": self.triple_terms}
        if not case.background.entries:
            dialect.pop("static_graph", None)
        query = case.query
        if dials.count_slide == "width" and "count-steps" not in self.features:
            # Without STEP the engine reads the same, and its language may have no STEP here.
            query = _without_steps_of_width(query)
        return printer_of(self.hello.language, dialect)(query, unit, case.layout)

    def request(self, stimulus: Stimulus, *, id: str = "case") -> dict[str, Any]:
        """The protocol's ``run`` request for a stimulus, as it can be piped into a driver."""
        return run_request(
            stimulus.case,
            self.dials_of(stimulus),
            id=id,
            query_text=self.query_text(stimulus.case, stimulus.unit),
            pacing=stimulus.pacing,
            advances=self.hello.advances,
            triple_terms=self.triple_terms,
            algebra=self.hello.algebra,
        )

    def ask(self, stimulus: Stimulus) -> Observation:
        """Run one stimulus."""
        (observation,) = self.ask_many([stimulus])
        return observation

    def ask_many(
        self, stimuli: Iterable[Stimulus], *, patience: float = 1.0
    ) -> Iterator[Observation]:
        """Run the stimuli, as many at once as the engine allows, in the order of completion.

        Args:
            stimuli: the stimuli.
            patience: how many times the engine's time limit each may take.

        Raises:
            BadInput: a stimulus reaches further than can be judged (`check_spans`).
        """
        sent: dict[str, tuple[Stimulus, dict[str, Any]]] = {}
        refused: list[Observation] = []

        def requests() -> Iterator[dict[str, Any]]:
            for stimulus in stimuli:
                check_spans(stimulus.case, self.dials_of(stimulus))
                self._counter += 1
                id = f"c{self._counter}"
                try:
                    sent[id] = (stimulus, self.request(stimulus, id=id))
                except NotExpressible as why:
                    dials = self.dials_of(stimulus)
                    refused.append(Observation(stimulus, dials, "", unsupported=str(why)))
                    continue
                yield sent[id][1]

        for id, response in self.engine.run_many(requests(), patience=patience):
            stimulus, message = sent.pop(id)
            yield self._observation(stimulus, message["query"], response)
            while refused:
                yield refused.pop(0)
        yield from refused

    def _observation(self, stimulus: Stimulus, text: str, response: Response) -> Observation:
        dials = self.dials_of(stimulus)
        answers = as_kept(response.answers, stimulus.case, dials)
        if isinstance(response, Reply):
            flood = ""
            with suppress(LimitExceeded):  # Judging comes to that limit too, and says so.
                flood = too_many_rows(stimulus.case, dials, answers)
            if flood:
                failure = EngineFailure(FLOOD, flood)
                return Observation(stimulus, dials, text, (), failure, stderr=response.stderr)
            return Observation(stimulus, dials, text, answers, stderr=response.stderr)
        if response.kind == "unsupported":
            return Observation(stimulus, dials, text, unsupported=response.message)
        failure = EngineFailure(response.kind, response.message, response.element, response.stderr)
        return Observation(stimulus, dials, text, answers, failure, stderr=response.stderr)


def _without_steps_of_width(query: Query) -> Query:
    """Leave out the slide of each window by count that tumbles: `TRIPLES 3` for `TRIPLES 3 STEP 3`.

    Both are one window under ``count_slide = width``.
    """
    windows = tuple(
        replace(own, slide=None)
        if isinstance(own.width, Count) and own.slide == own.width.number
        else own
        for own in query.windows
    )
    return query if windows == query.windows else replace(query, windows=windows)
