"""The protocol's cases in pieces are those of the reference engine."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.protocol import FeedLost, InProcessEngine
from tests.docs.markdown import DOCS, section

PAGE = section((DOCS / "protocol.md").read_text("utf-8"), "Cases in pieces")


def messages(mark: str) -> list[dict[str, Any]]:
    """The messages of the page in one direction."""
    return [json.loads(line[2:]) for line in PAGE.splitlines() if line.startswith(mark)]


def comparable(reply: dict[str, Any]) -> dict[str, Any]:
    """A reply with the rows of its answers in one order."""
    for answer in reply.get("answers", ()):
        answer["solutions"].sort(key=str)
    return reply


def test_the_conversation_is_one_with_the_reference_engine() -> None:
    engine = ReferenceEngine({"t0": "first"})
    requests, replies = messages("→"), messages("←")
    assert [request["op"] for request in requests] == ["open", "push", "push", "close"]
    for request, reply in zip(requests, replies, strict=True):
        assert comparable(getattr(engine, request["op"])(request)) == comparable(reply)
    late = engine.push(requests[1])
    assert late["error"] == {"kind": "rejected", "message": "no such case is open"}


def test_an_element_that_is_refused_ends_the_case() -> None:
    opening, *pushes, _ = messages("→")
    broken = {**pushes[0]["elements"][0], "graph": "<a b"}
    engine = ReferenceEngine()
    with InProcessEngine(engine).feed(opening) as feed:
        feed.push(pushes[0]["elements"])
        with pytest.raises(FeedLost) as lost:
            feed.push([broken])
    assert (lost.value.failure.kind, lost.value.failure.element) == ("rejected", 2)
    assert "error" in engine.push(pushes[1])
