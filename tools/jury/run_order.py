"""Terms in the order of ORDER BY: pairs that 15.1 orders, and where the jurors put them.

A juror sorts some terms upwards and downwards. What comes first upwards and last downwards is
less to it; what does not turn round is tied, for a sort leaves ties as they were. Pairs that the
specification leaves tied may come in any order and are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from rsp_conformance.model.terms import IRI, RDF, Term, Triple
from rsp_conformance.sparql.order import ranking
from tools.jury.classes import GAVE_UP, SPECIFICATION, partition
from tools.jury.expressions import TABLE, row_name, row_number, value_property
from tools.jury.groups import Example, Groups, Key
from tools.jury.jurors import Data, Juror
from tools.jury.terms import UNBOUND, kind_of, term_of

TERMS = 40
"""Terms of one query: their pairs are many more."""
ABOUT = "ORDER BY"
_QUERY = "SELECT ?r {{ ?r a <urn:jury:row> OPTIONAL {{ ?r <{}> ?a }} }} ORDER BY {}(?a)"
_BEFORE, _TIED, _AFTER = "first", "tied", "last"


def run(
    jurors: Sequence[Juror], seed: int, wanted: int, groups: Groups, tell: Callable[[int], None]
) -> int:
    """At least WANTED pairs, differences added to GROUPS; how many there were."""
    done = batch = 0
    while done < wanted:
        random = Random(f"{seed} order {batch}")
        done += _compare(jurors, terms_in_order(random), groups)
        batch += 1
        tell(done)
    return done


def terms_in_order(random: Random) -> list[Term | None]:
    """Terms of four kinds, of which 15.1 orders all: one that it does not spoils any sort."""
    kinds = random.sample(TABLE["groups"]["any"], 4)
    terms: list[Term | None] = []
    for _ in range(TERMS):
        term = term_of(kinds, random)
        if ranking((*terms, term)) is not None:
            terms.append(term)
    return terms


def data(terms: Sequence[Term | None]) -> list[Triple]:
    """A row for each of TERMS, without a value for None."""
    kind, of = IRI(RDF + "type"), IRI("urn:jury:row")
    triples = []
    for number, term in enumerate(terms):
        triples.append(Triple(row_name(number), kind, of))
        if term is not None:
            triples.append(Triple(row_name(number), value_property("a"), term))
    return triples


def _compare(jurors: Sequence[Juror], terms: Sequence[Term | None], groups: Groups) -> int:
    places = {}
    for juror in jurors:
        juror.load(Data(data(terms)))
        places[juror.name] = [_places(juror, direction) for direction in ("ASC", "DESC")]
    order = ranking(terms)
    assert order is not None
    ranks = order.ranks
    compared = 0
    for one, other in combinations(range(len(terms)), 2):
        left, right = ranks[terms[one]], ranks[terms[other]]
        if left == right:
            continue
        compared += 1
        ours = _BEFORE if left < right else _AFTER
        said = {SPECIFICATION: ours} | {
            name: _said(upwards, downwards, one, other)
            for name, (upwards, downwards) in places.items()
        }
        parted = partition(said, str.__eq__, str)
        if not parted.agreed:
            pair = terms[one], terms[other]
            kinds = tuple([UNBOUND if term is None else kind_of(term) for term in pair])
            groups.add(Key(ABOUT, kinds, parted), Example(f"{pair[0]!r} and {pair[1]!r}", said))
    return compared


def _places(juror: Juror, direction: str) -> dict[int, int]:
    """Where each row stands; empty where JUROR gives up."""
    text = _QUERY.format(value_property("a").value, direction)
    try:
        rows = juror.select(text, ["r"])
    except Exception:  # of any class, as `Juror.select` says
        return {}
    return {row_number(row[0]): place for place, row in enumerate(rows)}


def _said(upwards: dict[int, int], downwards: dict[int, int], one: int, other: int) -> str:
    if not upwards or not downwards:
        return GAVE_UP
    first = upwards[one] < upwards[other]
    if first == (downwards[one] < downwards[other]):
        return _TIED
    return _BEFORE if first else _AFTER
