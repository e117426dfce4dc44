"""Seeded faults: each the defect of a real engine, to be found by the kit.

A fault overrides the points of ``Behaviour`` where it shows, and works only where it applies: an
engine with the fault ``optional-as-join`` answers a query without OPTIONAL rightly.

Faults of relations hardly show in any small case: relations between cases find them. Late faults
need long streams: a burn-in finds them, the properties do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.adapters.reference.defects import (
    answers,
    data,
    late,
    patterns,
    relations,
    rewrites,
    sparql,
    uncertainty,
    windows,
)
from rsp_conformance.model.features import check_features


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    Attributes:
        name: what users write in ``fault=NAME``.
        imitates: where it was seen.
        behaviour: the engine with the fault; its docstring says what is wrong.
        features: what a case must use for the fault to show.
        dials: dials to turn from plain RSP-QL's, so that it can show.
        where: what else a case needs for it, in words.
        count: the engine's option that says how late a ``Counted`` fault shows; empty for others.
        fatal: whether it ends the process that it runs in.
        relation: the relation or law that is made to show it, by name; empty for other faults.
    """

    name: str
    imitates: str
    behaviour: type[Behaviour]
    features: frozenset[str] = frozenset()
    dials: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    count: str = ""
    fatal: bool = False
    relation: str = ""

    @property
    def summary(self) -> str:
        """What the engine does wrong, in one sentence."""
        return " ".join((self.behaviour.__doc__ or "").split())


def _fault(
    name: str,
    behaviour: type[Behaviour],
    imitates: str,
    *,
    needs: str = "",
    dials: Mapping[str, str] | None = None,
    where: str = "",
    relation: str = "",
) -> Fault:
    features, turned = check_features(needs.split()), MappingProxyType(dict(dials or {}))
    return Fault(name, imitates, behaviour, features, turned, where, relation=relation)


_TABLE = (
    _fault(
        "stale-join",
        windows.StaleJoin,
        "CQELS 1: the purge of joins' buffers is commented out",
        where="a join, and an element that expires",
    ),
    _fault(
        "open-at-start",
        windows.OpenAtStart,
        "C-SPARQL: open windows reported during the start (CSRBench Q5)",
        where="a slide smaller than the width",
    ),
    _fault(
        "newest-only",
        windows.NewestOnly,
        "rsp-js, rsp-rs: after a jump in time only the newest closed window is reported",
        where="two closed windows between two elements",
    ),
    _fault(
        "t0-drift",
        windows.T0Drift,
        "rsp-js: t0 moves with every row that is emitted",
        where="a slide of at least 2",
    ),
    _fault("bounds-start", windows.BoundsStart, "engines differ in the opening end"),
    _fault("bounds-end", windows.BoundsEnd, "engines differ in the closing end"),
    _fault(
        "second-window-overwrites",
        windows.SecondWindowOverwrites,
        "rsp-js: one window a stream",
        needs="same-stream-windows",
    ),
    _fault(
        "wrong-instance",
        windows.WrongInstance,
        "rsp-js: joins of two windows read the wrong instance",
        needs="multi-window",
        where="a second window with a slide smaller than the width",
    ),
    _fault(
        "shared-window-parameters",
        windows.SharedParameters,
        "C-SPARQL: with two streams one window's parameters hold for both",
        needs="multi-window",
    ),
    _fault(
        "gaps-as-tumbling",
        windows.GapsAsTumbling,
        "engines that keep no window open between two others",
        needs="gap-windows",
    ),
    _fault(
        "late-by-slide",
        windows.LateBySlide,
        "rsp-js: the time an answer carries is not its window's",
    ),
    _fault(
        "empty-windows-skipped",
        windows.EmptyWindowsSkipped,
        "rsp-js: empty windows are never reported",
        where="a policy without NC, and an instant with empty windows",
    ),
    _fault(
        "silent-after-three",
        windows.SilentAfterThree,
        "rsp-rs: two windows can lock each other out, and nothing comes any more",
    ),
    _fault(
        "equal-timestamps-overwrite",
        data.EqualTimestampsOverwrite,
        "CQELS 1: buffers are keyed by time",
        where="two elements of one stream at one instant",
    ),
    _fault(
        "first-triple-only",
        data.FirstTripleOnly,
        "engines that take single triples",
        needs="multi-triple-elements",
    ),
    _fault(
        "newest-element-missing",
        data.NewestElementMissing,
        "engines that evaluate before they insert what set the evaluation off",
    ),
    _fault(
        "duplicates-collapsed",
        data.DuplicatesCollapsed,
        "engines that keep a window's content in an RDF graph",
        dials={"window_content": "bag"},
        where="two elements with one triple",
    ),
    _fault(
        "static-lost",
        data.StaticLost,
        "engines that use static data up as if it were a stream",
        needs="static-data",
    ),
    _fault(
        "time-varying-stale",
        data.TimeVaryingStale,
        "engines that read background data once and cache it",
        needs="time-varying-data",
    ),
    _fault(
        "static-visible-in-window",
        data.StaticVisibleInWindow,
        "engines with one dataset for windows and static data",
        needs="static-data",
    ),
    _fault(
        "optional-as-join",
        patterns.OptionalAsJoin,
        "RSP-QL Definition 16 item 9, as our copy prints it",
        needs="optional",
    ),
    _fault(
        "filter-error-true",
        patterns.FilterErrorTrue,
        "engines that catch errors around a filter",
        needs="filter",
    ),
    _fault(
        "union-dedup",
        patterns.UnionDedup,
        "engines with set semantics inside",
        needs="union",
    ),
    _fault(
        "window-variable-unbound",
        patterns.WindowVariableUnbound,
        "RSP-QL Definition 16, as printed",
        needs="window-variable",
    ),
    _fault(
        "filter-into-optional",
        rewrites.FilterIntoOptional,
        "optimisers that push filters without FLPush's condition",
        needs="filter optional",
        where="a FILTER behind OPTIONAL, in one group",
        relation="law[FLPush]",
    ),
    _fault(
        "window-filter-forgotten",
        rewrites.WindowFilterForgotten,
        "engines that compile the inside of WINDOW alone",
        needs="filter",
        where="a FILTER behind WINDOW",
        relation="law[FWPush]",
    ),
    _fault(
        "last-filter-only",
        rewrites.LastFilterOnly,
        "planners that keep one condition a group",
        needs="filter",
        where="two FILTERs in one group",
        relation="law[FReordI]",
    ),
    _fault(
        "disjunction-error-first",
        rewrites.DisjunctionErrorFirst,
        "engines with two-valued logic and exceptions",
        needs="filter",
        where="a disjunction whose first operand is an error",
        relation="law[FDecompII]",
    ),
    _fault(
        "inner-union-lost",
        rewrites.InnerUnionLost,
        "planners that take a UNION for binary",
        needs="union",
        where="a UNION within the second branch of a UNION",
        relation="law[UAss]",
    ),
    _fault(
        "null-aggregate",
        answers.NullAggregate,
        "SPARQLstream: null for an average of nothing (CSRBench Q4)",
        needs="aggregates",
        where="an evaluation without solutions, and no GROUP BY",
    ),
    _fault(
        "having-ignored",
        answers.HavingIgnored,
        "engines that parse more than they run",
        needs="having",
    ),
    _fault(
        "limit-ignored",
        answers.LimitIgnored,
        "engines that parse more than they run",
        needs="limit",
    ),
    _fault(
        "distinct-forever",
        answers.DistinctForever,
        "CQELS 2: DISTINCT lasts the query's lifetime",
        needs="distinct",
    ),
    _fault("order-lost", answers.OrderLost, "engines that hand out single rows", needs="order"),
    _fault(
        "istream-ignored",
        answers.IstreamIgnored,
        "rsp-js, rsp-rs: parsed and never applied",
        needs="istream",
    ),
    _fault(
        "dstream-ignored",
        answers.DstreamIgnored,
        "rsp-js, rsp-rs: parsed and never applied",
        needs="dstream",
    ),
    _fault(
        "construct-silent",
        answers.ConstructSilent,
        "C-SPARQL: CONSTRUCT delivers nothing",
        needs="construct",
    ),
    _fault(
        "blank-nodes-merged",
        answers.BlankNodesMerged,
        "engines that lose labels between streams",
        needs="blank-nodes",
    ),
    _fault(
        "language-lost",
        answers.LanguageLost,
        "engines whose literals are strings",
        needs="language-tags",
    ),
    _fault(
        "strings-as-resources",
        answers.StringsAsResources,
        "C-SPARQL: literals without a type become resources",
        where="a plain string in the data",
    ),
    _fault(
        "minus-as-not-exists",
        sparql.MinusAsNotExists,
        "LARS Figure 1: MINUS as negation; engines that rewrite it so",
        needs="minus",
        where="a MINUS that shares no variable, or whose FILTER speaks of one outside",
    ),
    _fault(
        "exists-uncorrelated",
        sparql.ExistsUncorrelated,
        "engines that evaluate EXISTS once and for all solutions",
        needs="exists",
    ),
    _fault(
        "subquery-sees-outside",
        sparql.SubquerySeesOutside,
        "engines that merge a subquery's pattern into the pattern around it",
        needs="subqueries",
        where="a variable that the subquery hides and the query uses, or rows that it makes equal",
    ),
    _fault(
        "values-undef-never-matches",
        sparql.ValuesUndefNeverMatches,
        "engines that join VALUES by equality",
        needs="values",
        where="an UNDEF",
    ),
    _fault(
        "path-bag",
        sparql.PathBag,
        "drafts of SPARQL 1.1, which counted paths (Arenas, Conca, Perez 2012)",
        needs="paths",
        where="two ways between two nodes",
    ),
    _fault(
        "aggregate-skips-errors",
        sparql.AggregateSkipsErrors,
        "engines that add up what they can",
        needs="aggregates",
        where="a SUM over a text",
    ),
    _fault(
        "error-as-empty-text",
        sparql.ErrorAsEmptyText,
        "engines that have no word for an unbound value",
        needs="bind",
        where="an expression that is an error",
    ),
    _fault(
        "quoted-asserted",
        sparql.QuotedAsserted,
        "RDF-star's early mode in which an annotation asserts its triple",
        needs="rdf-star",
        where="a quoted triple whose statement is asked for too",
    ),
    _fault(
        "second-operand-from-first",
        uncertainty.SecondOperandFromFirst,
        "RSPUEngine: lessThan of two distributions copies the first, where that is uniform",
        needs="uncertainty",
        where="lessThan of two distributions",
    ),
    _fault(
        "variance-as-deviation",
        uncertainty.VarianceAsDeviation,
        "RSPUEngine: N(m, v) taken for a mean and a standard deviation",
        needs="uncertainty",
        where="a normal distribution whose variance is not 1",
    ),
    _fault(
        "greater-or-equal-as-less",
        uncertainty.GreaterOrEqualAsLess,
        "RSPUEngine: greaterThanOrEqual calls lessThan",
        needs="uncertainty",
        where="greaterThanOrEqual",
    ),
    _fault(
        "sampled",
        uncertainty.Sampled,
        "RSPUEngine: probabilities of two distributions by 10,000 draws",
        needs="uncertainty",
        dials={"numbers": "tolerance(1e-9)"},
        where="two distributions compared, and the probability in the answer",
    ),
    _fault(
        "nondeterministic",
        answers.Nondeterministic,
        "rsp-js: whether answers are awaited decides which rows are lost",
    ),
)

_LATE_TABLE = (
    Fault(
        "lost-late",
        "engines that drop what does not fit a full buffer",
        late.LostLate,
        where="as many answers as the option says",
        count="every",
    ),
    Fault(
        "misaligned-after-pause",
        "engines that go on counting from the element that ends a silence",
        late.MisalignedAfterPause,
        where="a pause longer than the width, and a slide of at least 2",
    ),
    Fault(
        "leaking",
        "CQELS 1: elements that expired are never purged",
        late.Leaking,
        where="resident memory watched over many elements; its answers are right",
    ),
    Fault(
        "slowing",
        "engines that look for what has expired among all that ever came",
        late.Slowing,
        where="latency watched over many elements; its answers are right",
    ),
    Fault(
        "dies-late",
        "engines that run out of memory",
        late.DiesLate,
        where="as many elements as the option says, and a process of the engine's own",
        count="after",
        fatal=True,
    ),
)

_RELATION_TABLE = (
    Fault(
        "error-negated",
        "engines whose conditions are true or false",
        relations.ErrorNegated,
        check_features(("filter",)),
        where="a negation of what is an error",
        relation="relation[partition]",
    ),
    Fault(
        "load-shedding",
        "engines with buffers of a fixed size",
        relations.LoadShedding,
        where="more than twelve elements in a window",
        relation="relation[junk]",
    ),
    Fault(
        "names-cut",
        "engines whose dictionary has a column of a fixed width",
        relations.NamesCut,
        where="IRIs longer than 48 characters",
        relation="relation[renaming]",
    ),
    Fault(
        "short-clock",
        "engines that keep time in a number of few digits",
        relations.ShortClock,
        where="instants from 1000 on",
        relation="relation[shift]",
    ),
    Fault(
        "falling-run-cut",
        "engines that take disorder within an instant for lateness",
        relations.FallingRunCut,
        where="three elements at one instant, in a certain order",
        relation="relation[permuted]",
    ),
    Fault(
        "twin-branches",
        "planners that share equal subplans without looking at their windows",
        relations.TwinBranches,
        check_features(("multi-window", "union")),
        where="a UNION of one pattern in two windows",
        relation="relation[split]",
    ),
    Fault(
        "wide-tumbling",
        "engines with a way of their own for tumbling windows",
        relations.WideTumbling,
        where="a tumbling window of six instants or more",
        relation="relation[tumbling]",
    ),
    Fault(
        "istream-counts-to-two",
        "engines with a flag in place of a counter",
        relations.IstreamCountsToTwo,
        check_features(("istream",)),
        where="a row that is new three times at once",
        relation="relation[r2s]",
    ),
    Fault(
        "last-instant-waits",
        "engines that evaluate an instant when a later one begins",
        relations.LastInstantWaits,
        where="an end at the instant of the last element",
        relation="relation[prefix]",
    ),
    Fault(
        "widest-short",
        "engines with counters that are too small",
        relations.WidestShort,
        where="a window of more than ten instants",
        relation="relation[units]",
    ),
)

FAULTS: Mapping[str, Fault] = MappingProxyType({fault.name: fault for fault in _TABLE})
"""All faults that a small case shows, by name."""

LATE_FAULTS: Mapping[str, Fault] = MappingProxyType({fault.name: fault for fault in _LATE_TABLE})
"""All faults that only a long stream shows, by name."""


RELATION_FAULTS: Mapping[str, Fault] = MappingProxyType(
    {fault.name: fault for fault in _RELATION_TABLE}
)
"""All faults that hardly any small case shows, and a relation between cases does, by name."""


def fault_named(name: str) -> Fault:
    """The fault NAME, of whichever kind; ValueError, with the list, where there is none."""
    faults = {**FAULTS, **RELATION_FAULTS, **LATE_FAULTS}
    fault = faults.get(name)
    if fault is None:
        near = get_close_matches(name, faults, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"unknown fault {name!r}{hint} (the faults are {', '.join(faults)})")
    return fault
