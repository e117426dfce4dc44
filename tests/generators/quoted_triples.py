"""Random cases about quoted triples: every pattern is a statement of the data with variables in it.

Unlike the strategies they care neither for what an engine can do nor for what a person would write:
patterns quote within quotes on both sides, share variables across the layers, and stand in every
operator that the definitions evaluate.
"""

from __future__ import annotations

from random import Random

from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import (
    IRI,
    XSD_DECIMAL,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Subject,
    Term,
    Triple,
)
from rsp_conformance.text.ntriples import write_term
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import EX, iri

NODES: list[Subject] = [iri("a"), iri("b"), BlankNode("n")]
PREDICATES = [iri("p"), iri("q")]
LITERALS = [
    Literal("1", XSD_INTEGER),
    Literal("1.0", XSD_DECIMAL),
    Literal("x", language="en"),
    Literal("x"),
    Literal("odd", EX + "type"),
]
EXPRESSIONS = (
    "isTRIPLE({0})", "SUBJECT({0})", "OBJECT({0})", "PREDICATE({0})", "{0} = {1}", "{0} != {1}",
    "sameTerm({0}, {1})", "{0} IN ({1}, << :a :p 1.0 >>)", "STR({0})", "isIRI({0})", "{0} < {1}",
    "TRIPLE({0}, :p, {1})", "<< {0} :q << :a :p {1} >> >>", "COALESCE(SUBJECT({0}), {1})",
    "IF(isTRIPLE({0}), OBJECT({0}), {1})", "isLITERAL(OBJECT({0}))", "BOUND({0})", "{0}",
)  # fmt: skip


class CaseMaker:
    """Makes one case from one source of chance."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.statements = [self.statement(2) for _ in range(random.randint(2, 6))]
        self.joined = True
        self.names: dict[Term, str] = {}
        self.named = random.random() < 0.4

    def statement(self, depth: int) -> Triple:
        """A triple, often one about triples."""
        random = self.random
        subject: Subject = random.choice(NODES)
        value: Term = random.choice([*NODES, *LITERALS])
        if depth and random.random() < 0.6:
            subject = self.statement(depth - 1)
        if depth and random.random() < 0.4:
            value = self.statement(depth - 1)
        return Triple(subject, random.choice(PREDICATES), value)

    def known(self) -> str:
        """A variable for an expression or a template."""
        return f"?v{self.random.randrange(len(self.names) + 1)}"

    def variable(self, term: Term) -> str:
        """The variable for TERM, one for all its places but where chance has another."""
        name = self.names.setdefault(term, f"?v{len(self.names)}")
        return name if self.random.random() < 0.93 else self.known()

    def part(self, term: Term) -> str:
        """TERM in a pattern, with variables for some of what it is made of."""
        if self.random.random() < 0.45:
            return self.variable(term)
        if isinstance(term, Triple):
            return f"<< {' '.join(map(self.part, term))} >>"
        if isinstance(term, BlankNode):
            return "[]" if self.random.random() < 0.5 else self.variable(term)
        return write_term(term)

    def bgp(self) -> str:
        """One or two statements of the data as patterns."""
        chosen = self.random.choices(self.statements, k=self.random.choice((1, 1, 2)))
        return " . ".join(" ".join(self.part(part) for part in triple) for triple in chosen)

    def expression(self) -> str:
        form = self.random.choice(EXPRESSIONS)
        return form.format(self.known(), self.known())

    def group(self, depth: int = 1) -> str:
        """A basic graph pattern, and something more."""
        text = self.bgp()
        inner = self.group(depth - 1) if depth else self.bgp()
        match self.random.randrange(10):
            case 0:
                return f"{text} OPTIONAL {{ {inner} }}"
            case 1:
                return f"{{ {text} }} UNION {{ {inner} }}"
            case 2 if depth:
                # Not within OPTIONAL, nor beside what is joined: pyoxigraph then takes variables
                # that are bound outside for shared ones.
                self.joined = False
                return f"{text} MINUS {{ {inner} }}"
            case 3:
                return f"{text} FILTER {self.random.choice(('', 'NOT '))}EXISTS {{ {self.bgp()} }}"
            case 4:
                return f"{text} BIND({self.expression()} AS ?new)"
            case 5 | 6:
                return f"{text} FILTER({self.expression()})"
            case 7:
                grounds = [s for s in self.statements if not self.has_nodes(s)]
                terms = " ".join(map(write_term, grounds))
                return f"VALUES {self.known()} {{ {terms} UNDEF }} {text}"
            case _:
                return text

    def has_nodes(self, term: Term) -> bool:
        if isinstance(term, Triple):
            return any(map(self.has_nodes, term))
        return isinstance(term, BlankNode)

    def query(self) -> str:
        """A query over one window, of any form."""
        group = self.group()
        if self.named and self.random.random() < 0.9:
            group = f"GRAPH ?g {{ {group} }}"
        where = f"WINDOW :w {{ {group} }}"
        if self.joined and self.random.random() < 0.25:
            where = f"{where} {self.bgp()}"
        head, tail = self.random.choice(
            (
                *[("SELECT *", "")] * 4,
                ("SELECT DISTINCT ?v0 ?v1", ""),
                ("SELECT ?v0 (COUNT(*) AS ?n) (COUNT(DISTINCT ?v1) AS ?m)", "GROUP BY ?v0"),
                ("SELECT ?v0 ?v1", "ORDER BY ?v0"),
                (f"CONSTRUCT {{ {self.template()} }}", ""),
                ("ASK", ""),
            )
        )
        window = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]"
        return f"PREFIX : <{EX}> {head} {window} WHERE {{ {where} }} {tail}"

    def template(self) -> str:
        x, y = self.known(), self.known()
        return self.random.choice(
            (f"{x} :r {y}", f"<< {x} :r {y} >> :r [ :r {x} ]", f":a :r << << {x} :r 1 >> :r {y} >>")
        )

    def make(self) -> tuple[Case, Dials]:
        """The case, and dials under which it is judged."""
        random = self.random
        elements = []
        for number in range(random.randint(2, 5)):
            graph = random.choices(self.statements, k=random.randint(1, 3))
            name = IRI(f"{EX}g{number}") if self.named else None
            elements.append(StreamElement(iri("s"), number + 1, tuple(graph), name))
        background = Background((BackgroundEntry(tuple(self.statements[:4])),))
        case = Case(parse_query(self.query()), tuple(elements), background, until=7)
        return case, Dials(t0=0, window_content=random.choice(("set", "bag")), numbers="term")
