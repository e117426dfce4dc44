"""Random cases over all dials, and what it takes to run a case on the reference engine.

Plain random choices from a seed, apart from the kit's own strategies: those write what engines
can be expected to run, these write whatever the grammar has.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import BOUNDS, DIALS, Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import XSD, BlankNode, GraphName, Literal, Term, Triple
from rsp_conformance.protocol import Reply, read_run, run_request
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query
from tests.builders.terms import PREFIXES, iri


def run(case: Case, dials: Dials, pacing: str = "burst", **options: str) -> tuple[Observed, ...]:
    """What a reference engine with OPTIONS answers CASE under DIALS."""
    request = message(case, dials, options.get("advances", "clock")) | {"pacing": pacing}
    return observed(engine(dials, **options).run(request), request)


def observed(reply: Mapping[str, Any], request: Mapping[str, Any]) -> tuple[Observed, ...]:
    """The answers of REPLY to REQUEST, which must not be an error."""
    read = read_run(reply, elements=len(request["elements"]))
    assert isinstance(read, Reply), read
    return read.answers


def engine(dials: Dials, **options: str) -> ReferenceEngine:
    """A reference engine under DIALS."""
    return ReferenceEngine({f"dial.{name}": dials.text(name) for name in DIALS} | options)


def message(case: Case, dials: Dials, advances: str = "clock") -> dict[str, Any]:
    """The request for CASE."""
    text = print_query(case.query, duration="instants", unit=dials.unit)
    return run_request(case, dials, id="case", query_text=text, advances=advances)


# Random cases.

_SUBJECTS = (iri("a"), iri("b"), BlankNode("x"))
_PREDICATES = (iri("p"), iri("p"), iri("q"))
_OBJECTS: tuple[Term, ...] = (
    *_SUBJECTS,
    Literal("1", XSD + "integer"),
    Literal("01", XSD + "integer"),
    Literal("2", XSD + "integer"),
    Literal("1.50", XSD + "decimal"),
    Literal("1e0", XSD + "double"),
    Literal("x"),
    Literal("x", language="EN"),
    Literal("y"),
    Literal("true", XSD + "boolean"),
)
_CONSTANTS = (":a", ":b", "1", "01", "2", "1.5", "1e0", '"x"', '"x"@en', '"y"', "true")
_EXPRESSIONS = (
    "{v} = {w}",
    "{v} != {c}",
    "{v} < {c}",
    "{v} >= {w}",
    "{v} + {w}",
    "{v} * {c}",
    "{v} - 1",
    "{v} / {w}",
    "BOUND({v})",
    "!BOUND({v})",
    "{v} IN ({c}, {w})",
    "{v} NOT IN ({c}, 2)",
    "ISIRI({v})",
    "ISBLANK({v})",
    "ISNUMERIC({v})",
    "STR({v})",
    "STR({v}) = {c}",
    "DATATYPE({v})",
    "LCASE(LANG({v}))",  # engines may keep tags in lower case
    "SAMETERM({v}, {w})",
    "SAMETERM({v} + 0, {c})",
    "COALESCE({v}, {w}, {c})",
    "IF({v} = {c}, {w}, {v})",
    "IF(BOUND({v}), {c}, {w}) = {v}",
    "{v} = {c} || {w} > 0",
    "{v} = {c} && {w} > 0",
    "!({v} = {w})",
    "{v}",
    "STRLEN(STR({v}))",
    "UCASE(STR({v}))",
    "ABS({v})",
    "xsd:integer({v})",
    "xsd:double({v})",
    "xsd:decimal({v})",
    "xsd:string({v})",
    "xsd:boolean({v})",
)
_AGGREGATES = (
    "COUNT(*)",
    "COUNT({v})",
    "COUNT(DISTINCT {v})",
    "COUNT(DISTINCT *)",
    "SUM({v})",
    "SUM(DISTINCT {v})",
    "AVG({v})",
    "AVG(DISTINCT {v})",
    "MIN({v})",
    "MAX({v})",
    "SAMPLE({v})",
    "GROUP_CONCAT({v})",
    "GROUP_CONCAT(DISTINCT {v} ; SEPARATOR = ',')",
    "SUM({v}) + COUNT(*)",
)
_POLICIES = (
    "WC",
    "NC",
    "CC",
    "P(2)",
    "WC & NC",
    "CC & NC",
    "CC | P(3)",
    "!NC",
    "!CC & NC",
    "WC | P(3)",
    "WC & !NC",
    "COMPUTED EVERY 2",
    "COMPUTED EVERY 3 | CC",
    "WC[w0]",
    "WC[w0] & NC[w1]",
    "CC[w1]",
    "CC[w0] | CC[w1]",
    "P(2)[w1]",
)


class CaseMaker:
    """One random case and one random setting of the dials, from a random generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._fresh = 0

    def make(self) -> tuple[Case, Dials]:
        rng = self.rng
        dials = self._dials()
        streams = ("s", "s", "r")[: rng.randint(2, 3)]
        windows = [
            (f"w{i}", rng.choice(streams), rng.randint(1, 5), rng.randint(1, 4))
            for i in range(rng.choice((1, 1, 2, 2, 3)) if "[w" not in str(dials.report) else 2)
        ]
        self._names = [name for name, *_ in windows]
        registered = rng.choice((0, 0, 0, 1, 3))
        until = registered + rng.randint(4, 14)
        query = parse_query(PREFIXES + self._query(windows, dials))
        case = Case(
            query,
            self._elements(streams, registered, until),
            self._background(until),
            registered,
            until,
            tuple(iri(name) for name in ("s", "r")),
        )
        return case, dials

    def _dials(self) -> Dials:
        rng = self.rng
        maybe = rng.random
        tick = rng.choice(("time", "tuple"))
        answer_time = rng.choice(("evaluation", "evaluation", "arrival", "none"))
        if tick == "tuple" and answer_time == "none":
            # At most t_s - a answers may come before the compared ones (SEMANTICS 5); this tick
            # can have more at an instant, so right engines are found wrong.
            answer_time = "arrival"
        return Dials().with_dials(
            {
                "bounds": rng.choice(BOUNDS),
                "window": rng.choice(("active", "active", "last-closed", "last-closed-inclusive")),
                "t0": rng.choice(
                    (
                        *("any",) * 6,
                        "registration",
                        "first-element",
                        "first-element-floor(3)",
                        "aligned-open",
                        "aligned-close",
                        "first-aligned-open",
                        "first-aligned-close",
                        "first-element-close",
                        "first-element-close-floor(3)",
                        -2,
                        1,
                    )
                ),
                "report": rng.choice(_POLICIES),
                "report_windows": rng.choice(("any", "all", "first")),
                "content_change": rng.choice(("insertions", "any")),
                "tick": tick,
                "r2s": rng.choice(("bag", "set", "membership", "elements")),
                "clock": rng.choice(("any", "own")),
                "literals": rng.choice(("term", "canonical")),
                "empty_group": rng.choice(("row", "none")),
                "window_content": rng.choice(("set", "bag")),
                "windows_in": "default" if maybe() < 0.15 else "named",
                "empty_answers": rng.choice(("yes", "no")),
                "answer_time": answer_time,
                "trigger": rng.choice((">", ">=")),
                "numbers": rng.choice(("term", "value")),
                "graph_variable": rng.choice(("windows", "background")),
            }
        )

    def _elements(
        self, streams: tuple[str, ...], start: int, end: int
    ) -> tuple[StreamElement, ...]:
        rng = self.rng
        instants = sorted(rng.randint(start, end) for _ in range(rng.choice((0, 2, *range(3, 13)))))
        named = rng.random() < 0.15
        elements: list[StreamElement] = []
        for index, t in enumerate(instants):
            if elements and rng.random() < 0.15 and not named:
                previous = rng.choice(elements)
                elements.append(StreamElement(previous.stream, t, previous.graph))
                continue
            name: GraphName | None = None
            if named and rng.random() < 0.7:
                name = BlankNode(f"e{index}") if rng.random() < 0.3 else iri(f"e{index}")
            graph = tuple(self._triple() for _ in range(rng.choice((1, 1, 2))))
            elements.append(StreamElement(iri(rng.choice(streams)), t, graph, name))
        return tuple(elements)

    def _triple(self) -> Triple:
        rng = self.rng
        return Triple(rng.choice(_SUBJECTS), rng.choice(_PREDICATES), rng.choice(_OBJECTS))

    def _background(self, until: int) -> Background:
        rng = self.rng
        entries = []
        for _ in range(rng.choice((0, 0, 1, 2, 3))):
            since = rng.randint(0, until) if rng.random() < 0.3 else None
            last = rng.randint(since or 0, until) if rng.random() < 0.3 else None
            names: tuple[GraphName | None, ...]
            names = (None, None, iri("g"), iri("h"), iri("w0"), BlankNode("g"))
            triples = tuple(self._triple() for _ in range(rng.randint(1, 3)))
            entries.append(BackgroundEntry(triples, rng.choice(names), since, last))
        return Background(tuple(entries))

    def _query(self, windows: list[tuple[str, str, int, int]], dials: Dials) -> str:
        rng = self.rng
        operator = rng.choice(("", "", "REGISTER RSTREAM :o AS ", "REGISTER ISTREAM :o AS "))
        if rng.random() < 0.15:
            operator = "REGISTER DSTREAM :o AS "
        self._windows_usable = dials.windows_in == "named"
        clauses = "".join(
            f"FROM {rng.choice(('NAMED ',) * 4 + ('',))}WINDOW :{name} ON STREAM :{stream} "
            f"[RANGE {width} STEP {slide}]\n"
            for name, stream, width, slide in windows
        )
        if rng.random() < 0.1:
            clauses += f"FROM {rng.choice(('', 'NAMED '))}:{rng.choice('gh')}\n"
        where = f"WHERE {{ {self._group(rng.choice((0, 0, 1, 2)), True)} }}\n"
        kind = rng.random()
        if kind < 0.08:
            return f"{operator}ASK\n{clauses}{where}"
        if kind < 0.2:
            template = rng.choice(
                ("?x :p ?y", "?x :q _:n . _:n :p ?y", ":a ?x ?y", "?y ?x 1", "?x :p 01 . ?z :q ?y")
            )
            return f"{operator}CONSTRUCT {{ {template} }}\n{clauses}{where}"
        if kind < 0.4:
            return self._grouped(operator, clauses, where)
        select = rng.choice(("*", "?x ?y", "?x", "?y ?z", "?nowhere ?x"))
        if rng.random() < 0.2:
            select = f"?x ({self._expression()} AS ?made)"
        distinct = rng.choice(("", "", "", "DISTINCT "))
        order = ""
        if rng.random() < 0.25:
            order = f"ORDER BY {rng.choice(('?x', 'DESC(?y)', '?y ?x', '?x DESC(?z)'))}\n"
            if rng.random() < 0.3:
                order += f"LIMIT {rng.randint(0, 3)} OFFSET {rng.randint(0, 1)}\n"
        values = "VALUES ?x { :a 1 UNDEF }\n" if rng.random() < 0.05 else ""
        return f"{operator}SELECT {distinct}{select}\n{clauses}{where}{order}{values}"

    def _grouped(self, operator: str, clauses: str, where: str) -> str:
        rng = self.rng
        key = rng.choice(("", "?x", "?y", "?x ?y", "(STR(?x) AS ?k)"))
        shown = {"(STR(?x) AS ?k)": "?k"}.get(key, key)
        aggregate = rng.choice(_AGGREGATES).format(v=rng.choice(("?x", "?y", "?z")))
        group = f"GROUP BY {key}\n" if key else ""
        having = ""
        if rng.random() < 0.25:
            having = f"HAVING ({rng.choice(('COUNT(*) > 1', 'SUM(?y) < 3', 'MIN(?x) != 2'))})\n"
        return f"{operator}SELECT {shown} ({aggregate} AS ?n)\n{clauses}{where}{group}{having}"

    def _variable(self) -> str:
        return self.rng.choice(("?x", "?x", "?y", "?y", "?z"))

    def _expression(self) -> str:
        rng = self.rng
        return rng.choice(_EXPRESSIONS).format(
            v=self._variable(), w=self._variable(), c=rng.choice(_CONSTANTS)
        )

    def _part(self) -> str:
        rng = self.rng
        return self._variable() if rng.random() < 0.88 else rng.choice(_CONSTANTS)

    def _triples(self) -> str:
        rng = self.rng
        triples = []
        label = self._fresh = self._fresh + 1
        for _ in range(rng.choice((1, 1, 1, 1, 2))):
            subject = "?x" if rng.random() < 0.75 else rng.choice(("?y", "?z", ":a", f"_:n{label}"))
            predicate = rng.choice((":p", ":p", ":q", "?p", "?p"))
            value = rng.choice(("?y", "?y", "?y", "?z", "?z", self._part(), f"_:n{label}"))
            triples.append(f"{subject} {predicate} {value} .")
        return " ".join(triples)

    def _group(self, depth: int, outside: bool) -> str:
        rng = self.rng
        parts = []
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3)[: 4 + depth])):
            kind = rng.random()
            inner = depth - 1
            first = not parts
            if outside and self._windows_usable and (first or kind < (0.5 if depth else 0.8)):
                name = rng.choice([f":{n}" for n in self._names] * 5 + ["?w", "?w", "?x", ":none"])
                parts.append(f"WINDOW {name} {{ {self._group(max(inner, 0), False)} }}")
            elif depth <= 0 or kind < 0.62:
                parts.append(self._triples())
            elif kind < 0.69:
                parts.append(f"OPTIONAL {{ {self._group(inner, outside)} }}")
            elif kind < 0.75:
                parts.append(
                    f"{{ {self._group(inner, outside)} }} UNION {{ {self._group(inner, outside)} }}"
                )
            elif kind < 0.81:
                parts.append(f"FILTER({self._expression()})")
            elif kind < 0.87:
                self._fresh += 1
                parts.append(f"BIND({self._expression()} AS ?b{self._fresh})")
            elif kind < 0.94:
                name = rng.choice((":g", ":w0", ":w1", "?g", "?g", "?x", ":none", ":e0"))
                parts.append(f"GRAPH {name} {{ {self._group(inner, outside)} }}")
            elif kind < 0.97:
                parts.append("VALUES (?x ?y) { (:a 1) (UNDEF 01) (:b UNDEF) }")
            else:
                parts.append(f"{{ {self._group(inner, outside)} }}")
        return " ".join(parts)
