"""Candidate instants and report as Spark SQL (RSP-QL Definition 23; SEMANTICS 3).

The policy is data: a disjunction of conjunctions of conditions (``policies``), evaluated for every
test point at which it can hold at all. See ``windows`` for the rows these expressions are over.
"""

from __future__ import annotations

_FIRST = "IF(p.window < 0, a, v.t0[p.window]) + p.offset"

CANDIDATES = f"""
CASE WHEN on_content AND forall(times, x -> size(x) = 0) THEN array() ELSE
sort_array(array_distinct(filter(
  concat(
    flatten(transform(
      transform(periodic, p -> named_struct(
        'first',
        IF({_FIRST} > v.after, {_FIRST}, v.after + 1 + pmod({_FIRST} - v.after - 1, p.period)),
        'period', p.period)),
      p -> CASE WHEN p.first <= until THEN sequence(p.first, until, p.period) ELSE array() END)),
    flatten(transform(by_content, i -> flatten(transform(times[i], x -> array(x, x + 1)))))),
  x -> x > v.after AND x <= until)))
END
"""
"""The instants in (after, until] at which the policy may hold, ascending.

Without a period to go by, content changes where an element comes, or the instant after.
"""

TEST_POINTS = """
IF(stepwise,
   flatten(transform(v.candidates, x -> transform(
     sequence(1, greatest(1, size(filter(arrivals, y -> y = x)))),
     s -> named_struct('t', x, 's', s, 't_before', IF(s > 1, x, x - 1),
                       'g', size(filter(arrivals, y -> y < x)) + s)))),
   transform(v.candidates,
     x -> named_struct('t', x, 's', 1, 't_before', x - 1, 'g', 0)))
"""
"""The test points of the candidate instants, numbered from 1 within an instant (decision 3)."""

_CHANGED = """
IF(insertions,
   w.hi > w.lo AND (w.hi_before <= w.lo_before OR w.lo < w.lo_before OR w.hi > w.hi_before),
   (w.hi > w.lo OR w.hi_before > w.lo_before)
     AND (w.lo <> w.lo_before OR w.hi <> w.hi_before))
"""

STRATEGIES = f"""
transform(p.runs, (w, i) -> named_struct(
  'wc', w.o IS NOT NULL AND p.t = w.o + alpha[i] + IF(active, 0, 1),
  'nc', w.o IS NOT NULL AND w.hi > w.lo,
  'cc', w.o IS NOT NULL AND {_CHANGED}))
"""
"""Whether WC, NC and CC hold, of every window."""

_HOLDS = """
CASE c.kind
  WHEN 'WC' THEN p.strategies[c.window].wc
  WHEN 'NC' THEN p.strategies[c.window].nc
  WHEN 'CC' THEN p.strategies[c.window].cc
  WHEN 'P' THEN coalesce(
    p.t > v.t0[c.window] AND pmod(p.t - v.t0[c.window], c.period) = 0, false)
  ELSE p.t > a AND pmod(p.t - a, c.period) = 0
END
"""

REPORTED = f"exists(policy, term -> forall(term, c -> {_HOLDS} = c.wanted))"
"""Whether the policy holds at the test point."""
