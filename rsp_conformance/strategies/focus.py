"""What a property of the suite wants its cases to be about.

A focus weighs clauses, it forces none: each stays away with some chance, so shrinking can drop
what does not matter to a failure, the clause that the focus is named after included.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import FEATURES, MissingFeatures
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.strategies.clause_weights import (
    ANY,
    BURSTS,
    EXTRAS,
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


_TABLE = """
any: everything that the features allow
    main any; extra rarely any;
    heads select*6 distinct aggregate*2 having order limit ask construct;
    slides 1 2 3 2 1 2 3 4 none; gaps -1
windows: bounds of windows: tumbling, sliding, with gaps, widths that are no multiple of slides
    main *8 join multi-triple*7 bystander; extra; heads select*7 aggregate;
    slides 1 2 3 4 5 2 3 none; gaps -1 -1 -2; spreads 6 12
report: when answers come: closes, changes, silences, windows without content
    main *6 join filter bystander*2; extra *6 window again; heads select*4 aggregate;
    rhythms steady slow silent silent; slides 1 2 3 4 2 3; gaps -1
join: joins of elements that come at different instants
    main * join*6 window*3 join+window join+again; rhythms dense; extras wide; sizes many;
    spreads 2 3 4
multi-window: windows over several streams
    main * window*7 window+union window+join window+static window+again;
    extra *10 filter optional numbers; rhythms dense; sizes many; spreads 2 3 4
same-stream-windows: several windows over one stream
    main * again*6 again+window; extra *10 filter optional numbers; rhythms dense; sizes many;
    spreads 2 3 4
static: background data in the default graph
    main * static*6 static+window static+join; extra *8 optional*2 filter union; needs static-data;
    rhythms dense; spreads 3 4
time-varying: background data that changes between evaluations
    main * varying*6 graph-varying*2; extra *8 optional filter; needs time-varying-data;
    any_of named-graphs static-data; sizes 0 4 5 6; spreads 3 4
named-graphs: background data in named graphs, GRAPH
    main * graph*5 graph+static graph-varying window-graph; extra *8 optional filter
aggregates: GROUP BY, HAVING and the aggregates, also of nothing
    main * numbers*5 join static optional multi-triple;
    heads select aggregate*4 having*4 aggregate*4
optional: OPTIONAL, often with rows that find no match
    main * optional*6 optional+window*2 optional+static*2 optional+numbers; extra *8 filter*2 join;
    extras wide; spreads 3 4
union: UNION within a window and across windows
    main * union*8 union+window*2 union+static; rhythms dense; extras wide; sizes many;
    spreads 2 2
filter: FILTER and BIND, also over expressions that are errors
    main * filter*2 filter+numbers*5 filter+optional*2 filter+bind filter+numbers*6;
    extra *6 join static window bind; spreads 4 6 12
order: ORDER BY with several rows, LIMIT and OFFSET where the order is total
    main * numbers*5 join static; extra *10 optional filter; heads select order*6 limit*3;
    rhythms steady bursts bursts; extras wide; sizes 0 5 6 8; spreads 12
distinct: DISTINCT, with rows that repeat within an evaluation and between evaluations
    main *8 numbers join static window; heads select distinct*8; rhythms steady steady slow;
    extras 0 3 4 5 6 4; sizes many; spreads 2 2 3
r2s: ISTREAM and DSTREAM, with rows that stay, come and go
    main *5 join numbers static varying optional; heads select*6 aggregate construct; operators ID;
    extras 0 1 2 3 4 2; gaps -1; spreads 2 3 4
duplicates: equal elements at one instant and later, rows that repeat
    main *6 join window union multi-triple*3; extra; heads select*5 aggregate*2;
    rhythms steady bursts; spreads 2 3 2
contemporaneous: several elements at one instant
    main *5 join*2 window*2; extra; heads select*5 aggregate; rhythms bursts; gaps -1;
    spreads 3 6 12
gaps: windows with a slide above their width, and silences longer than a window
    main *8 join window; extra; heads select*5 aggregate; needs gap-windows;
    rhythms steady slow silent; slides 1 2 3 4 5; extras 0; gaps -1 -2 -1 -2 -3
long: many elements and evaluations: drift, silence after a while
    main *6 join window; extra; heads select*5 aggregate; rhythms steady steady slow;
    sizes 0 14 16 18; most 30
construct: CONSTRUCT
    main *4 join*2 window static optional*2; heads construct; rhythms dense; spreads 3 4 6
ask: ASK, answered true and false
    main *4 join*2 window static filter*2; heads ask; rhythms steady slow silent
window-variable: WINDOW ?w
    main * window-variable*5 window-variable+join window-variable+static window-variable*5; named;
    rhythms dense; extras wide; sizes many
values-literals: numbers with unequal lexical forms, language tags, VALUES
    main * lexical*4 tags*2 lexical+join values tags+values; extra *8 filter*3 join static;
    heads select*5 distinct aggregate; any_of language-tags typed-literals
blank-nodes: blank nodes in streams and background data
    main * blank-nodes*4 blank-nodes+join*2 blank-nodes+window blank-nodes+static*2
        blank-nodes+optional;
    extra *10 filter; heads select*6 distinct construct aggregate; spreads 3 4
named-elements: stream elements that are named graphs (RSP-QL*)
    main * named-elements*6 named-elements+window; named
minus: MINUS inside a window and around windows, with and without a shared variable
    main * minus*6 minus+window*3 minus+static*2 minus+graph minus+optional;
    extra *8 filter join exists; rhythms dense; extras wide; sizes many; spreads 3 4
exists: EXISTS and NOT EXISTS inside a window, with WINDOW and GRAPH inside them
    main * exists*6 exists+window*3 exists+static*2 exists+graph*2;
    extra *12 filter join optional minus; needs filter; rhythms dense; spreads 2 3 4
subqueries: subqueries inside a window, around windows and beside them
    main * subquery*6 subquery+join subquery+window*2 subquery+static;
    extra *8 filter numbers optional; heads select*6 distinct aggregate order; needs select;
    rhythms dense; extras wide; spreads 3 4
values: VALUES with UNDEF, several columns, inside a group and at the end
    main * inline*6 inline+numbers inline+window inline+optional*2; extra *8 filter join static;
    heads select*6 distinct aggregate ask construct; rhythms dense; extras wide; spreads 3 4 6
paths: property paths over elements of a window and over background data
    main * paths*8 paths+static*2 paths+join paths+graph paths+optional;
    extra *8 filter numbers minus; heads select*10 distinct aggregate ask; rhythms dense;
    extras wide; sizes many; spreads 3 4
functions: SPARQL's functions and casts in FILTER, BIND and SELECT, their errors included
    main * function-filter*4 function-bind*4 function-filter+function-bind function-filter+tags
        function-bind+tags function-bind+optional;
    extra *8 join window; any_of bind filter; spreads 4 6 12
errors: aggregates over errors, with DISTINCT, of one value; ORDER BY across types
    main * errors*8 things*2 things+optional errors+optional; heads select aggregate*6 order*2;
    needs aggregates typed-literals; extras wide; spreads 4 6
rdf-star: quoted triples in streams and background data: annotations, nested ones, in results
    main * quoted*8 quoted+window quoted+multi-triple*2 quoted+quoted-bind quoted+static
        quoted+optional quoted+named-elements quoted-bind;
    extra *8 filter exists; heads select*6 distinct construct aggregate; rhythms dense; extras wide;
    spreads 3 4 6
terms: a variable twice in a triple pattern, literals in patterns, odd strings, names and prefixes
    main * prefixes+filter*6 repeated-variables*5 odd-strings*7 pattern-literals*6 keyword-names*4
        repeated-variables+join keyword-names+graph keyword-names+window keyword-names+join
        odd-strings+pattern-literals odd-strings+filter prefixes+bind+filter
        repeated-variables+static;
    extra *12 join filter; spreads 4 6
uncertainty: uncertainty functions over distributions in streams
    main * uncertain+filter*2 uncertain+bind*8 uncertain+filter+bind*4; extra *8 join optional;
    needs typed-literals; any_of bind filter; rhythms dense; extras wide; sizes many; spreads 3 4 6
triple-terms: RDF 1.2 triple terms, which are objects only
    main * said*6 said+multi-triple*2 said+quoted-bind said+static quoted-bind said+window
        said+named-elements*2 said+optional; like rdf-star; needs triple-terms
rstream: RSTREAM alone
    like r2s; operators R
istream: ISTREAM alone
    like r2s; operators I
dstream: DSTREAM alone
    like r2s; operators D
silence: silences longer than any window
    like report; rhythms silent
"""
"""The foci: name and description, then fields of ``Focus`` with their values, ``;`` between them.

``like`` names a focus whose other fields are taken. A word may stand for a sequence: ``many``
elements, ``wide`` windows and ``dense`` rhythms let several patterns meet. ``a+b*3`` is three
entries of both clauses, ``*6`` six of none.
"""

_RHYTHMS = {"steady": STEADY, "slow": SLOW, "bursts": BURSTS, "silent": SILENT}
_WORDS: dict[str, Any] = {
    "main any": ANY,
    "extra rarely any": (*RARELY, *ANY),
    "rhythms dense": (STEADY, STEADY, BURSTS),
    "extras wide": WIDE,
    "sizes many": (0, 4, 5, 6, 8, 6, 8),
}


def _number(word: str) -> int | None:
    return None if word == "none" else int(word)


_READ: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("main", "extra"), mix),
    **dict.fromkeys(("needs", "any_of"), lambda text: frozenset(text.split())),
    **dict.fromkeys(
        ("slides", "extras", "gaps", "sizes", "spreads"),
        lambda text: tuple(map(_number, text.split())),
    ),
    "heads": lambda text: tuple(head for entry in mix(text) for head in entry),
    "rhythms": lambda text: tuple(_RHYTHMS[word] for word in text.split()),
    **dict.fromkeys(("like", "operators"), str),
    "named": lambda _: True,
    "most": int,
}


def _value(text: str) -> tuple[str, Any]:
    """A field and its value out of TEXT."""
    field, _, value = " ".join(text.split()).partition(" ")
    word = _WORDS.get(f"{field} {value}")
    return field, _READ[field](value) if word is None else word


def _foci() -> dict[str, Focus]:
    """The foci of the table; one that is called after a feature needs it."""
    known: dict[str, Focus] = {}
    for name, description, text in re.findall(r"(?m)^(\S+): (.+)\n((?: .+\n)+)", _TABLE):
        fields = dict(map(_value, text.split(";")))
        like = known.get(fields.pop("like", ""))
        if like is None:
            needs = fields.pop("needs", frozenset()) | ({name} & FEATURES.keys())
            like = Focus("", needs=needs)
        known[name] = replace(like, description=description, **fields)
    return known


FOCUSES = _foci()
"""The foci by name."""


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
