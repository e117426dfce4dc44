"""What findings hold."""

from __future__ import annotations

from rsp_conformance.model.finding import AT_START, last_lines


def test_what_a_run_wrote_by_itself_goes_before_what_was_written_at_the_start() -> None:
    start, own, later = (f"{AT_START}a banner",), ("at parser.js:7",), ("at parser.js:8",)
    assert last_lines((), start, own, later) == own
    assert last_lines((), start, ()) == start
    assert last_lines((), ()) == ()
