"""The numbers of the papers, from the files in `rsp_conformance/examples`.

Each row cites its source. The files are those that a user can feed to `rsp-conformance answers`.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path

import rsp_conformance as rsp
from rsp_conformance.cli.answers import read_streams
from rsp_conformance.cli.options import read_profile
from rsp_conformance.model.verdict import Vector
from rsp_conformance.results import ProfiledCase
from tests.builders.terms import EX

FIXTURES = Path(__file__).parents[2] / "rsp_conformance" / "examples"

NEARBY = ("S_nearby=rsp-ql/S_nearby.jsonl",)
BOTH = (*NEARBY, "S_coupon=rsp-ql/S_coupon.jsonl")
SHOPS = ("rsp-ql/shop-a.ttl@2..13", "rsp-ql/shop-b.ttl@2..")
MINUTES = ("S_near=lars/near.jsonl", "S_offers=lars/offers.jsonl")
HEALTH = tuple(
    f"{stream}=rsp-ql-star/{stream}.trig"
    for stream in ("activity", "location", "heart", "breathing", "oxygen")
)
EVERY_INSTANT = ("bounds=[o,c]", "report=P(1)", "empty_answers=no")

Answers = Mapping[int, Set[str]]
"""The rows by instant, each with its terms in the order of the columns."""


@dataclass(frozen=True)
class Row:
    """One number to pin: a query over files under dials, and what comes of it."""

    source: str
    query: str
    streams: tuple[str, ...]
    t0: tuple[int, ...]
    expected: Answers
    dials: tuple[str, ...] = ()
    static: tuple[str, ...] = ()
    profile: str = "rsp-ql"
    until: int | None = None

    def given(self) -> ProfiledCase:
        """The case, read from its files as the command line does."""
        return rsp.case(
            FIXTURES / self.query,
            read_streams([f"{EX}{s.replace('=', f'={FIXTURES}/')}" for s in self.streams], None),
            read_profile(self.profile, self.dials),
            static=[str(FIXTURES / written) for written in self.static],
            until=self.until,
        )

    def starts(self, given: ProfiledCase) -> Vector:
        names = [window.name.value for window in given.case.query.windows]
        return given.starts(dict(zip(names, self.t0, strict=True)))


NOTHING: frozenset[str] = frozenset()
CARL_EVE_AT_A = frozenset({":carl :a", ":eve :a"})
READ_BY_10 = frozenset({"0", "9"})
B_RAYBAN_25 = frozenset({':b "rayban" 25'})

ROWS = [
    Row("RSP-QL Example 6: (4,8]", "rsp-ql/ex6.rq", NEARBY, (4,), {8: CARL_EVE_AT_A}, until=8),
    Row(
        "RSP-QL Example 7: (5,2,1) at 9 is (5,10]",
        "rsp-ql/ex7.rq",
        NEARBY,
        (1,),
        {
            2: {":diana :a", ":eve :b"},
            3: {":diana :a", ":eve :b"},
            4: {":diana :a", ":eve :b"},
            5: {":diana :a", ":eve :b", ":carl :a"},
            6: {":diana :a", ":eve :b", ":carl :a"},
            7: CARL_EVE_AT_A,
            8: CARL_EVE_AT_A,
            9: {":eve :a"},
        },
        ("report=NC",),
        until=9,
    ),
    *(
        Row(
            f"RSP-QL Examples 9 and 10, {written}",
            query,
            BOTH,
            (1, 0),
            {8: {":carl :a :alice", ":eve :a :alice"}, 16: {":diana :b :bob"}},
            ("report=WC[W2] & NC[W2]",),
            static=SHOPS,
        )
        for written, query in (
            ("WINDOW", "rsp-ql/ex10.rq"),
            ("GRAPH as the paper writes", "rsp-ql/ex10-graph.rq"),
        )
    ),
    Row(
        "RSP-QL Example 13: WC & NC at 6,8,10,12,14,16",
        "rsp-ql/ex7.rq",
        NEARBY,
        (1,),
        {
            6: {":diana :a", ":eve :b", ":carl :a"},
            8: CARL_EVE_AT_A,
            10: {":eve :a"},
            12: {":diana :b"},
            14: {":diana :b"},
            16: {":diana :b"},
        },
        ("report=WC & NC",),
    ),
    Row(
        "RSP-QL Example 13: CC, insertions, at 2,5,7,12",
        "rsp-ql/ex7.rq",
        NEARBY,
        (1,),
        {
            2: {":diana :a", ":eve :b"},
            5: {":diana :a", ":eve :b", ":carl :a"},
            7: CARL_EVE_AT_A,
            12: {":diana :b"},
        },
        ("report=CC", "content_change=insertions"),
    ),
    Row(
        "RSP-QL Example 13: CC, any change, at 2,5,7,9,11,12,17",
        "rsp-ql/ex7.rq",
        NEARBY,
        (1,),
        {
            2: {":diana :a", ":eve :b"},
            5: {":diana :a", ":eve :b", ":carl :a"},
            7: CARL_EVE_AT_A,
            9: {":eve :a"},
            11: NOTHING,
            12: {":diana :b"},
            17: NOTHING,
        },
        ("report=CC", "content_change=any"),
    ),
    *(
        Row(
            f"RSP-QL Example 11: the first window from {t0}, {bounds}, holds {number}",
            "rsp-ql/ex11.rq",
            NEARBY,
            (t0,),
            {t0 + 5: {str(number)}},
            (f"bounds={bounds}",),
            until=t0 + 5,
        )
        for bounds, numbers in (("(o,c)", (2, 3, 1)), ("(o,c]", (3, 3, 2)))
        for t0, number in enumerate(numbers)
    ),
    Row(
        "Theorem 1's limit: (5,2,1) at 4 is (1,6]",
        "rsp-ql/ex7.rq",
        NEARBY,
        (1,),
        {2: {":diana :a", ":eve :b"}, 3: {":diana :a", ":eve :b"}, 4: {":diana :a", ":eve :b"}},
        ("report=P(1)",),
        until=4,
    ),
    Row(
        "Theorem 1's limit: (5,2,3) at 4 is (3,8]",
        "rsp-ql/ex7.rq",
        NEARBY,
        (3,),
        {4: NOTHING},
        ("report=P(1)",),
        until=4,
    ),
    Row(
        "SECRET, CSRBench Figure 4: (3,2,1), [o,c)",
        "secret/fig4.rq",
        ("S=secret/S.jsonl",),
        (1,),
        {4: {"1", "2", "3"}, 6: {"3", "4", "5"}, 8: {"5", "6", "7"}},
        ("bounds=[o,c)",),
        until=8,
    ),
    Row(
        "RSP-QL* Definition 15: (10,10,0)",
        "rsp-ql-star/def15.rq",
        ("S=rsp-ql-star/S.trig",),
        (0,),
        {
            **dict.fromkeys(range(1, 11), NOTHING),
            **dict.fromkeys(range(11, 21), READ_BY_10),
            21: {"10", "19"},
        },
        profile="rsp-ql-star",
        until=21,
    ),
    # Instants are seconds, windows close at every 10th, the one that closed last before t counts.
    # At 610 that is [0,600) of what Rut does and where Ben is, and [540,600) of what is measured:
    # Resting (her walk begins at 604); Ben in the office (he was at home at 20: that row the FILTER
    # drops); of Rut's pulses 95, 96, 105 and 106 (180 at a confidence of 0.5, and 200 is Ben's),
    # on average 402/4 = 100.5 > 90; of breaths 10 and 11, 10.5 < 12; of oxygen 95 and 98 (not 40,
    # at 0.95), 96.5, within 92 and 100.
    # At 620, [10,610) and [550,610): pulses 105 and 106, 105.5; breaths and oxygen as before.
    # Walking (604) is within its bounds but for the oxygen: 96.5 > 96.
    # At 630, [560,620): pulses 105, 106 and 50, 87 < 90. At 640, [570,630): 106 and 50, 78.
    Row(
        "RSP-QL*, the e-health listing: confidence of readings",
        "rsp-ql-star/health.rq",
        HEALTH,
        (0, 0, 0, 0, 0),
        {
            **dict.fromkeys(range(10, 641, 10), NOTHING),
            610: {":Resting 100.5 10.5 96.5"},
            620: {":Resting 105.5 10.5 96.5"},
        },
        ("unit=1000",),
        ("rsp-ql-star/health.ttl",),
        profile="rsp-ql-star",
        until=640,
    ),
    # Too little oxygen: P(N(0.17, 0.01²) < 0.18) = Φ(1) = 0.84 in sector 1; Φ(-1) = 0.16 in
    # sector 2; P(U(0.165, 0.185) < 0.18) = 0.015/0.02 = 0.75 in sector 3.
    # At 4 and 8 no window has closed. At 12, [1,11): it is hot in 1 and 2, not yet in 3. At 16,
    # [5,15): the reading of 1 is gone, and it is hot in 3 since 13; so too at 20, [9,19). At 24,
    # [13,23): no oxygen.
    Row(
        "Uncertainty, the first query: oxygen and temperature",
        "rsp-ql-star/tunnel.rq",
        ("ox=rsp-ql-star/ox.trig", "temp=rsp-ql-star/temp.trig"),
        (0, 0),
        {
            4: NOTHING,
            8: NOTHING,
            12: {":sector1 0.17 31"},
            16: {":sector3 0.175 33"},
            20: {":sector3 0.175 33"},
            24: NOTHING,
        },
        ("unit=1000",),
        profile="rsp-ql-star",
        until=24,
    ),
    Row(
        "LARS Examples 4 to 8, pushed: one answer at 18",
        "lars/ex4.rq",
        MINUTES,
        (-30, -30),
        {18: B_RAYBAN_25},
        ("bounds=[o,c]", "report=CC", "empty_answers=no"),
    ),
    Row(
        "LARS Examples 4 to 8, at every instant: 18 to 23",
        "lars/ex4.rq",
        MINUTES,
        (-30, -30),
        dict.fromkeys(range(18, 24), B_RAYBAN_25),
        EVERY_INSTANT,
    ),
]


def the(source: str) -> ProfiledCase:
    (row,) = (row for row in ROWS if row.source == source)
    return row.given()
