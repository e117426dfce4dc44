"""A pair of engines as one engine under test: each stimulus says which of the two is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Self

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.lars.queries import cs
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.features import FEATURES, RESTRICTIONS
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.usage import case_features
from rsp_conformance.text.languages import LANGUAGES

AT_ONCE = 64
"""How many stimuli are taken at a time, and divided between the two engines. The larger
it is, the more requests a driver may have outstanding, and the longer the second engine waits."""
OPERATORS = frozenset(operator.value.lower() for operator in StreamOperator)
"""The features for which a case is rewritten if one of the two engines lacks them."""


@dataclass(slots=True)
class EnginePair(EngineUnderTest):
    """The engine under test and another engine, with which it is compared.

    The pair's hello message has the features that both declare; everything else in it is the first
    engine's. Cases are drawn for the ``drawer``, and rewritten for the other engine if its windows
    or its streaming operators differ.

    Attributes:
        first: the engine under test.
        other: the engine that it is compared with.
    """

    first: EngineUnderTest
    other: EngineUnderTest

    @classmethod
    def of(cls, first: EngineUnderTest, other: EngineUnderTest) -> Self:
        """Make a pair, and set both profiles to the longer of the two engines' instants.

        Raises:
            BadInput: the engines share no feature, or one of them counts in seconds and an instant
                is no multiple of a second.
        """
        unit = max(first.profile.base.unit, other.profile.base.unit)
        for one in (first, other):
            language = LANGUAGES[one.hello.language]
            if language.in_whole_seconds(one.hello.dialect) and unit % 1000:
                raise BadInput(
                    f"{one.hello.engine} counts in seconds and the other in {unit} ms: "
                    "set the dial unit to a multiple of 1000"
                )
            one.profile = one.profile.with_dials({"unit": unit})
        shared = first.hello.features & other.hello.features & FEATURES.keys()
        if not shared:
            raise BadInput(f"{first.hello.engine} and {other.hello.engine} share no feature")
        either = first.hello.features | other.hello.features
        drawer = cls._drawer(first, other)
        features = shared | (either & RESTRICTIONS.keys()) | (drawer.hello.features & OPERATORS)
        names = f"{first.hello.engine} against {other.hello.engine}"
        versions = f"{first.hello.version} and {other.hello.version}"
        hello = replace(first.hello, engine=names, version=versions, features=features)
        return cls(first.engine, first.profile, hello, first, other)

    @staticmethod
    def _drawer(first: EngineUnderTest, other: EngineUnderTest) -> EngineUnderTest:
        """The engine whose windows keep their names: merged windows cannot be told apart again."""
        return other if first.profile.base.windows_in == "default" else first

    @property
    def drawer(self) -> EngineUnderTest:
        """The engine for which cases are drawn."""
        return self._drawer(self.first, self.other)

    def asked(self, stimulus: Stimulus) -> EngineUnderTest:
        """Return the engine that ``stimulus`` is for."""
        return self.other if stimulus.second else self.first

    def dials_of(self, stimulus: Stimulus) -> Dials:
        """Return the dials of the engine that ``stimulus`` is for."""
        return self.asked(stimulus).dials_of(stimulus)

    def request(self, stimulus: Stimulus, *, id: str = "case") -> dict[str, Any]:
        """Return the protocol's ``run`` request to the engine that ``stimulus`` is for."""
        return self.asked(stimulus).request(stimulus, id=id)

    def ask_many(
        self, stimuli: Iterable[Stimulus], *, patience: float = 1.0
    ) -> Iterator[Observation]:
        """Run each stimulus on the engine that it is for; ``patience`` is that of an engine."""
        coming = iter(stimuli)
        while taken := list(islice(coming, AT_ONCE)):
            for second in (False, True):
                mine = [stimulus for stimulus in taken if stimulus.second is second]
                if mine:
                    yield from self.asked(mine[0]).ask_many(mine, patience=patience)

    def close(self) -> None:
        """End both engines."""
        try:
            self.first.close()
        finally:
            self.other.close()

    def as_asked(self, case: Case, engine: EngineUnderTest) -> Case | None:
        """Return a case as one of the two engines can be asked it, or None if it cannot."""
        merged = engine.profile.base.windows_in == "default"
        query = _with_operator(cs(case.query) if merged else case.query, engine)
        written = replace(case, query=query)
        return written if case_features(written) <= engine.features else None


def _with_operator(query: Query, engine: EngineUnderTest) -> Query:
    """The query with an operator that the engine has: its own, the implied one, or none."""
    implied = LANGUAGES[engine.hello.language].implied
    own = query.operator
    if own is not None and own.value.lower() in engine.features:
        return query
    if own is None and implied is None:
        return query
    return replace(query, operator=implied, name=query.name if implied else None)
