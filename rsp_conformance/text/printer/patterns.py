"""Graph patterns as text: what their translation to algebra undoes.

A group is printed as a list of lines. Every pattern begins a line, since line-based readers of
RSP-QL look for ``WINDOW`` there; only a group of one short triple shares the line of its braces.
"""

from __future__ import annotations

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    Service,
    SubSelect,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Expression
from rsp_conformance.text.printer.expressions import constraint_text, expression_text
from rsp_conformance.text.printer.style import Style
from rsp_conformance.text.printer.terms import term_text, triple_text

INDENT = "  "
SHORT = 76


def indented(lines: list[str]) -> list[str]:
    """LINES one step further in."""
    return [INDENT + line for line in lines]


def group_lines(pattern: Pattern, style: Style) -> list[str]:
    """What stands between the braces of the group that PATTERN is."""
    if isinstance(pattern, SubSelect):
        return subselect_lines(pattern, style)
    filters: list[Expression] = []
    while isinstance(pattern, Filter):
        filters.append(pattern.condition)
        pattern = pattern.pattern
    lines = _elements(pattern, style)
    for condition in reversed(filters):
        lines += f"FILTER {constraint_text(condition, style)}".replace(
            "FILTER (", "FILTER(", 1
        ).split("\n")
    return lines


def braced(head: str, lines: list[str]) -> list[str]:
    """HEAD and LINES in braces, on one line if there is but one short triple."""
    space = " " if head else ""
    if not lines:
        return [f"{head}{space}{{ }}"]
    if len(lines) == 1 and lines[0].endswith(" .") and len(head) + len(lines[0]) < SHORT:
        return [f"{head}{space}{{ {lines[0][:-2]} }}"]
    return [f"{head}{space}{{", *indented(lines), "}"]


def group(head: str, pattern: Pattern, style: Style) -> list[str]:
    """HEAD and the group that PATTERN is."""
    return braced(head, group_lines(pattern, style))


def group_text(head: str, pattern: Pattern, style: Style) -> str:
    """``group`` as one text, perhaps of several lines."""
    return "\n".join(group(head, pattern, style))


def _elements(pattern: Pattern, style: Style) -> list[str]:
    """The patterns of a group of which PATTERN is the translation."""
    match pattern:
        case BGP(triples):
            return [f"{triple_text(triple, style)} ." for triple in triples]
        case Join(left, right):
            # Triples after triples would be one basic graph pattern.
            apart = isinstance(right, BGP) and isinstance(_last(left), BGP)
            return _elements(left, style) + (
                group("", right, style) if apart else _element(right, style)
            )
        case LeftJoin(left, right, condition):
            # The filters of OPTIONAL's own group are its condition.
            inner = (
                group("", right, style) if isinstance(right, Filter) else group_lines(right, style)
            )
            if condition is not None:
                if isinstance(right, SubSelect):
                    inner = braced("", inner)
                inner += group_lines(Filter(condition, BGP()), style)
            return _elements(left, style) + braced("OPTIONAL", inner)
        case Minus(left, right):
            return _elements(left, style) + group("MINUS", right, style)
        case Extend(inner_pattern, variable, expression):
            text = f"BIND({expression_text(expression, style)} AS ?{variable.name})"
            return _elements(inner_pattern, style) + text.split("\n")
        case _:
            return _element(pattern, style)


def _last(pattern: Pattern) -> Pattern | None:
    """The last pattern of the group that PATTERN is, if it stands there without braces."""
    match pattern:
        case Join(_, right):
            return right
        case BGP():
            return pattern
        case _:
            return None


def _element(pattern: Pattern, style: Style) -> list[str]:
    """One pattern of a group, joined with those before it."""
    match pattern:
        case BGP(triples) if triples:
            return _elements(pattern, style)
        case Graph(name, inner):
            return group(f"GRAPH {term_text(name, style)}", inner, style)
        case Window(name, inner):
            return group(f"WINDOW {term_text(name, style)}", inner, style)
        case Service(name, inner, silent):
            word = "SERVICE SILENT" if silent else "SERVICE"
            return group(f"{word} {term_text(name, style)}", inner, style)
        case Union():
            return _union(pattern, style)
        case Values():
            return values_lines(pattern, style)
        case _:
            return group("", pattern, style)


def _union(pattern: Union, style: Style) -> list[str]:
    sides: list[Pattern] = [pattern.right]
    left = pattern.left
    while isinstance(left, Union):
        sides.append(left.right)
        left = left.left
    groups = [group("", side, style) for side in (left, *reversed(sides))]
    if all(len(lines) == 1 for lines in groups):
        line = " UNION ".join(lines[0] for lines in groups)
        if len(line) <= SHORT:
            return [line]
    lines = groups[0]
    for following in groups[1:]:
        lines[-1] += f" UNION {following[0]}"
        lines += following[1:]
    return lines


def values_lines(values: Values, style: Style) -> list[str]:
    """``VALUES`` with its rows, on one line where they fit."""
    rows = [
        ["UNDEF" if term is None else term_text(term, style) for term in row] for row in values.rows
    ]
    names = " ".join(f"?{variable.name}" for variable in values.variables)
    if len(values.variables) == 1:
        head, texts = f"VALUES {names}", [row[0] for row in rows]
    else:
        head, texts = f"VALUES ({names})", [f"({' '.join(row)})" for row in rows]
    line = f"{head} {{ {' '.join(texts)} }}" if texts else f"{head} {{ }}"
    if len(line) <= SHORT:
        return [line]
    return [f"{head} {{", *indented(texts), "}"]


def subselect_lines(pattern: SubSelect, style: Style) -> list[str]:
    """The lines of a subquery, without braces."""
    from rsp_conformance.text.printer.queries import select_lines

    return select_lines(pattern.query, style)
