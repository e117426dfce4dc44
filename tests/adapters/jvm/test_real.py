"""Whatever a real engine on the JVM does to its driver's process, the kit goes on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rsp_conformance.adapters.cqels.register import CQELS
from rsp_conformance.adapters.cqels1.register import CQELS1
from rsp_conformance.adapters.csparql.register import CSPARQL
from rsp_conformance.adapters.jvm.driver import TRIAL
from rsp_conformance.adapters.jvm.engine import JvmEngine
from rsp_conformance.adapters.yasper.register import YASPER
from rsp_conformance.protocol import ProtocolEngine, Reply
from tests.adapters.jvm.real import needs

MISBEHAVING = '''
"""The driver, with an engine that does what the query says."""
from rsp_conformance.adapters.{name}.driver import {driver} as Driver
from rsp_conformance.adapters.{name}.register import {name_in_capitals} as ENGINE
from rsp_conformance.adapters.jvm.driver import main

class Misbehaving(Driver):
    def run(self, request):
        if request["query"] == "exit":
            self._java.cls("java.lang.System").exit(3)
        if request["query"] == "hang":
            self._java.cls("java.lang.Thread").sleep(1_000_000)
        if request["query"] == "print":
            self._java.cls("java.lang.System").out.println("{{")
            return []
        if request["query"] == "flood":
            row = {{"x": {{"type": "literal", "value": "x"}}}}
            return [{{"t": None, "cause": 0, "solutions": [row]}}] * 300_000
        return super().run(request)

main(ENGINE, Misbehaving)
'''


@pytest.mark.engine
@pytest.mark.parametrize(
    ("engine", "driver"),
    [
        pytest.param(CQELS, "CqelsDriver", marks=needs(CQELS), id="cqels"),
        pytest.param(CQELS1, "Cqels1Driver", marks=needs(CQELS1), id="cqels1"),
        pytest.param(CSPARQL, "CSparqlDriver", marks=needs(CSPARQL), id="csparql"),
        pytest.param(YASPER, "Yasper", marks=needs(YASPER), id="yasper"),
    ],
)
def test_an_exit_a_hang_a_flood_and_a_print_end_no_more_than_their_case(
    engine: JvmEngine, driver: str, tmp_path: Path
) -> None:
    script = tmp_path / "driver.py"
    capitals = engine.name.upper()
    script.write_text(
        MISBEHAVING.format(name=engine.name, driver=driver, name_in_capitals=capitals)
    )
    folders = [word for folder in engine.remembered() for word in ("--jars", folder)]
    seen = {}
    with ProtocolEngine([sys.executable, str(script), *folders], time_limit=4.0) as connected:
        for deed in ("exit", "hang", "flood", "print"):
            seen[deed] = getattr(connected.run({**TRIAL, "query": deed}), "kind", "")
            again = connected.run({**TRIAL, "query": engine.trials[0]})
            assert isinstance(again, Reply) and again.answers
    assert seen == {"exit": "died", "hang": "timeout", "flood": "too many rows", "print": ""}
