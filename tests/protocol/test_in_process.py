"""Engines in Python, called in this process."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rsp_conformance.files.profiles import ProfileJson
from rsp_conformance.model.answers import Truth
from rsp_conformance.protocol import EngineBroken, EngineUnavailable, InProcessEngine, Reply
from tests.builders.drivers import failed, request
from tests.builders.wire import HELLO


class Adapter:
    """A Python engine that does as the id says."""

    made = 0

    def __init__(self, **hello: Any) -> None:
        type(self).made += 1
        self.own = hello

    def hello(self, request: dict[str, Any]) -> dict[str, Any]:
        assert request == {"op": "hello", "protocol": 1}
        return {**HELLO, "profile": {"base": "rsp-ql"}, **self.own}

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        case = request["id"]
        if case == "raise":
            raise ZeroDivisionError("by nothing")
        if case == "nonsense":
            return {"op": "run", "id": "other", "answers": []}
        if case == "refuse":
            error = {"kind": "unsupported", "message": "no"}
            return {"op": "run", "id": case, "error": error}
        answer = {"t": 2.5, "cause": "end", "boolean": True}
        return {"op": "run", "id": case, "answers": [answer]}


def test_in_process() -> None:
    with InProcessEngine(Adapter()) as engine:
        assert engine.hello().profile == ProfileJson(base="rsp-ql")
        ids = ["a", "raise", "nonsense", "refuse"]
        responses = dict(engine.run_many(map(request, ids)))
    reply = responses["a"]
    assert isinstance(reply, Reply)
    assert reply.answers[0].content == Truth(True)
    assert reply.answers[0].t == Fraction(5, 2)
    crash = failed(responses["raise"], "crashed")
    assert crash.message == "ZeroDivisionError: by nothing"
    assert "by nothing" in crash.stderr[-1]
    failed(responses["nonsense"], "protocol-error")
    failed(responses["refuse"], "unsupported")


def test_in_process_restart_makes_a_new_object() -> None:
    Adapter.made = 0
    engine = InProcessEngine(Adapter)
    engine.run(request("a"))
    engine.run(request("b"))
    assert Adapter.made == 1
    engine.restart()
    engine.run(request("c"))
    assert Adapter.made == 2


def test_in_process_hello_that_fails() -> None:
    with pytest.raises(EngineBroken, match="telepathy"):
        InProcessEngine(Adapter(features=["telepathy"])).hello()
    with pytest.raises(EngineUnavailable, match="pip install"):
        error = {"kind": "unavailable", "message": "pip install it"}
        InProcessEngine(Adapter(error=error)).hello()
