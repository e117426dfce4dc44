"""A query's text for one run of a case: streams of its own, and windows in the run's time."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rsp_conformance.adapters.stdio import Refused

_WINDOW = re.compile(
    r'"(?:[^"\\]|\\.)*"'  # a string, which may speak of anything
    r"|STREAM <(?P<stream>[^>]*)> \[(?:(?P<timeless>TRIPLES \d+|NOW|ALL)"
    r"|RANGE (?P<width>\d+)(?P<unit>ms|s)(?: SLIDE (?P<slide>\d+)(?P<slide_unit>ms|s))?)\]"
)
_MILLISECONDS = {"ms": 1, "s": 1000}


def widths(query: str, unit: int) -> list[int]:
    """Return the widths of the windows by time of `query` in instants of `unit` milliseconds.

    Raises:
        Refused: a window slides by more than an instant, or is no whole number of instants.
    """
    found = []
    for match in _WINDOW.finditer(query):
        if match["width"] is not None:
            found.append(_instants(match["width"], match["unit"], unit))
            if match["slide"] and _instants(match["slide"], match["slide_unit"], unit) != 1:
                raise Refused("unsupported", "a SLIDE, which tells CQELS 1 when to clean up")
    return found


def on_own_streams(query: str, unit: int, instant: int, streams: Mapping[str, str]) -> str:
    """Rewrite a query for the streams of one run.

    Args:
        query: the text.
        unit: the milliseconds of an instant in the case.
        instant: the milliseconds of an instant in the run.
        streams: the names of the streams in this run, by those in the query.

    Its windows by time are half an instant wider, and slide with every arrival: elements come at
    whole instants, so the same elements are in them for as long as each comes within half an
    instant. The engine's other windows do not go by its clock, so they stay.
    """

    def written(match: re.Match[str]) -> str:
        if match["stream"] is None:
            return match[0]
        size = match["timeless"]
        if size is None:
            width = _instants(match["width"], match["unit"], unit) * instant + instant // 2
            size = f"RANGE {width}ms"
        return f"STREAM <{streams[match['stream']]}> [{size}]"

    return _WINDOW.sub(written, query)


def _instants(number: str, unit: str, instant: int) -> int:
    whole, rest = divmod(int(number) * _MILLISECONDS[unit], instant)
    if rest:
        raise Refused("unsupported", "windows that are no whole number of instants")
    return whole
