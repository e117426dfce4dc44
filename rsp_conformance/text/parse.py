"""Read queries in RSP-QL and the other languages.

A LALR parser (lark) makes a tree by the language's grammar, which extends that of SPARQL. The rules
in ``to_algebra`` then turn the tree into the model's algebra, parts first. An error names the whole
token at the place and the tokens that really could follow there: the parser's own state lists too
many. The nesting of a query is limited, because evaluators descend into it.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Any, NoReturn

from lark import Lark, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rsp_conformance.model.algebra import Extend, Filter
from rsp_conformance.model.expressions import Operation
from rsp_conformance.model.query import Query
from rsp_conformance.model.walk import parts
from rsp_conformance.text.builtin_functions import TERMINAL
from rsp_conformance.text.errors import QuerySyntaxError, UnsupportedSyntax
from rsp_conformance.text.escapes import replace_code_points
from rsp_conformance.text.expectations import in_words
from rsp_conformance.text.languages import LANGUAGES
from rsp_conformance.text.to_algebra import continuous, expressions, groups, queries, terms
from rsp_conformance.text.to_algebra.context import RULES, Context
from rsp_conformance.text.tokens import shown, token_around, wrong_string

DEEPEST = 64
"""How deep the parts of a query may be nested: far beyond any real query, and within the depth of
Python's calls, because evaluators descend part by part."""
LONGEST = 200
"""The greatest length of a chain, as of UNION, FILTER or ``||``. Evaluators descend along it, so it
also keeps within the depth of Python's calls; a chain is longer than parts are deep."""
PARTS = (expressions, groups, queries, terms, continuous)
"""The modules that register the grammar's rules."""


@cache
def parser(grammar: str) -> Lark:
    """Return the LALR parser of a grammar; the first call takes about a third of a second."""
    return new_parser(grammar)


def new_parser(grammar: str) -> Lark:
    """Return a new LALR parser of a grammar, which is not shared."""
    folder = resources.files("rsp_conformance.text")
    names = ("sparql.lark", f"{grammar}.lark")
    text = "\n".join((folder / name).read_text("utf-8") for name in names)
    return Lark(
        f"{text}\nBUILTIN: /(?:{TERMINAL})(?![A-Za-z0-9_])/i\n",
        parser="lalr",
        start="registered_query",
        maybe_placeholders=False,
    )


def parse_query(text: str, base: str | None = None, language: str = "rsp-ql") -> Query:
    """Return the query of a text, as algebra.

    A query without REGISTER is legal and has no streaming operator. Relative IRIs are resolved
    against the base, if there is one, and kept otherwise.

    Args:
        text: the query.
        base: the IRI from which the text was retrieved, which is the base before the text's own
            BASE (SPARQL 1.1, 4.1.1.2).
        language: the name of the query language, as in ``LANGUAGES``.

    Raises:
        QuerySyntaxError: the text is not a query of the language; the error has the place.
    """
    try:
        decoded, moved = replace_code_points(text)
    except ValueError as error:
        _bad_escape(text, str(error))
    context = Context(text, decoded, moved, LANGUAGES[language])
    context.base = base
    try:
        tree = parser(context.language.grammar).parse(decoded)
    except UnexpectedInput as error:
        raise _syntax_error(context, error) from None
    try:
        if language == "cqels-ql-2":
            tree = continuous.in_order_of_evaluation(tree)
        query = continuous.completed(context, _read(context, tree))
    except RecursionError:
        _refuse_nesting(text)
    _check_nesting(query, text)
    return query


def _check_nesting(query: Query, text: str) -> None:
    """Raise if parts of `query` are nested deeper than evaluators descend.

    In a chain, as of UNION, OPTIONAL or &&, each part contains the parts before it, although the
    text nests none of them.
    """
    level: list[tuple[Any, int]] = [(query, 0)]
    for _ in range(DEEPEST + LONGEST):
        level = [
            (part, depth + (part is not before))
            for node, depth in level
            for before in [_chained(node)]
            for part in parts(node)
        ]
        if not level:
            return
        if any(depth > DEEPEST for _, depth in level):
            break
    _refuse_nesting(text)


def _chained(node: Any) -> Any:
    """Return the part written before the last part of `node`, if their chain needs no brackets."""
    if isinstance(node, Operation):
        return node.arguments[0] if len(node.arguments) == 2 else None
    if isinstance(node, (Filter, Extend)):
        return node.pattern
    return getattr(node, "left", None)


def _refuse_nesting(text: str) -> NoReturn:
    raise QuerySyntaxError(
        1,
        1,
        "a query that is less deep",
        "",
        message=f"nested more than {DEEPEST} deep, or a chain of more than {LONGEST} parts",
        source=text,
    )


def _read(context: Context, tree: Tree[Any]) -> Any:
    """Return what `tree` means; its parts are read first, from left to right."""
    parts = [_read(context, part) if isinstance(part, Tree) else part for part in tree.children]
    return RULES[tree.data](context, *parts)


def _bad_escape(text: str, message: str) -> NoReturn:
    code = message.split(maxsplit=1)[0].removeprefix("U+")
    match = re.search(rf"\\[uU]0*{code}", text, re.IGNORECASE)
    context = Context(text, text, [], LANGUAGES["rsp-ql"])
    line, column = context.place(match.start() if match else 0)
    raise QuerySyntaxError(
        line,
        column,
        "the code of a character",
        match[0] if match else "",
        message=f"the escape {match[0] if match else ''} stands for no character",
        source=text,
    )


def _syntax_error(context: Context, error: UnexpectedInput) -> QuerySyntaxError:
    """Return the error for the whole token at the place, even if the lexer took part of it."""
    index = error.pos_in_stream or 0
    if isinstance(error, UnexpectedToken):
        ends = error.token.type == "$END"
        index = len(context.text) if ends else error.token.start_pos or 0
    start, token = token_around(context.text, index)
    if isinstance(error, UnexpectedToken) and error.token.type in ("NIL", "ANON"):
        token = str(error.token)
    found = shown(token) if token else "the end of the query"
    expected = in_words(parser(context.language.grammar), _accepted(context, error, index, start))
    kind, message = QuerySyntaxError, wrong_string(token)
    refused = _refused_at(context, index)
    if _reifies(context.text, index):
        kind, message, start = UnsupportedSyntax, REIFIERS, index
    elif refused is not None:
        kind, (start, message) = UnsupportedSyntax, refused
    line, column = context.place(start)
    return kind(line, column, expected, found, message=message, source=context.source)


def _refused_at(context: Context, index: int) -> tuple[int, str] | None:
    """Return the place and the message if the language refuses a construct at `index`."""
    for pattern, message in context.language.refused.items():
        for match in re.finditer(pattern, context.text, re.IGNORECASE):
            if match.start() <= index <= match.end():
                return match.start("word"), message.format(match["word"].upper())
    return None


REIFIERS = (
    "RDF 1.2's reifiers (~) and annotations ({| |}) are not supported in queries; "
    "write << s p o >> or <<( s p o )>> where the triple is meant itself"
)


def _reifies(text: str, index: int) -> bool:
    """Whether a reifier or an annotation begins at `index`, its first character read or not."""
    return text[index : index + 1] == "~" or "{|" in text[max(index - 1, 0) : index + 2]


def _accepted(context: Context, error: UnexpectedInput, index: int, start: int) -> set[str]:
    """Return the tokens that really could follow; the automaton's state alone lists too many.

    If the lexer has taken the beginning of a token, they are those that could be at `start`.
    """
    if start < index:
        grammar = parser(context.language.grammar)
        before = grammar.parse_interactive(context.text[:start])
        try:
            before.exhaust_lexer()
            return set(before.accepts())  # type: ignore[no-untyped-call]
        except UnexpectedInput:
            pass  # The text before it alone reads differently: use the parser's own list.
    assert isinstance(error, UnexpectedToken | UnexpectedCharacters)
    state = error.interactive_parser
    listed = error.expected if isinstance(error, UnexpectedToken) else error.allowed
    could: set[str] = state.accepts() if state is not None else set()  # type: ignore[no-untyped-call]
    return could or set(listed or ())
