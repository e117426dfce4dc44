"""A long case on its way into an engine, and what comes out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from rsp_conformance.files.case_json import element_to_json
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Observed, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.protocol import Feed
from rsp_conformance.protocol.requests import appended, run_request


class Feeding:
    """One case, whose elements come in pieces, before an engine with a fresh state.

    ``case`` has no elements. ``elements`` have been taken by the engine, the last of them at
    instant ``reached`` (the registration before the first), and ``answers`` have come, of which
    ``telling`` had rows. Push and close raise FeedLost where the engine fails; leaving the context
    gives the case up.
    """

    def __init__(
        self, subject: EngineUnderTest, case: Case, dials: Dials, *, id: str = "burnin"
    ) -> None:
        self._triple_terms = subject.triple_terms
        opening = run_request(
            case,
            dials,
            id=id,
            query_text=subject.query_text(case),
            advances="clock",
            triple_terms=self._triple_terms,
        )
        del opening["elements"]
        self.case = case
        self.elements = 0
        self.reached = case.registered
        self.answers = 0
        self.telling = 0
        self._advances = subject.hello.advances
        self._feed: Feed = subject.engine.feed({**opening, "op": "open"})

    @property
    def incremental(self) -> bool:
        """Whether answers come with every push; else all of them come when it is closed."""
        return self._feed.incremental

    def push(self, elements: Iterable[StreamElement]) -> tuple[Observed, ...]:
        """Hand over ELEMENTS; the answers that came since the last call."""
        elements = tuple(elements)
        spelling = self._triple_terms
        answers = self._feed.push([element_to_json(e, triple_terms=spelling) for e in elements])
        self.elements += len(elements)
        self.reached = elements[-1].t if elements else self.reached
        return self.take(answers)

    def close(self) -> tuple[Observed, ...]:
        """End the stream, as the kit ends every stream for this engine; the last answers."""
        found: tuple[Observed, ...] = ()
        if self._advances == "elements":
            # They are no elements of the case, but they count where answers name their cause.
            last = [element_to_json(e) for e in appended(self.case, self.reached)]
            found = self.take(self._feed.push(last))
        return found + self.take(self._feed.close())

    def take(self, answers: tuple[Observed, ...]) -> tuple[Observed, ...]:
        """Count ANSWERS and give them back."""
        self.answers += len(answers)
        self.telling += sum(not is_empty(answer.content) for answer in answers)
        return answers

    def __enter__(self) -> Self:
        self._feed.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._feed.__exit__(*error)
