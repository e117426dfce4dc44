"""Messages of drivers, and the wire under watch, which holds each against the JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from time import process_time
from typing import Any

import jsonschema
import pytest

from rsp_conformance.files.fields import FieldError
from rsp_conformance.protocol import client, forms, in_process, messages

LONGEST = 100_000
"""Messages of more characters are not validated, for jsonschema would take minutes."""

HELLO: dict[str, Any] = {
    "op": "hello",
    "protocol": 1,
    "engine": "e",
    "version": "1",
    "language": "rsp-ql",
    "profile": "rsp-ql",
    "features": ["select"],
}
"""A driver's hello with what it must have alone."""
URI = {"type": "uri", "value": "http://ex.org/a"}
"""A term of an answer."""
CONTEXT = (
    "N-Triples (",
    "at most 1000 characters of http",  # a literal of XML Schema
    "at most 500 variables",
    "an instant of at most",  # of a number that no float holds
)
"""What a schema cannot say begins so in the errors of forms."""


def run_of(query: str, *elements: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A whole request to run a case; FIELDS stand in place of what it has otherwise."""
    return {
        **{"op": "run", "id": "c1", "query": query, "streams": ["http://ex.org/s"]},
        **{"registered": 0, "until": 9, "unit": 1000, "pacing": "burst", "static": []},
        **{"elements": [*elements], **fields},
    }


def opened(request: dict[str, Any]) -> dict[str, Any]:
    """The request that opens a case whose elements come later."""
    return {name: value for name, value in request.items() if name != "elements"} | {"op": "open"}


@cache
def validator(form: str | None = None) -> jsonschema.Draft202012Validator:
    """Validates a message by its FORM, or any message of the protocol."""
    schema = forms.schema()
    if form is not None:
        schema = {"$ref": f"#/$defs/{form}", "$defs": schema["$defs"]}
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def fits(message: object, form: str | None = None) -> bool | None:
    """Whether MESSAGE fits the schema; None where it is too long, or no JSON."""
    try:
        text = json.dumps(message, default=float)
    except (TypeError, ValueError, RecursionError, OverflowError):
        return None
    return validator(form).is_valid(json.loads(text)) if len(text) <= LONGEST else None


def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[object, str]]]:
    """Within it every message sent fits the schema, and of those received just the valid ones do.

    Tests of the client send stumps of cases, which are left out.

    Gives the list of what was received, each with "" or with what was wrong with it.
    """
    received: list[tuple[object, str]] = []
    send, call = client.ProtocolEngine._send, in_process.InProcessEngine._call

    class Watched:
        """The format of replies, with each reading held against the schema."""

        def read(self, kind: Any, value: object, where: str = "") -> Any:
            name = kind.__name__ if kind in forms.REPLIES else None
            try:
                found = forms.REPLY.read(kind, value, where)
            except FieldError as error:
                received.append((value, str(error)))
                if name is not None and not error.expected.startswith(CONTEXT):
                    assert not fits(value, name), f"the schema lets through what is wrong: {error}"
                raise
            received.append((value, ""))
            if name is not None:
                assert fits(value, name) is not False, (
                    f"valid, but not by the schema: {value!r:.500}"
                )
            return found

    def sent(message: Any) -> None:
        if message.get("op") == "hello" or {"streams", "static"} <= message.keys():
            assert fits(message) is not False, f"sent, but not by the schema: {message!r:.500}"

    def _send(self: Any, child: Any, message: Any) -> None:
        sent(message)
        send(self, child, message)

    def _call(self: Any, method: str, message: Any) -> Any:
        sent(message)
        return call(self, method, message)

    monkeypatch.setattr(messages, "REPLY", Watched())
    monkeypatch.setattr(client.ProtocolEngine, "_send", _send)
    monkeypatch.setattr(in_process.InProcessEngine, "_call", _call)
    yield received


def in_seconds() -> Iterator[None]:
    """Within it everything costs a few seconds of processor time at most."""
    start = process_time()
    yield
    assert process_time() - start < 20
