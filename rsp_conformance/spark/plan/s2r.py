"""S2R as Spark SQL: which part of a stream a window holds at a test point (RSP-QL Definition 13).

Timestamps never decrease, so what a window holds is a run [lo, hi) of its stream's elements in
arrival order. It is found by arithmetic on the window's parameters and by counting the elements up
to its ends; no element is ever copied into the windows that hold it, however many overlap.

The expressions are over a piece of one case, one t0 vector of it, ``v``, and one of its test
points, ``p``. Windows are numbered; ``alpha[i]`` and the like belong to window ``i``. A test point
is the instant ``p.t`` and, where the policy is tested after every element (``stepwise``), the
number ``p.g`` of arrivals of the piece that have come by then. ``p.t_before`` is the instant of
the test point before.
"""

from __future__ import annotations


def opening(t: str) -> str:
    """The opening instant of the window evaluated at instant T, NULL where it is undefined.

    ``active``: the earliest-opened with o < t ≤ c. ``last-closed``: the one with the greatest
    c < t. Both as t0 + iβ with the i ≥ 0 that arithmetic gives.
    """
    late = f"({t} - 1 - v.t0[i] - alpha[i])"
    early = f"({t} - v.t0[i] - alpha[i])"
    last_closed = f"IF({late} >= 0, v.t0[i] + {late} - pmod({late}, beta[i]), NULL)"
    first_open = f"(v.t0[i] + greatest(0, {early} + pmod(-{early}, beta[i])))"
    return f"IF(active, IF({first_open} < {t}, {first_open}, NULL), {last_closed})"


STEPS = """
transform(times, own -> IF(size(own) = 0, cast(array() AS array<int>),
  transform(sequence(cast(log2(size(own)) AS int), 0, -1), k -> shiftleft(1, k))))
"""
"""Of every window, the powers of 2 up to the number of its stream's elements, descending."""

OPENINGS = f"""
transform(alpha, (_, i) -> named_struct(
  'o', {opening("p.t")},
  'o_before', IF(changes, {opening("p.t_before")}, NULL)))
"""
"""Of every window, the opening at the test point and at the one before."""


def _edges(o: str, t: str) -> str:
    """After which instant and up to which the window opened at O has its elements at T."""
    last = f"{o} + alpha[i] - IF(closed_right, 0, 1)"
    return f"struct({o} - IF(closed_left, 1, 0) AS lo, least({t}, {last}) AS hi)"


EDGES = f"""
transform(p.openings, (w, i) -> named_struct(
  'o', w.o,
  'now', IF(w.o IS NULL, NULL, {_edges("w.o", "p.t")}),
  'before', IF(w.o_before IS NULL, NULL, {_edges("w.o_before", "p.t_before")})))
"""
"""Of every window, between which instants its elements lie at the test point and the one before."""


def _count(array: str, bound: str) -> str:
    """How many members of ARRAY, one an element of window i's stream, are BOUND or less.

    They ascend, so it is found by halves: of ``n`` members it is known, ``step`` more are tried.
    """
    more = f"n + step <= size({array}) AND {array}[n + step - 1] <= {bound}"
    return f"aggregate(steps[i], 0, (n, step) -> IF({more}, n + step, n))"


def _run(edges: str, g: str) -> tuple[str, str]:
    """The run [lo, hi) between EDGES at a test point with G arrivals; empty without edges."""
    start, end = _count("times[i]", f"{edges}.lo"), _count("times[i]", f"{edges}.hi")
    # A window (o, c) of width 1 has no instant inside, so its end would lie before its start.
    come = f"IF(stepwise, least({end}, {_count('places[i]', f'{g} - 1')}), {end})"
    return f"IF({edges} IS NULL, 0, {start})", f"IF({edges} IS NULL, 0, {come})"


_LO, _HI = _run("w.now", "p.g")
_LO_BEFORE, _HI_BEFORE = _run("w.before", "p.g - 1")
RUNS = f"""
transform(p.edges, (w, i) -> named_struct(
  'o', w.o,
  'lo', {_LO},
  'hi', {_HI},
  'lo_before', {_LO_BEFORE},
  'hi_before', {_HI_BEFORE}))
"""
"""Of every window, what it holds at the test point and at the one before."""
