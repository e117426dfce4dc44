"""Random queries: every tree of the algebra that some text means."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, get_args

from hypothesis import strategies as st

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    PatternTerm,
    Service,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.query import Form, GroupKey, OrderKey, Projection, Query, StreamOperator
from rsp_conformance.model.terms import IRI, RDF, XSD, BlankNode, Literal, Term, Triple
from rsp_conformance.model.windows import Count, Duration, Reach, Unit, WindowDeclaration
from rsp_conformance.text.builtin_functions import ARGUMENTS

Draw = Callable[[st.SearchStrategy[Any]], Any]

PREFIXES = (
    ("", "http://ex.org/"),
    ("ex", "http://ex.org/deep/"),
    ("x-1.y", "urn:x:"),
    ("xsd", XSD),
)
iris = st.sampled_from(
    "http://ex.org/a http://ex.org/b http://ex.org/ http://ex.org/deep/c http://ex.org/deep/ "
    "http://ex.org/a.b http://ex.org/-a http://ex.org/a- http://ex.org/1 http://ex.org/\u00fc "
    "http://ex.org/%20 http://ex.org/a/b http://ex.org/a\u00b2 urn:x:y urn:x: mailto:a@b.c "
    "relative http://ex.org/#f".split()
).map(IRI) | st.just(IRI(RDF + "type"))
numbers = st.from_regex(
    r"[+-]?([0-9]{1,3}|[0-9]?\.[0-9]{1,2}|[0-9]\.?[0-9]?[eE][+-]?[0-9])", fullmatch=True
)
literals = st.one_of(
    st.builds(
        Literal,
        numbers | st.text(max_size=4),
        st.sampled_from(
            [XSD + n for n in ("integer", "decimal", "double", "boolean", "string", "date")]
        ),
    ),
    st.sampled_from(["true", "false", "TRUE"]).map(lambda t: Literal(t, XSD + "boolean")),
    st.builds(
        Literal,
        st.text(st.sampled_from("a'\"\\\n\r\tu004{}<>#\x00\x7f\u2028"), max_size=8),
        language=st.sampled_from([None, "en", "en-GB", "a-1-b2"]),
    ),
)
names = st.sampled_from(["x", "y", "z", "select", "a", "_1", "\u00fc"])
variables = names.map(Variable)


def data_terms(depth: int = 1) -> st.SearchStrategy[Term]:
    """Terms without blank nodes."""
    flat = iris | literals
    if not depth:
        return flat
    inner = data_terms(depth - 1)
    return flat | st.builds(
        Triple, iris | inner.filter(lambda t: isinstance(t, Triple)), iris, inner
    )


def paths() -> st.SearchStrategy[Any]:
    """IRIs and paths of them."""
    some = st.lists(iris, max_size=2).map(tuple)
    return st.recursive(
        iris | st.builds(NegatedPropertySet, some, some),
        lambda inner: st.one_of(
            st.builds(InversePath, inner),
            st.builds(SequencePath, inner, inner),
            st.builds(AlternativePath, inner, inner),
            st.builds(RepeatedPath, inner, st.sampled_from("*+?")),
        ),
        max_leaves=5,
    )


class Maker:
    """Draws the parts of one query, with fresh names where a query needs them."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.fresh = count()
        self.labels = count()

    def fresh_variable(self) -> Variable:
        return Variable(f"v{next(self.fresh)}")

    def chance(self, one_in: int) -> bool:
        return bool(self.draw(st.integers(0, one_in - 1)) == one_in - 1)

    # ------------------------------------------------------------------------------- patterns

    def term(self, block: int | None, depth: int) -> PatternTerm:
        kinds = ["variable", "iri", "literal"]
        if block is not None:
            kinds.append("blank")
        if depth:
            kinds.append("quoted")
        match self.draw(st.sampled_from(kinds)):
            case "variable":
                return self.draw(variables)
            case "iri":
                return self.draw(iris)
            case "literal":
                return self.draw(literals)
            case "blank":
                return BlankNode(f"b{block}{self.draw(st.sampled_from(['', '.x', '-_y']))}")
            case _:
                return TriplePattern(
                    self.term(block, depth - 1),
                    self.draw(iris | variables),
                    self.term(block, depth - 1),
                )

    def triples(self, least: int, with_paths: bool = True) -> tuple[TriplePattern, ...]:
        block = next(self.labels)
        predicates = variables | (paths() if with_paths else iris)
        return tuple(
            TriplePattern(self.term(block, 1), self.draw(predicates), self.term(block, 1))
            for _ in range(self.draw(st.integers(least, 2)))
        )

    def pattern(self, depth: int, unit: bool = True) -> Pattern:
        """A pattern; UNIT says whether it may be the empty one."""
        if not depth:
            return BGP(self.triples(0 if unit and self.chance(6) else 1))
        name = self.draw(iris | variables)
        inner = lambda unit=True: self.pattern(self.draw(st.integers(0, depth - 1)), unit)  # noqa: E731
        match self.draw(st.integers(0, 11)):
            case 0:
                return BGP(self.triples(1))
            case 1 | 2:
                return Join(inner(False), inner(False))
            case 3:
                condition = self.expression(1) if self.draw(st.booleans()) else None
                return LeftJoin(inner(), inner(), condition)
            case 4:
                return Union(inner(), inner())
            case 5:
                return Minus(inner(), inner())
            case 6:
                return Filter(self.expression(2), inner())
            case 7:
                return Extend(inner(), self.fresh_variable(), self.expression(1))
            case 8:
                return Graph(name, inner()) if self.draw(st.booleans()) else Window(name, inner())
            case 9:
                return self.values()
            case 10:
                return Service(name, inner(), self.draw(st.booleans()))
            case _:
                return SubSelect(self.select(depth - 1))

    def values(self) -> Values:
        columns = tuple(self.draw(st.lists(variables, max_size=3, unique=True)))
        row = st.tuples(*[data_terms() | st.none() for _ in columns])
        return Values(columns, tuple(self.draw(st.lists(row, max_size=2))))

    # ---------------------------------------------------------------------------- expressions

    def expression(
        self, depth: int, pool: tuple[Variable, ...] | None = None, aggregates: bool = False
    ) -> Expression:
        """An expression over the variables POOL (None: any)."""
        again = lambda: self.expression(depth - 1, pool, aggregates)  # noqa: E731
        if not depth:
            flat: st.SearchStrategy[Expression] = iris | literals
            if pool is None:
                flat = variables | flat
            elif pool:
                flat = st.sampled_from(pool) | flat
            return self.draw(flat)
        match self.draw(st.integers(0, 9)):
            case 0:
                return self.expression(0, pool)
            case 1 | 2:
                operator = self.draw(st.sampled_from("|| && = != < > <= >= + - * /".split()))
                return Operation(operator, (again(), again()))
            case 3:
                return Operation(self.draw(st.sampled_from("! UNARY+ UNARY-".split())), (again(),))
            case 4:
                listed = tuple(again() for _ in range(self.draw(st.integers(1, 3))))
                return Operation(self.draw(st.sampled_from(["IN", "NOT IN"])), listed)
            case 5:
                name = self.draw(st.sampled_from(sorted(ARGUMENTS)))
                if name == "BOUND":
                    return Operation(name, (self.draw(variables),)) if pool is None else again()
                least, most = ARGUMENTS[name]
                number = self.draw(st.integers(least, min(most, 3 if least < 3 else most)))
                return Operation(name, tuple(again() for _ in range(number)))
            case 6:
                listed = tuple(again() for _ in range(self.draw(st.integers(0, 2))))
                return FunctionCall(self.draw(iris), listed, bool(listed) and self.chance(3))
            case 7:
                return Exists(self.pattern(depth - 1), self.draw(st.booleans()))
            case 8 if aggregates:
                return self.aggregate(depth)
            case _:
                if pool is not None:
                    return again()
                return TriplePattern(
                    self.expression_term(depth),
                    self.draw(iris | variables),
                    self.expression_term(0),
                )

    def expression_term(self, depth: int) -> PatternTerm:
        return self.term(None, min(depth, 1))

    def aggregate(self, depth: int) -> Aggregate:
        name = self.draw(st.sampled_from("COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT".split()))
        argument = None if name == "COUNT" and self.chance(2) else self.expression(depth - 1)
        separator = self.draw(st.none() | st.text(max_size=3)) if name == "GROUP_CONCAT" else None
        return Aggregate(name, argument, self.draw(st.booleans()), separator)

    # -------------------------------------------------------------------------------- queries

    def modifiers(self, grouped: bool) -> dict[str, Any]:
        small = st.none() | st.integers(0, 20)
        return {
            "having": tuple(self.expression(1, None, True) for _ in range(2 * grouped)),
            "order_by": tuple(
                OrderKey(self.expression(self.draw(st.integers(0, 1)), None, grouped), d)
                for d in self.draw(st.lists(st.booleans(), max_size=2))
            ),
            "limit": self.draw(small),
            "offset": self.draw(small),
            "values": self.values() if self.chance(6) else None,
        }

    def group_keys(self) -> tuple[GroupKey, ...]:
        keys = []
        for _ in range(self.draw(st.integers(1, 2))):
            named = self.fresh_variable() if self.draw(st.booleans()) else None
            keys.append(GroupKey(self.expression(self.draw(st.integers(0, 1))), named))
        return tuple(keys)

    def select(self, depth: int) -> Query:
        pattern = self.pattern(depth)
        star = self.chance(4)
        keys = None if star or not self.chance(3) else self.group_keys()
        shown: tuple[Variable, ...] | None = None
        if keys is not None:
            named = (k.variable or k.expression for k in keys)
            shown = tuple(v for v in named if isinstance(v, Variable))
        items: list[Projection] = []
        for _ in range(self.draw(st.integers(1, 2))):
            if self.draw(st.booleans()) or shown == ():
                value = self.expression(1, shown, keys is not None)
                items.append(Projection(self.fresh_variable(), value))
            else:
                items.append(
                    Projection(self.draw(variables if shown is None else st.sampled_from(shown)))
                )
        return Query(
            pattern=pattern,
            projection=None if star else tuple(dict.fromkeys(items)),
            distinct=(distinct := self.draw(st.booleans())),
            reduced=not distinct and self.chance(4),
            group_by=keys,
            **self.modifiers(keys is not None),
        )

    def window(self, name: IRI) -> WindowDeclaration:
        if self.draw(st.integers(0, 4)) == 4:
            units = st.sampled_from(get_args(Unit))
            size = Count(self.draw(units), self.draw(st.integers(1, 10**10)))
            step = self.draw(st.none() | st.integers(1, 10**10))
            return WindowDeclaration(name, self.draw(iris), size, step, self.draw(st.booleans()))
        if self.draw(st.integers(0, 8)) == 8:
            reach = self.draw(st.sampled_from(list(Reach)))
            return WindowDeclaration(name, self.draw(iris), reach, named=self.draw(st.booleans()))
        instants, durations = st.integers(1, 9), st.integers(1, 10**10).map(Duration)
        spans = instants | durations
        width = self.draw(spans)
        lags = durations if isinstance(width, Duration) else instants
        return WindowDeclaration(
            name,
            self.draw(iris),
            width,
            self.draw(st.none() | spans),
            self.draw(st.booleans()),
            self.draw(lags) if self.chance(4) else None,
        )

    def query(self) -> Query:
        query = self.select(2)
        fields: dict[str, Any] = {}
        form = self.draw(st.sampled_from(list(Form)))
        if form is not Form.SELECT:
            grouped = query.group_by is not None
            fields = {"projection": None, "distinct": False, "reduced": False, "form": form}
            fields |= self.modifiers(grouped)
            if form is Form.CONSTRUCT:
                fields["template"] = self.triples(0, with_paths=False)
            if form is Form.DESCRIBE:
                fields["described"] = tuple(self.draw(st.lists(iris | variables, max_size=2)))
        kept = {f: getattr(query, f) for f in Query.__dataclass_fields__}
        spans = st.integers(1, 9) | st.integers(1, 10**10).map(Duration)
        some = st.lists(iris, max_size=2).map(tuple)
        chosen = {
            "operator": self.draw(st.none() | st.sampled_from(list(StreamOperator))),
            "name": self.draw(st.none() | iris),
            "computed_every": self.draw(st.none() | spans),
            "windows": tuple(
                self.window(name) for name in self.draw(st.lists(iris, max_size=2, unique=True))
            ),
            "default_graphs": self.draw(some),
            "named_graphs": self.draw(some),
            "prefixes": self.draw(st.sampled_from([(), PREFIXES, PREFIXES[:1]])),
        }
        return Query(**(kept | fields | chosen))


@st.composite
def queries(draw: Draw) -> Query:
    """A query that some text means."""
    return Maker(draw).query()


@st.composite
def expressions(draw: Draw) -> Expression:
    """An expression as FILTER takes it."""
    return Maker(draw).expression(3)
