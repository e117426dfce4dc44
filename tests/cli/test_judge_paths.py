"""`judge` on queries with property paths."""

from __future__ import annotations

import json
from pathlib import Path

from tests.builders.command_line import cli

QUERY = """PREFIX : <http://ex.org/>
SELECT ?y FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2]
WHERE { WINDOW :w { :a :p+ ?y } }
"""
STREAM = '{"t": 1, "graph": "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."}\n'


def test_where_pyoxigraph_answers_so_too_the_section_is_named(tmp_path: Path) -> None:
    texts = {
        "q.rq": QUERY.replace("SELECT ?y", "SELECT (COUNT(?y + 1) AS ?n)"),
        "s.jsonl": STREAM,
        "a.json": json.dumps([{"t": 2, "solutions": [{}]}]),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    given = ("--query", tmp_path / "q.rq", "--stream", f":s={tmp_path}/s.jsonl", "--until", "2")
    ran = cli("judge", *given, "--dial", "t0=0", "--answers", tmp_path / "a.json")
    assert ran.status == 1
    assert "SPARQL 1.1, 18.5.1.2, decides: COUNT passes errors over" in " ".join(ran.out.split())
