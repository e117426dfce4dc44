"""Seeded faults: each the defect of a real engine, to be found by the kit.

A fault overrides the points of ``Behaviour`` where it shows, and works only where it applies: an
engine with the fault ``optional-as-join`` answers a query without OPTIONAL rightly.

Faults of relations hardly show in any small case: relations between cases find them. Late faults
need long streams: a burn-in finds them, the properties do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rsp_conformance.adapters.reference import late_faults, relation_faults
from rsp_conformance.adapters.reference.defects import (
    answers,
    data,
    patterns,
    rewrites,
    sparql,
    uncertainty,
    windows,
)
from rsp_conformance.adapters.reference.fault import Fault, seeded
from rsp_conformance.model.errors import did_you_mean

_TABLE = (
    seeded(
        "stale-join",
        windows.StaleJoin,
        "CQELS 1: the purge of joins' buffers is commented out",
        where="a join, and an element that expires",
    ),
    seeded(
        "open-at-start",
        windows.OpenAtStart,
        "C-SPARQL: open windows reported during the start (CSRBench Q5)",
        where="a slide smaller than the width",
    ),
    seeded(
        "newest-only",
        windows.NewestOnly,
        "rsp-js, rsp-rs: after a jump in time only the newest closed window is reported",
        where="two closed windows between two elements",
    ),
    seeded(
        "t0-drift",
        windows.T0Drift,
        "rsp-js: t0 moves with every row that is emitted",
        where="a slide of at least 2",
    ),
    seeded("bounds-start", windows.BoundsStart, "engines differ in the opening end"),
    seeded("bounds-end", windows.BoundsEnd, "engines differ in the closing end"),
    seeded(
        "second-window-overwrites",
        windows.SecondWindowOverwrites,
        "rsp-js: one window a stream",
        needs="same-stream-windows",
    ),
    seeded(
        "wrong-instance",
        windows.WrongInstance,
        "rsp-js: joins of two windows read the wrong instance",
        needs="multi-window",
        where="a second window with a slide smaller than the width",
    ),
    seeded(
        "shared-window-parameters",
        windows.SharedParameters,
        "C-SPARQL: with two streams one window's parameters hold for both",
        needs="multi-window",
    ),
    seeded(
        "gaps-as-tumbling",
        windows.GapsAsTumbling,
        "engines that keep no window open between two others",
        needs="gap-windows",
    ),
    seeded(
        "late-by-slide",
        windows.LateBySlide,
        "rsp-js: the time an answer carries is not its window's",
    ),
    seeded(
        "empty-windows-skipped",
        windows.EmptyWindowsSkipped,
        "rsp-js: empty windows are never reported",
        where="a policy without NC, and an instant with empty windows",
    ),
    seeded(
        "silent-after-three",
        windows.SilentAfterThree,
        "rsp-rs: two windows can lock each other out, and nothing comes any more",
    ),
    seeded(
        "equal-timestamps-overwrite",
        data.EqualTimestampsOverwrite,
        "CQELS 1: buffers are keyed by time",
        where="two elements of one stream at one instant",
    ),
    seeded(
        "first-triple-only",
        data.FirstTripleOnly,
        "engines that take single triples",
        needs="multi-triple-elements",
    ),
    seeded(
        "newest-element-missing",
        data.NewestElementMissing,
        "engines that evaluate before they insert what set the evaluation off",
    ),
    seeded(
        "duplicates-collapsed",
        data.DuplicatesCollapsed,
        "engines that keep a window's content in an RDF graph",
        dials={"window_content": "bag"},
        where="two elements with one triple",
    ),
    seeded(
        "static-lost",
        data.StaticLost,
        "engines that use static data up as if it were a stream",
        needs="static-data",
    ),
    seeded(
        "time-varying-stale",
        data.TimeVaryingStale,
        "engines that read background data once and cache it",
        needs="time-varying-data",
    ),
    seeded(
        "static-visible-in-window",
        data.StaticVisibleInWindow,
        "engines with one dataset for windows and static data",
        needs="static-data",
    ),
    seeded(
        "optional-as-join",
        patterns.OptionalAsJoin,
        "RSP-QL Definition 16 item 9, as our copy prints it",
        needs="optional",
    ),
    seeded(
        "filter-error-true",
        patterns.FilterErrorTrue,
        "engines that catch errors around a filter",
        needs="filter",
    ),
    seeded(
        "union-dedup",
        patterns.UnionDedup,
        "engines with set semantics inside",
        needs="union",
    ),
    seeded(
        "window-variable-unbound",
        patterns.WindowVariableUnbound,
        "RSP-QL Definition 16, as printed",
        needs="window-variable",
    ),
    seeded(
        "filter-into-optional",
        rewrites.FilterIntoOptional,
        "optimisers that push filters without FLPush's condition",
        needs="filter optional",
        where="a FILTER behind OPTIONAL, in one group",
        relation="law[FLPush]",
    ),
    seeded(
        "window-filter-forgotten",
        rewrites.WindowFilterForgotten,
        "engines that compile the inside of WINDOW alone",
        needs="filter",
        where="a FILTER behind WINDOW",
        relation="law[FWPush]",
    ),
    seeded(
        "last-filter-only",
        rewrites.LastFilterOnly,
        "planners that keep one condition a group",
        needs="filter",
        where="two FILTERs in one group",
        relation="law[FReordI]",
    ),
    seeded(
        "disjunction-error-first",
        rewrites.DisjunctionErrorFirst,
        "engines with two-valued logic and exceptions",
        needs="filter",
        where="a disjunction whose first operand is an error",
        relation="law[FDecompII]",
    ),
    seeded(
        "inner-union-lost",
        rewrites.InnerUnionLost,
        "planners that take a UNION for binary",
        needs="union",
        where="a UNION within the second branch of a UNION",
        relation="law[UAss]",
    ),
    seeded(
        "null-aggregate",
        answers.NullAggregate,
        "SPARQLstream: null for an average of nothing (CSRBench Q4)",
        needs="aggregates",
        where="an evaluation without solutions, and no GROUP BY",
    ),
    seeded(
        "having-ignored",
        answers.HavingIgnored,
        "engines that parse more than they run",
        needs="having",
    ),
    seeded(
        "limit-ignored",
        answers.LimitIgnored,
        "engines that parse more than they run",
        needs="limit",
    ),
    seeded(
        "distinct-forever",
        answers.DistinctForever,
        "CQELS 2: DISTINCT lasts the query's lifetime",
        needs="distinct",
    ),
    seeded("order-lost", answers.OrderLost, "engines that hand out single rows", needs="order"),
    seeded(
        "istream-ignored",
        answers.IstreamIgnored,
        "rsp-js, rsp-rs: parsed and never applied",
        needs="istream",
    ),
    seeded(
        "dstream-ignored",
        answers.DstreamIgnored,
        "rsp-js, rsp-rs: parsed and never applied",
        needs="dstream",
    ),
    seeded(
        "construct-silent",
        answers.ConstructSilent,
        "C-SPARQL: CONSTRUCT delivers nothing",
        needs="construct",
    ),
    seeded(
        "blank-nodes-merged",
        answers.BlankNodesMerged,
        "engines that lose labels between streams",
        needs="blank-nodes",
    ),
    seeded(
        "language-lost",
        answers.LanguageLost,
        "engines whose literals are strings",
        needs="language-tags",
    ),
    seeded(
        "strings-as-resources",
        answers.StringsAsResources,
        "C-SPARQL: literals without a type become resources",
        where="a plain string in the data",
    ),
    seeded(
        "minus-as-not-exists",
        sparql.MinusAsNotExists,
        "LARS Figure 1: MINUS as negation; engines that rewrite it so",
        needs="minus",
        where="a MINUS that shares no variable, or whose FILTER speaks of one outside",
    ),
    seeded(
        "exists-uncorrelated",
        sparql.ExistsUncorrelated,
        "engines that evaluate EXISTS once and for all solutions",
        needs="exists",
    ),
    seeded(
        "subquery-sees-outside",
        sparql.SubquerySeesOutside,
        "engines that merge a subquery's pattern into the pattern around it",
        needs="subqueries",
        where="a variable that the subquery hides and the query uses, or rows that it makes equal",
    ),
    seeded(
        "values-undef-never-matches",
        sparql.ValuesUndefNeverMatches,
        "engines that join VALUES by equality",
        needs="values",
        where="an UNDEF",
    ),
    seeded(
        "path-bag",
        sparql.PathBag,
        "drafts of SPARQL 1.1, which counted paths (Arenas, Conca, Perez 2012)",
        needs="paths",
        where="two ways between two nodes",
    ),
    seeded(
        "aggregate-skips-errors",
        sparql.AggregateSkipsErrors,
        "engines that add up what they can",
        needs="aggregates",
        where="a SUM over a text",
    ),
    seeded(
        "error-as-empty-text",
        sparql.ErrorAsEmptyText,
        "engines that have no word for an unbound value",
        needs="bind",
        where="an expression that is an error",
    ),
    seeded(
        "quoted-asserted",
        sparql.QuotedAsserted,
        "RDF-star's early mode in which an annotation asserts its triple",
        needs="rdf-star",
        where="a quoted triple whose statement is asked for too",
    ),
    seeded(
        "second-operand-from-first",
        uncertainty.SecondOperandFromFirst,
        "RSPUEngine: lessThan of two distributions copies the first, where that is uniform",
        needs="uncertainty",
        where="lessThan of two distributions",
    ),
    seeded(
        "variance-as-deviation",
        uncertainty.VarianceAsDeviation,
        "RSPUEngine: N(m, v) taken for a mean and a standard deviation",
        needs="uncertainty",
        where="a normal distribution whose variance is not 1",
    ),
    seeded(
        "greater-or-equal-as-less",
        uncertainty.GreaterOrEqualAsLess,
        "RSPUEngine: greaterThanOrEqual calls lessThan",
        needs="uncertainty",
        where="greaterThanOrEqual",
    ),
    seeded(
        "sampled",
        uncertainty.Sampled,
        "RSPUEngine: probabilities of two distributions by 10,000 draws",
        needs="uncertainty",
        dials={"numbers": "tolerance(1e-9)"},
        where="two distributions compared, and the probability in the answer",
    ),
    seeded(
        "nondeterministic",
        answers.Nondeterministic,
        "rsp-js: whether answers are awaited decides which rows are lost",
    ),
)

FAULTS: Mapping[str, Fault] = MappingProxyType({fault.name: fault for fault in _TABLE})
"""All faults that a small case shows, by name."""

LATE_FAULTS: Mapping[str, Fault] = MappingProxyType(
    {fault.name: fault for fault in late_faults.TABLE}
)
"""All faults that only a long stream shows, by name."""


RELATION_FAULTS: Mapping[str, Fault] = MappingProxyType(
    {fault.name: fault for fault in relation_faults.TABLE}
)
"""All faults that hardly any small case shows, and a relation between cases does, by name."""


def fault_named(name: str) -> Fault:
    """The fault NAME, of whichever kind; ValueError, with the list, where there is none."""
    faults = {**FAULTS, **RELATION_FAULTS, **LATE_FAULTS}
    fault = faults.get(name)
    if fault is None:
        hint = did_you_mean(name, faults)
        raise ValueError(f"unknown fault {name!r}{hint} (the faults are {', '.join(faults)})")
    return fault
