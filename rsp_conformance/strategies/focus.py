"""What a property of the suite wants its cases to be about.

A focus weighs clauses, it forces none: each stays away with some chance, so shrinking can drop
what does not matter to a failure, the clause that the focus is named after included.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import FEATURES, MissingFeatures
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.strategies.clause_weights import (
    ANY,
    BURSTS,
    EXTRAS,
    HEADS,
    PLAIN,
    RARELY,
    REQUIRED,
    RHYTHMS,
    SILENT,
    SIZES,
    SLIDES,
    SLOW,
    STEADY,
    WIDE,
    Mix,
    mix,
)
from rsp_conformance.strategies.limits import limits


@dataclass(frozen=True, slots=True)
class Focus:
    """An aspect that cases exercise often.

    ``main`` and ``extra`` are the tables of which each case draws one entry, ``heads`` that of
    the query's form and modifiers. ``needs`` are features without which the aspect cannot show;
    of ``any_of`` one is enough; ``operators`` are letters of streaming operators of which one
    must be there and most queries have one, and ``named`` asks for windows that queries name.
    """

    description: str
    main: Mix = mix("")
    extra: Mix = RARELY
    heads: tuple[str, ...] = PLAIN
    needs: frozenset[str] = frozenset()
    any_of: frozenset[str] = frozenset()
    operators: str = ""
    named: bool = False
    rhythms: tuple[tuple[int, ...], ...] = RHYTHMS
    slides: tuple[int | None, ...] = SLIDES
    extras: tuple[int, ...] = EXTRAS
    gaps: tuple[int, ...] = ()
    sizes: tuple[int, ...] = SIZES
    most: int = 12
    spreads: tuple[int, ...] = (3, 4, 6, 12)
    constants: tuple[str, ...] = (*("",) * 6, "object", "subject")


# For joins: elements close together, and enough of them.
_DENSE = (STEADY, STEADY, BURSTS)
_MANY = (0, 4, 5, 6, 8, 6, 8)

_FOCUSES = {
    "any": Focus(
        "everything that the features allow",
        main=ANY,
        extra=(*RARELY, *ANY),
        heads=HEADS,
        slides=(*SLIDES, None),
        gaps=(-1,),
    ),
    "windows": Focus(
        "bounds of windows: tumbling, sliding, with gaps, widths that are no multiple of slides",
        main=mix("*8 join multi-triple*7 bystander"),
        extra=mix(""),
        heads=(*("select",) * 7, "aggregate"),
        slides=(1, 2, 3, 4, 5, 2, 3, None),
        gaps=(-1, -1, -2),
        spreads=(6, 12),
    ),
    "report": Focus(
        "when answers come: closes, changes, silences, windows without content",
        main=mix("*6 join filter bystander*2"),
        extra=mix("*6 window again"),
        heads=(*("select",) * 4, "aggregate"),
        rhythms=(STEADY, SLOW, SILENT, SILENT),
        slides=(1, 2, 3, 4, 2, 3),
        gaps=(-1,),
    ),
    "join": Focus(
        "joins of elements that come at different instants",
        main=mix("* join*6 window*3 join+window join+again"),
        rhythms=_DENSE,
        extras=WIDE,
        spreads=(2, 3, 4),
        sizes=_MANY,
    ),
    "multi-window": Focus(
        "windows over several streams",
        main=mix("* window*7 window+union window+join window+static window+again"),
        spreads=(2, 3, 4),
        sizes=_MANY,
        rhythms=_DENSE,
        extra=mix("*10 filter optional numbers"),
    ),
    "same-stream-windows": Focus(
        "several windows over one stream",
        main=mix("* again*6 again+window"),
        spreads=(2, 3, 4),
        sizes=_MANY,
        rhythms=_DENSE,
        extra=mix("*10 filter optional numbers"),
    ),
    "static": Focus(
        "background data in the default graph",
        main=mix("* static*6 static+window static+join"),
        extra=mix("*8 optional*2 filter union"),
        needs=frozenset({"static-data"}),
        spreads=(3, 4),
        rhythms=_DENSE,
    ),
    "time-varying": Focus(
        "background data that changes between evaluations",
        main=mix("* varying*6 graph-varying*2"),
        extra=mix("*8 optional filter"),
        needs=frozenset({"time-varying-data"}),
        any_of=frozenset({"static-data", "named-graphs"}),
        sizes=(0, 4, 5, 6),
        spreads=(3, 4),
    ),
    "named-graphs": Focus(
        "background data in named graphs, GRAPH",
        main=mix("* graph*5 graph+static graph-varying window-graph"),
        extra=mix("*8 optional filter"),
    ),
    "aggregates": Focus(
        "GROUP BY, HAVING and the aggregates, also of nothing",
        main=mix("* numbers*5 join static optional multi-triple"),
        heads=("select", *("aggregate",) * 4, *("having",) * 4, *("aggregate",) * 4),
    ),
    "optional": Focus(
        "OPTIONAL, often with rows that find no match",
        main=mix("* optional*6 optional+window*2 optional+static*2 optional+numbers"),
        extra=mix("*8 filter*2 join"),
        extras=WIDE,
        spreads=(3, 4),
    ),
    "union": Focus(
        "UNION within a window and across windows",
        main=mix("* union*8 union+window*2 union+static"),
        extras=WIDE,
        spreads=(2, 2, 3),
        sizes=_MANY,
        rhythms=_DENSE,
    ),
    "filter": Focus(
        "FILTER and BIND, also over expressions that are errors",
        main=mix("* filter*2 filter+numbers*5 filter+optional*2 filter+bind filter+numbers*6"),
        extra=mix("*6 join static window bind"),
        spreads=(4, 6, 12),
    ),
    "order": Focus(
        "ORDER BY with several rows, LIMIT and OFFSET where the order is total",
        main=mix("* numbers*5 join static"),
        extra=mix("*10 optional filter"),
        heads=("select", "order", "order", *("limit",) * 5, "order"),
        rhythms=(STEADY, BURSTS, BURSTS),
        extras=WIDE,
        sizes=(0, 5, 6, 8),
        spreads=(12,),
    ),
    "distinct": Focus(
        "DISTINCT, with rows that repeat within an evaluation and between evaluations",
        main=mix("*8 numbers join static window"),
        heads=("select", *("distinct",) * 8),
        sizes=_MANY,
        rhythms=(STEADY, STEADY, SLOW),
        spreads=(2, 3, 2),
        extras=(0, 2, 4, 5, 6, 3),
    ),
    "r2s": Focus(
        "ISTREAM and DSTREAM, with rows that stay, come and go",
        main=mix("*5 join numbers static varying optional"),
        extra=RARELY,
        heads=(*("select",) * 6, "aggregate", "construct"),
        operators="ID",
        spreads=(2, 3, 4),
        extras=(0, 1, 2, 3, 4, 2),
        gaps=(-1,),
    ),
    "duplicates": Focus(
        "equal elements at one instant and later, rows that repeat",
        main=mix("*6 join window union multi-triple*3"),
        extra=mix(""),
        heads=(*("select",) * 5, "aggregate", "aggregate"),
        rhythms=(STEADY, BURSTS),
        spreads=(2, 3, 2),
    ),
    "contemporaneous": Focus(
        "several elements at one instant",
        main=mix("*5 join*2 window*2"),
        extra=mix(""),
        heads=(*("select",) * 5, "aggregate"),
        rhythms=(BURSTS,),
        spreads=(3, 6, 12),
        gaps=(-1,),
    ),
    "gaps": Focus(
        "windows with a slide above their width, and silences longer than a window",
        main=mix("*8 join window"),
        extra=mix(""),
        heads=(*("select",) * 5, "aggregate"),
        needs=frozenset({"gap-windows"}),
        rhythms=(STEADY, SLOW, SILENT),
        slides=(1, 2, 3, 4, 5),
        extras=(0,),
        gaps=(-1, -2, -1, -2, -3),
    ),
    "long": Focus(
        "many elements and evaluations: drift, silence after a while",
        main=mix("*6 join window"),
        extra=mix(""),
        heads=(*("select",) * 5, "aggregate"),
        sizes=(0, 14, 16, 18),
        most=30,
        rhythms=(STEADY, STEADY, SLOW),
    ),
    "construct": Focus(
        "CONSTRUCT",
        main=mix("*4 join*2 window static optional*2"),
        heads=("construct",),
        spreads=(3, 4, 6),
        rhythms=_DENSE,
    ),
    "ask": Focus(
        "ASK, answered true and false",
        main=mix("*4 join*2 window static filter*2"),
        heads=("ask",),
        rhythms=(STEADY, SLOW, SILENT),
    ),
    "window-variable": Focus(
        "WINDOW ?w",
        main=mix(
            "* window-variable*5 window-variable+join window-variable+static window-variable*5"
        ),
        extras=WIDE,
        sizes=_MANY,
        rhythms=_DENSE,
        named=True,
    ),
    "values-literals": Focus(
        "numbers with unequal lexical forms, language tags, VALUES",
        main=mix("* lexical*4 tags*2 lexical+join values tags+values"),
        extra=mix("*8 filter*3 join static"),
        any_of=frozenset({"typed-literals", "language-tags"}),
        heads=(*("select",) * 5, "distinct", "aggregate"),
    ),
    "blank-nodes": Focus(
        "blank nodes in streams and background data",
        main=mix(
            "* blank-nodes*4 blank-nodes+join*2 blank-nodes+window blank-nodes+static*2 "
            "blank-nodes+optional"
        ),
        extra=mix("*10 filter"),
        heads=(*("select",) * 6, "distinct", "construct", "aggregate"),
        spreads=(3, 4),
    ),
    "named-elements": Focus(
        "stream elements that are named graphs (RSP-QL*)",
        main=mix("* named-elements*6 named-elements+window"),
        named=True,
    ),
    "minus": Focus(
        "MINUS inside a window and around windows, with and without a shared variable",
        main=mix("* minus*6 minus+window*3 minus+static*2 minus+graph minus+optional"),
        extra=mix("*8 filter join exists"),
        extras=WIDE,
        spreads=(3, 4),
        sizes=_MANY,
        rhythms=_DENSE,
    ),
    "exists": Focus(
        "EXISTS and NOT EXISTS inside a window, with WINDOW and GRAPH inside them",
        main=mix("* exists*6 exists+window*3 exists+static*2 exists+graph*2"),
        extra=mix("*12 filter join optional minus"),
        needs=frozenset({"filter"}),
        spreads=(2, 3, 4),
        rhythms=_DENSE,
    ),
    "subqueries": Focus(
        "subqueries inside a window, around windows and beside them",
        main=mix("* subquery*6 subquery+join subquery+window*2 subquery+static"),
        extra=mix("*8 filter numbers optional"),
        heads=(*("select",) * 6, "distinct", "aggregate", "order"),
        needs=frozenset({"select"}),
        extras=WIDE,
        spreads=(3, 4),
        rhythms=_DENSE,
    ),
    "values": Focus(
        "VALUES with UNDEF, several columns, inside a group and at the end",
        main=mix("* inline*6 inline+numbers inline+window inline+optional*2"),
        extra=mix("*8 filter join static"),
        heads=(*("select",) * 6, "distinct", "aggregate", "ask", "construct"),
        extras=WIDE,
        spreads=(3, 4, 6),
        rhythms=_DENSE,
    ),
    "paths": Focus(
        "property paths over elements of a window and over background data",
        main=mix("* paths*8 paths+static*2 paths+join paths+graph paths+optional"),
        extra=mix("*8 filter numbers minus"),
        heads=(*("select",) * 10, "distinct", "aggregate", "ask"),
        extras=WIDE,
        spreads=(3, 4),
        sizes=_MANY,
        rhythms=_DENSE,
    ),
    "functions": Focus(
        "SPARQL's functions and casts in FILTER, BIND and SELECT, their errors included",
        main=mix(
            "* function-filter*4 function-bind*4 function-filter+function-bind "
            "function-filter+tags function-bind+tags function-bind+optional"
        ),
        extra=mix("*8 join window"),
        any_of=frozenset({"filter", "bind"}),
        spreads=(4, 6, 12),
    ),
    "errors": Focus(
        "aggregates over errors, with DISTINCT, of one value; ORDER BY across types",
        main=mix("* errors*8 things*2 things+optional errors+optional"),
        heads=("select", *("aggregate",) * 6, "order", "order"),
        needs=frozenset({"aggregates", "typed-literals"}),
        extras=WIDE,
        spreads=(4, 6),
    ),
    "rdf-star": Focus(
        "quoted triples in streams and background data: annotations, nested ones, in results",
        main=mix(
            "* quoted*8 quoted+window quoted+multi-triple*2 quoted+quoted-bind quoted+static "
            "quoted+optional quoted+named-elements quoted-bind"
        ),
        extra=mix("*8 filter exists"),
        heads=(*("select",) * 6, "distinct", "construct", "aggregate"),
        extras=WIDE,
        spreads=(3, 4, 6),
        rhythms=_DENSE,
    ),
    "uncertainty": Focus(
        "uncertainty functions over distributions in streams",
        main=mix("* uncertain+filter*2 uncertain+bind*8 uncertain+filter+bind*4"),
        extra=mix("*8 join optional"),
        needs=frozenset({"typed-literals"}),
        any_of=frozenset({"filter", "bind"}),
        extras=WIDE,
        sizes=_MANY,
        spreads=(3, 4, 6),
        rhythms=_DENSE,
    ),
}

FOCUSES: dict[str, Focus] = {
    name: replace(focus, needs=focus.needs | ({name} & FEATURES.keys()))
    for name, focus in _FOCUSES.items()
}
"""The foci by name; one that is called after a feature needs it."""

FOCUSES["triple-terms"] = replace(
    FOCUSES["rdf-star"],
    description="RDF 1.2 triple terms, which are objects only",
    main=mix(
        "* said*6 said+multi-triple*2 said+quoted-bind said+static quoted-bind "
        "said+window said+named-elements*2 said+optional"
    ),
    needs=frozenset({"triple-terms"}),
)

FOCUSES |= {
    name: replace(FOCUSES["r2s"], description=f"{name.upper()} alone", operators=letter)
    for name, letter in (("rstream", "R"), ("istream", "I"), ("dstream", "D"))
}
FOCUSES["silence"] = replace(
    FOCUSES["report"], description="silences longer than any window", rhythms=(SILENT,)
)


def focus_named(name: str | None) -> Focus:
    """The focus NAME, ``any`` for None; ValueError for one that is not there."""
    key = name or "any"
    if key not in FOCUSES:
        raise ValueError(f"unknown focus {key!r} (the foci are {', '.join(FOCUSES)})")
    return FOCUSES[key]


def applicable(focus: str, features: frozenset[str], profile: Profile | Dials) -> bool | str:
    """True, or the reason why FOCUS means nothing under FEATURES and PROFILE."""
    wanted = focus_named(focus)
    permitted = limits(features, profile)
    if missing := sorted(wanted.needs - permitted.features):
        return MissingFeatures(*missing)
    if wanted.any_of and not wanted.any_of & permitted.features:
        return f"the engine declares none of the features {', '.join(sorted(wanted.any_of))}"
    if not any(permitted.features >= REQUIRED[head] for head in wanted.heads):
        return f"the engine declares no form of query that {focus} is about"
    letters = {operator.letter for operator in permitted.operators}
    if wanted.operators and not letters & set(wanted.operators):
        names = [o.value for o in StreamOperator if o.letter in wanted.operators]
        only = f"neither {' nor '.join(names)}" if len(names) > 1 else f"no {names[0]}"
        return f"engine and profile allow {only}"
    if wanted.named and permitted.default_windows:
        return "the profile merges every window into the default graph"
    return True
