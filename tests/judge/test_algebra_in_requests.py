"""Requests have the query's algebra where the driver's hello asks for it, and else not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rsp_conformance.files.algebra import ALGEBRA
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.case import Case
from rsp_conformance.model.query import Query
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import InProcessEngine
from tests.builders.engines import Flawed, right
from tests.builders.sparql import query
from tests.builders.wire import fits

QUERY = query(
    "SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 1] { WINDOW :w { ?s ?p 5 } }"
)


class Asking(Flawed):
    """The reference engine, which asks for the algebra or does not."""

    def __init__(self, asks: Mapping[str, bool]) -> None:
        super().__init__(right)
        self.asks, self.seen = asks, list[dict[str, Any]]()

    def hello(self, request: dict[str, Any]) -> Mapping[str, Any]:
        return {**super().hello(request), **self.asks}

    def run(self, request: dict[str, Any]) -> Mapping[str, Any]:
        self.seen.append(request)
        return super().run(request)


@pytest.mark.parametrize("asks", [{"algebra": True}, {"algebra": False}, {}])
def test_where_the_hello_asks(asks: dict[str, bool]) -> None:
    engine = Asking(asks)
    subject = EngineUnderTest.meet(InProcessEngine(engine))
    subject.ask(Stimulus(Case(QUERY, (), until=3)))
    (request,) = engine.seen
    assert fits(request, "RunRequest")
    assert ("algebra" in request) is asks.get("algebra", False)
    if "algebra" in request:
        assert ALGEBRA.read(Query, request["algebra"]) == QUERY
        assert not fits({**request, "algebra": {"type": "BGP"}}, "RunRequest")
