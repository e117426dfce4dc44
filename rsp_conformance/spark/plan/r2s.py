"""R2S and the timestamps of answers in Spark (RSP-QL Definitions 20 to 22; SEMANTICS 4 and 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STAMP = """
IF(answer_time = 'arrival',
   least(case_until,
         coalesce(array_min(filter(moments, x -> x >= p.t + delay)), case_until)),
   p.t)
"""
"""The timestamp of the evaluation at t: the instant, or the arrival that triggers it."""

NOTHING = (
    "named_struct('rows', cast(array() AS array<string>), "
    "'triples', cast(NULL AS array<array<string>>))"
)
"""The solutions before the first evaluation."""


def _without_duplicates(rows: str) -> str:
    return f"IF(sets, filter({rows}, x -> instr(x, '\\n') = 0), {rows})"


STREAMED = f"""
CASE operator
  WHEN 'I' THEN array_except({_without_duplicates("x.now.rows")},
                             {_without_duplicates("x.before.rows")})
  WHEN 'D' THEN array_except({_without_duplicates("x.before.rows")},
                             {_without_duplicates("x.now.rows")})
  WHEN 'R' THEN {_without_duplicates("x.now.rows")}
  ELSE x.now.rows
END
"""
"""What the operator lets through of the solutions ``now``, after those ``before``.

Of a solution's occurrences the second and later ones are numbered, so a difference of these sets
is a difference of bags (CQL); without the numbered ones it is one of sets (dial ``r2s``).
"""

_MADE = "transform(x.streamed, r -> x.source.triples[array_position(x.source.rows, r) - 1])"
ANSWER = f"""
CASE form
  WHEN 'SELECT' THEN transform(x.streamed, r -> substring_index(r, '\\n', 1))
  WHEN 'ASK' THEN array(IF(size(x.streamed) > 0, 'true', 'false'))
  ELSE array_distinct(flatten({_MADE}))
END
"""
"""The query form: rows, a truth value or triples, as text."""

TIES = """
IF(sets AND operator = 'R',
   filter(x.ties, (tie, i) -> instr(x.now.rows[i], '\\n') = 0), x.ties)
"""
"""Where rows keep their order, the groups of tied ones."""


def _solutions(relation: str) -> str:
    return f"named_struct('rows', {relation}.rows, 'triples', {relation}.triples)"


def answered(steps: str) -> str:
    """The answers of STEPS, each the solutions ``now`` and ``before`` and the ``ties`` of now.

    Of every answer ``hash`` and ``kept``, its text ``answer`` and its ``ties``. Empty answers are
    dropped where the profile drops them, at the very end (decision 16).
    """
    streamed = f"""transform({steps}, x -> named_struct('streamed', {STREAMED},
      'source', IF(operator = 'D', x.before, x.now), 'ties', {TIES}))"""
    texts = f"transform({streamed}, x -> named_struct('answer', {ANSWER}, 'ties', x.ties))"
    return f"""transform({texts}, x -> named_struct(
      'hash', IF(x.ties IS NULL, xxhash64(sort_array(x.answer)), xxhash64(x.answer, x.ties)),
      'kept', keep_empty OR size(x.answer) > 0,
      'answer', x.answer, 'ties', x.ties))"""


_DIFFERS = "operator IN ('I', 'D')"
_RELATION = f"""named_struct('now', {_solutions("x")}, 'before', {NOTHING}, 'ties', x.ties)"""
_PAIR = f"""named_struct('now', {_solutions("relations[r]")},
  'before', IF(i = 0, {NOTHING}, {_solutions("relations[own[i - 1]]")}),
  'ties', cast(NULL AS array<int>))"""
_STEPS = f"""
IF({_DIFFERS},
   flatten(transform(found, own -> transform(own, (r, i) -> {_PAIR}))),
   transform(relations, x -> {_RELATION}))
"""
"""Of every answer of a piece what it depends on; see ``worker.relations.RELATIONS_SQL``."""

_DUE = """
transform(v.evaluations, (e, i) -> named_struct('t', e.t, 's', e.s, 'stamp', e.stamp,
  'hash', answers[at[k][i]].hash, 'kept', answers[at[k][i]].kept))
"""
_ENDS = f"""
IF({_DIFFERS}, transform(vectors, (v, k) -> IF(size(v.evaluations) = 0, NULL, named_struct(
    't', v.evaluations[0].t, 's', v.evaluations[0].s, 'stamp', v.evaluations[0].stamp, 'z', v.z,
    'now', {_solutions("relations[found[k][0]]")},
    'last', {_solutions("relations[found[k][size(found[k]) - 1]]")}))), NULL)
"""
"""Of every z its first evaluation in a piece, and the solutions of that and of the last one."""


def _any(field: str) -> str:
    """Some FIELD of the relations of vector K, mostly of none."""
    known = f"exists(relations, x -> x.{field} IS NOT NULL)"
    return f"IF({known}, array_max(transform(found[k], r -> relations[r].{field})), NULL)"


def answers(related: DataFrame, *, pieces: bool = False) -> DataFrame:
    """Ans(Q_z) of every piece of RELATED (``evaluations.relations``).

    ``expected``: of every z what is ``due``, and why it is open, or not to be had. ``answers``:
    the contents that are due, by hash. Where a case has several PIECES, the first evaluation of a
    z in each is left out under Istream and Dstream, and ``ends`` has what it takes to answer it.
    """
    kept = [name for name in related.columns if name not in ("relations", "found", "at", "vectors")]
    due = f"filter({_DUE}, e -> e.kept)"
    if pieces:
        due = f"filter({_DUE}, (e, i) -> e.kept AND (i > 0 OR NOT {_DIFFERS}))"
    return related.selectExpr("*", f"{answered(_STEPS)} AS answers").selectExpr(
        *kept,
        "answers",
        f"""transform(vectors, (v, k) -> named_struct('z', v.z, 'due', {due},
          'open', {_any("open")}, 'refused', {_any("refused")})) AS expected""",
        *([f"{_ENDS} AS ends"] if pieces else []),
        "size(flatten(found)) AS evaluations",
        "size(relations) AS distinct",
    )
