"""S2R as Spark SQL: which part of a stream a window holds at a test point (RSP-QL Definition 13).

Timestamps never decrease, so what a window holds is a run [lo, hi) of its stream's elements in
arrival order. It is found by arithmetic on the window's parameters and by counting the elements up
to its ends; no element is ever copied into the windows that hold it, however many overlap.

The expressions are over a piece of one case with one t0 vector, and over one of its test points,
``p``. Windows are numbered; ``alpha[i]`` and the like belong to window number ``i``. A test point
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
    late = f"({t} - 1 - t0[i] - alpha[i])"
    early = f"({t} - t0[i] - alpha[i])"
    last_closed = f"IF({late} >= 0, t0[i] + {late} - pmod({late}, beta[i]), NULL)"
    first_open = f"(t0[i] + greatest(0, {early} + pmod(-{early}, beta[i])))"
    return f"IF(active, IF({first_open} < {t}, {first_open}, NULL), {last_closed})"


def count_to(t: str) -> str:
    """How many elements of window i's stream have come at T or before."""
    return f"size(filter(times[i], x -> x <= {t}))"


def run_start(o: str) -> str:
    """Where the run of the window that opens at O starts (lo); 0 where it is undefined."""
    return f"IF({o} IS NULL, 0, {count_to(f'{o} - IF(closed_left, 1, 0)')})"


def run_end(o: str, t: str, g: str) -> str:
    """Where that run ends (hi) at the test point (T, G); 0 where the window is undefined."""
    last = f"least({t}, {o} + alpha[i] - IF(closed_right, 0, 1))"
    arrived = f"size(filter(places[i], x -> x < {g}))"
    by_time = count_to(last)
    by_step = f"least({by_time}, {arrived})"
    # A window (o, c) of width 1 has no instant inside, so its end would lie before its start.
    return f"IF({o} IS NULL, 0, IF(stepwise, {by_step}, {by_time}))"


OPENINGS = f"""
transform(alpha, (_, i) -> named_struct(
  'o', {opening("p.t")},
  'o_before', IF(changes, {opening("p.t_before")}, NULL)))
"""
"""Of every window, the opening at the test point and at the one before."""

RUNS = f"""
transform(p.openings, (w, i) -> named_struct(
  'o', w.o,
  'lo', {run_start("w.o")},
  'hi', {run_end("w.o", "p.t", "p.g")},
  'lo_before', {run_start("w.o_before")},
  'hi_before', {run_end("w.o_before", "p.t_before", "p.g - 1")}))
"""
"""Of every window, what it holds at the test point and at the one before."""

_HELD = "slice(hashes[i], w.lo + 1, w.hi - w.lo)"
CONTENTS = f"""
transform(transform(p.runs, (w, i) -> sort_array(IF(bags, {_HELD}, array_distinct({_HELD})))),
  x -> struct(size(x) AS held, x AS hashes))
"""
"""The elements that every window holds, by the hashes of what they say, in an order of their own.

Their number stands beside them because Spark's hash of an array does not tell where it ends.
"""
