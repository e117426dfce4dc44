"""A finding of every kind, made by hand; ``golden/`` has the text of each.

``python -m tests.explain.findings`` writes the texts anew. Read them before they are committed.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from inspect import isfunction
from pathlib import Path

from rsp_conformance.diagnosis import one_dial
from rsp_conformance.explain.render.terminal import failure_report
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.finding import EngineFailure, Finding
from rsp_conformance.spec.trace import answer
from tests.builders.findings import (
    background,
    boolean,
    case_of,
    failed,
    given,
    graph,
    stream,
    wrong,
)
from tests.builders.terms import word

GOLDEN = Path(__file__).parent / "golden"
by_dial = cache(one_dial.by_dial)
"""Asked once for all texts of a finding: it takes most of their time."""
REPLAY = "rsp-conformance replay .rsp/crashes/window-bounds-3f2a.json"
NEARBY = stream(
    "nearby",
    ("diana near a", 2),
    ("eve near b", 2),
    ("carl near a", 5),
    ("eve near a", 7),
    ("diana near b", 12),
)
COUPON = stream("coupon", ('alice offers "10% off"', 8), ('bob offers "free coffee"', 15))
SHOPS = background(("alice owns a", 2, 13), ("bob owns b", 2, None))
WHO = """SELECT ?who FROM NAMED WINDOW :w ON STREAM :nearby [RANGE 3 STEP 2]
WHERE { WINDOW :w { ?who :near :a } }"""
JOIN = """SELECT ?who ?owner
FROM NAMED WINDOW :w1 ON STREAM :nearby [RANGE 5 STEP 2]
FROM NAMED WINDOW :w2 ON STREAM :coupon [RANGE 2 STEP 2]
WHERE { WINDOW :w1 { ?who :near ?shop } WINDOW :w2 { ?owner :offers ?it } ?owner :owns ?shop }"""


def opening_end() -> Finding:
    """The window holds its opening instant, too."""
    case = case_of(WHO, stream("nearby", ("carl near a", 7)), until=10)
    return wrong(
        case, Dials(), *(given(t) for t in (4, 6)), given(8, "who=carl"), given(10, "who=carl")
    )


def closing_end() -> Finding:
    """The window lacks its closing instant."""
    case = case_of(WHO, NEARBY, until=14)
    late = answer(case, Dials(bounds="[o,c)"), (1,))
    return wrong(case, Dials(), *(given(e.t, content=e.content) for e in late))


def slide_late() -> Finding:
    """Every answer is stamped one slide late."""
    case = case_of(WHO, stream("nearby", ("carl near a", 5)), until=12)
    right = answer(case, Dials(), (1,))
    return wrong(
        case, Dials(), *(given(e.t + 2, content=e.content) for e in right), name="instants"
    )


def wrong_stamp() -> Finding:
    """The only answer carries the opening instant."""
    case = case_of(WHO, stream("nearby", ("carl near a", 2)), until=4)
    dials = Dials(t0=0).with_dial("report", "WC & NC")
    return wrong(case, dials, given(0, "who=carl"), name="instants")


def fraction() -> Finding:
    case = case_of(WHO, stream("nearby", ("carl near a", 2)), until=4)
    dials = Dials(t0=0).with_dial("report", "WC & NC")
    return wrong(case, dials, given(Fraction(7, 2), "who=carl"), name="instants")


def silent() -> Finding:
    case = case_of(WHO, stream("nearby", ("carl near a", 7)), until=14)
    return wrong(case, Dials(), name="silence")


def missing() -> Finding:
    """Only the newest closed window is reported after a silence."""
    case = case_of(WHO, stream("nearby", ("carl near a", 2), ("diana near b", 9)), until=10)
    dials = Dials().with_dial("report", "WC & NC")
    return wrong(case, dials, given(10), name="report-wc")


def extra_empty() -> Finding:
    """A window is reported although it holds nothing."""
    case = case_of(WHO, stream("nearby", ("carl near a", 7)), until=10)
    dials = Dials(t0=0).with_dial("report", "WC & NC")
    return wrong(case, dials, given(5), given(7, "who=carl"), given(9, "who=carl"), name="report")


def stale_join() -> Finding:
    """A coupon is joined after it has left its window."""
    case = case_of(JOIN, NEARBY, COUPON, until=16, data=SHOPS)
    dials = Dials().with_dial("report", "WC[:w2] & NC[:w2]")
    return wrong(
        case,
        dials,
        given(8, "who=carl owner=alice", "who=eve owner=alice"),
        given(16, "who=diana owner=bob", "who=eve owner=bob"),
        name="joins",
    )


def stale_background() -> Finding:
    """The time-varying data is read at the wrong instant."""
    case = case_of(JOIN, NEARBY, COUPON, until=16, data=background(("alice owns a", 2, 7)))
    dials = Dials().with_dial("report", "WC[:w2] & NC[:w2]")
    return wrong(
        case,
        dials,
        given(8, "who=carl owner=alice", "who=eve owner=alice"),
        given(16),
        name="time-varying-data",
    )


def null_for_zero() -> Finding:
    query = (
        "SELECT (AVG(?x) AS ?avg) FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
        "WHERE { WINDOW :w { ?y :p ?x } }"
    )
    case = case_of(query, stream("s", ("a p 4", 1)), until=4)
    return wrong(
        case, Dials(t0=0, numbers="value"), given(2, "avg=4"), given(4, "avg=-"), name="aggregates"
    )


def wrong_count() -> Finding:
    query = (
        "SELECT ?shop (COUNT(*) AS ?n) FROM NAMED WINDOW :w ON STREAM :nearby [RANGE 5 STEP 5] "
        "WHERE { WINDOW :w { ?who :near ?shop } } GROUP BY ?shop"
    )
    case = case_of(query, NEARBY, until=10)
    return wrong(
        case,
        Dials(t0=0),
        given(5, "shop=a n=2", "shop=b n=1"),
        given(10, "shop=a n=2"),
        name="aggregates",
    )


def istream_ignored() -> Finding:
    query = f"REGISTER ISTREAM :out AS {WHO.replace('RANGE 3', 'RANGE 4')}"
    case = case_of(query, stream("nearby", ("carl near a", 3)), until=6)
    return wrong(case, Dials(t0=0), given(4, "who=carl"), given(6, "who=carl"), name="istream")


def dstream_missing() -> Finding:
    query = f"REGISTER DSTREAM :out AS {WHO.replace('RANGE 3', 'RANGE 2')}"
    case = case_of(query, stream("nearby", ("carl near a", 1)), until=6)
    return wrong(case, Dials(t0=0), given(2), given(4), given(6), name="dstream")


def order() -> Finding:
    query = (
        "SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] "
        "WHERE { WINDOW :w { ?y :p ?x } } ORDER BY ?x"
    )
    case = case_of(query, stream("s", ("a p 1", 1), ("a p 3", 2), ("a p 2", 3)), until=4)
    return wrong(case, Dials(t0=0), given(4, "x=1", "x=3", "x=2"), name="order")


def duplicates() -> Finding:
    query = (
        "SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] "
        "WHERE { WINDOW :w { ?y :p ?x } }"
    )
    case = case_of(query, stream("s", ("a p 1", 1), ("b p 1", 2)), until=4)
    return wrong(case, Dials(t0=0), given(4, "x=1"), name="duplicates")


def optional_as_join() -> Finding:
    query = (
        "SELECT ?who ?shop FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] "
        "WHERE { WINDOW :w { ?who :is :here OPTIONAL { ?who :near ?shop } } }"
    )
    case = case_of(query, stream("s", ("carl is here", 1)), until=4)
    return wrong(case, Dials(t0=0), given(4), name="optional")


def ask() -> Finding:
    query = (
        "ASK FROM NAMED WINDOW :w ON STREAM :nearby [RANGE 3 STEP 3] "
        "WHERE { WINDOW :w { :carl :near :a } }"
    )
    case = case_of(query, stream("nearby", ("carl near a", 3)), until=6)
    return wrong(case, Dials(t0=0), boolean(3, True), boolean(6, True), name="ask")


def construct() -> Finding:
    query = (
        "CONSTRUCT { ?who :met ?other } FROM NAMED WINDOW :w ON STREAM :nearby [RANGE 3 STEP 3] "
        "WHERE { WINDOW :w { ?who :near ?shop . ?other :near ?shop } }"
    )
    case = case_of(query, stream("nearby", ("carl near a", 3), ("eve near a", 4)), until=6)
    found = graph(6, "eve met eve", "eve met carl", "carl met eve", "carl met carl")
    return wrong(case, Dials(t0=0), graph(3, "carl met carl"), found, name="construct")


def arrival() -> Finding:
    """An engine whose answers carry the arrivals that set them off."""
    case = case_of(WHO, stream("nearby", ("carl near a", 2), ("eve near a", 6)), until=8)
    dials = Dials(t0=0, answer_time="arrival").with_dial("report", "WC & NC")
    return wrong(
        case,
        dials,
        given(None, "who=carl", cause=1),
        given(None, "who=carl", "who=eve", cause="end"),
        name="joins",
    )


def by_sequence() -> Finding:
    case = case_of(WHO, stream("nearby", ("carl near a", 2), ("eve near a", 6)), until=8)
    dials = Dials(t0=0, answer_time="none").with_dial("report", "WC & NC")
    return wrong(case, dials, given(None, "who=carl"), given(None, "who=carl"), name="joins")


def tuple_tick() -> Finding:
    """Two evaluations of one instant, the second missing."""
    case = case_of(WHO, stream("nearby", ("carl near a", 2), ("eve near a", 2)), until=3)
    dials = Dials(t0=0, tick="tuple").with_dial("report", "CC")
    return wrong(case, dials, given(2, "who=carl", "who=eve"), name="contemporaneous")


def gap() -> Finding:
    """Windows with gaps between them, treated as if there were none."""
    query = WHO.replace("RANGE 3 STEP 2", "RANGE 2 STEP 5")
    case = case_of(query, stream("nearby", ("carl near a", 4)), until=10)
    dials = Dials(t0=0)
    return wrong(case, dials, given(2), given(4, "who=carl"), given(7), name="gaps")


def long_silence() -> Finding:
    case = case_of(WHO, stream("nearby", ("carl near a", 2), ("eve near a", 50_001)), until=50_010)
    dials = Dials(t0=0).with_dial("report", "WC & NC")
    return wrong(
        case,
        dials,
        given(3, "who=carl"),
        given(50_001, "who=eve"),
        given(50_003, "who=eve"),
        given(50_005, "who=eve"),
        name="silence",
    )


def crashed() -> Finding:
    case = case_of(WHO, stream("nearby", ("carl near a", 2)), until=6)
    stderr = tuple(f"    at Window.evict (window.js:{n}:7)" for n in range(12))
    failure = EngineFailure("crashed", "TypeError: Cannot read properties of undefined")
    return replace(failed(case, failure, given(3, "who=carl")), stderr=stderr)


def timeout() -> Finding:
    case = case_of(WHO, stream("nearby", ("carl near a", 2)), until=6)
    return failed(case, EngineFailure("timeout", "no reply after 30 s"))


def rejected() -> Finding:
    case = case_of(WHO, stream("nearby", ("carl near a", 2)), until=6)
    return failed(case, EngineFailure("rejected", "unexpected token NAMED", element=0))


def unstable() -> Finding:
    case = case_of(WHO, stream("nearby", ("carl near a", 2), ("eve near a", 3)), until=4)
    return failed(
        case,
        EngineFailure("unstable", ""),
        given(4, "who=carl", "who=eve"),
        again=(given(4, "who=carl"),),
        name="determinism",
    )


def big() -> Finding:
    """Thirty elements, three windows, long rows: the text must still fit."""
    elements = [
        e
        for n in range(30)
        for e in stream(
            ("nearby", "coupon", "visits")[n % 3], (f"person{n:02d} near shop{n % 4}", n)
        )
    ]
    query = """SELECT ?who ?other ?third ?shop
FROM NAMED WINDOW :w1 ON STREAM :nearby [RANGE 9 STEP 3]
FROM NAMED WINDOW :w2 ON STREAM :coupon [RANGE 12 STEP 4]
FROM NAMED WINDOW :w3 ON STREAM :visits [RANGE 15 STEP 2]
WHERE { WINDOW :w1 { ?who :near ?shop } WINDOW :w2 { ?other :near ?shop }
WINDOW :w3 { ?third :near ?shop } }"""
    facts = background(*((f"person{n:02d} likes shop{n}", None, None) for n in range(20)))
    case = case_of(query, elements, until=40, data=facts)
    dials = Dials(report_windows="any")
    right = answer(case, dials.with_dial("bounds", "[o,c)"), (1, 2, 0))
    return wrong(case, dials, *(given(e.t, content=e.content) for e in right))


def unknown_term() -> Finding:
    """A row with a term that occurs nowhere."""
    case = case_of(WHO, stream("nearby", ("carl near a", 2)), until=3)
    row = Rows(("who",), ((word("zoe"),), (word("carl"),)))
    return wrong(case, Dials(t0=0), given(3, content=row), name="joins")


FINDINGS = {
    name.replace("_", "-"): cache(made)
    for name, made in list(globals().items())
    if isfunction(made) and made.__module__ == __name__
    if made.__annotations__.get("return") == "Finding"
}
"""Each function above that makes one."""


def text_of(name: str) -> str:
    """The report of one finding, as its golden file has it."""
    return failure_report(FINDINGS[name](), more=REPLAY, by_dial=by_dial) + "\n"


def main() -> None:
    """Writes all golden files."""
    GOLDEN.mkdir(exist_ok=True)
    for name in FINDINGS:
        (GOLDEN / f"{name}.txt").write_text(text_of(name), encoding="utf-8")


if __name__ == "__main__":
    main()
