"""What an engine answered, as people keep it: a folder of results, a log, a reply of the protocol.

```
answers/answer_2.srj     one result per file; the number in its name is the instant
answers/answer_4.srj
answers.csv              t,who,shop         one file; the column t has the instants
answers.jsonl            {"t": 2, "head": …, "results": …}    a result per line
answers.json             {"answers": [{"t": 2, "solutions": […]}]}   a reply of the protocol
answers.json             {"relations": [{"timestamp": 2000, "results": …}]}   as CSRBench has them
answers.trig             named graphs with their time, as streams are written (CONSTRUCT)
```

The listeners of the fork of CSRBench for RSP4J, Yasper and C-SPARQL 2 write the form with
relations. TripleWave writes each element of a stream as a named graph of JSON-LD, and its time
beside the graph; a folder of these, or one TriG file, is a recording of graphs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any, Final

from rsp_conformance.files.codec import Format
from rsp_conformance.files.fields import exact
from rsp_conformance.files.files import FileError, parse_json, read_text
from rsp_conformance.files.sparql_results import (
    SUFFIXES,
    Bindings,
    Head,
    ResultJson,
    read_result,
    result_from_json,
)
from rsp_conformance.files.stream_files import read_stream
from rsp_conformance.model.answers import Content, Observed, Rows, Triples
from rsp_conformance.model.case import Case
from rsp_conformance.model.terms import IRI, Term
from rsp_conformance.model.walk import mentioned, within

TIMES: Final = ("t", "time", "timestamp")
"""Names of the column, or key, that has the instant of an answer."""
_NUMBER: Final = re.compile(r"\d{1,18}")


def read_recording(path: Path, case: Case, unit: int = 1) -> tuple[Observed, ...] | None:
    """Read recorded answers in another form than the protocol's.

    Args:
        path: a file or a folder.
        case: what was asked; values of CSV are its terms, and a variable of its query is no time.
        unit: milliseconds per instant, for the form with relations, whose times are milliseconds.

    Returns:
        The answers in the order of the recording; None if the file is JSON that is to be read as a
        reply of the protocol.

    Raises:
        FileError: the file can't be read, or breaks its format.
    """
    if os.path.isdir(path):
        return tuple(_folder(path, case))
    suffix = path.suffix.lower()
    if suffix == ".jsonl":
        return tuple(_lines(path))
    if suffix == ".trig":
        elements = read_stream(path, IRI("urn:rsp:answers")).elements
        return tuple(Observed(own.t, Triples(frozenset(own.graph))) for own in elements)
    if suffix == ".json":
        document = parse_json(read_text(path), path, numbers=exact)
        if isinstance(document, Mapping) and "relations" in document:
            found = recording_from_json(document, path)
            return tuple(replace(own, t=_whole(Fraction(own.t or 0, unit))) for own in found)
        if not isinstance(document, Mapping) or "head" not in document:
            return None
        return tuple(_by_time(path, result_from_json(document, path), case))
    if suffix not in SUFFIXES:
        return None
    return tuple(_by_time(path, read_result(path, terms_of(case)), case))


def check_recording(found: Sequence[Observed], path: Path, case: Case) -> None:
    """Check that recorded answers can be about a case.

    Args:
        found: the answers.
        path: where they were read from, for the error.
        case: what was asked.

    Raises:
        FileError: all of them are later than the last instant of the case, or its query has none of
            their variables.
    """
    times = [answer.t for answer in found if answer.t is not None]
    if times and min(times) > case.until:
        late = f"its first answer is at {min(times)}, and the case ends at {case.until}"
        raise FileError(path, f"{late}: are its times in another unit?")
    names = [n for a in found if isinstance(a.content, Rows) for n in a.content.variables]
    asked = {*mentioned(case.query)}
    if names and asked.isdisjoint(names):
        given = ", ".join(f"?{name}" for name in dict.fromkeys(names))
        raise FileError(path, f"it has {given}, and the query has no such variable")


def terms_of(case: Case) -> set[Term]:
    """The terms of a case: of its streams, its background data, and its query."""
    triples = [own for element in case.elements for own in element.graph]
    triples += [own for entry in case.background for own in entry.triples]
    parts = chain(within(case.query), *map(within, triples))
    return {part for part in parts if isinstance(part, Term)}


def _folder(folder: Path, case: Case) -> Iterator[Observed]:
    """A result per file, in the order of their instants."""
    known, found = terms_of(case), list[tuple[int, Path]]()
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in SUFFIXES or not path.is_file():
            continue
        numbers = _NUMBER.findall(path.stem)
        if len(numbers) != 1:
            which = "has no number" if not numbers else "has several numbers"
            raise FileError(path, f"its name {which}: name it by its instant, as answer_4.srj")
        found.append((int(numbers[0]), path))
    if not found:
        raise FileError(folder, f"holds no results ({', '.join(SUFFIXES)})")
    for t, path in sorted(found):
        yield Observed(t, read_result(path, known))


def _lines(path: Path) -> Iterator[Observed]:
    """A result of SPARQL in JSON per line, with its instant."""
    for number, text in enumerate(read_text(path).splitlines(), 1):
        if not text.strip():
            continue
        document = parse_json(text, path, number)
        if not isinstance(document, Mapping):
            raise FileError(path, "expected an object with head and results", number)
        t = next((document[name] for name in TIMES if name in document), None)
        yield Observed(_instant(path, t, number), result_from_json(document, path, number))


def recording_from_json(value: Any, path: Path) -> tuple[Observed, ...]:
    """Read the answers of a recording in CSRBench's form, in its order.

    Args:
        value: the JSON value.
        path: the file that it was read from, for the error.

    Raises:
        FileError: the value is not a recording; the error names the relation that breaks the form.
    """
    if not isinstance(value, dict) or not isinstance(value.get("relations"), list):
        raise FileError(path, "expected an object with relations, as CSRBench records answers")
    found = []
    for position, relation in enumerate(value["relations"], 1):
        try:
            found.append(_RECORDINGS.read(_Relation, relation).observed())
        except ValueError as error:
            raise FileError(path, f"relation {position}: {error}") from None
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Row:
    binding: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Rows:
    bindings: tuple[_Row, ...]


@dataclass(frozen=True, slots=True)
class _Relation:
    """A recorded answer, after the JSON results of SPARQL's drafts."""

    head: Head
    results: _Rows
    timestamp: int

    def observed(self) -> Observed:
        bindings = Bindings(tuple(row.binding for row in self.results.bindings))
        return Observed(self.timestamp, ResultJson(head=self.head, results=bindings).content())


_RECORDINGS: Final = Format({}, open=True)


def _by_time(path: Path, content: Content, case: Case) -> Iterator[Observed]:
    """Rows by the instants in one of their columns; rows of one instant are one answer."""
    asked = set(mentioned(case.query))
    names = content.variables if isinstance(content, Rows) else ()
    column = next((own for own in names if own.lower() in TIMES and own not in asked), None)
    strange = next((own for own in names if own not in asked and own != column), None)
    if strange is not None and column is None and not asked.isdisjoint(names):
        said = f"the query has no variable ?{strange}: if this column has the instants, call it t"
        raise FileError(path, said)
    if not isinstance(content, Rows) or column is None:
        yield Observed(None, content)
        return
    place = names.index(column)
    left = tuple(name for name in names if name != column)
    at: dict[int | Fraction | None, list[tuple[Term | None, ...]]] = {}
    for number, row in enumerate(content.rows, 2):
        t = _instant(path, getattr(row[place], "lexical", None), number)
        at.setdefault(t, []).append((*row[:place], *row[place + 1 :]))
    for t, rows in at.items():
        yield Observed(t, Rows(left, tuple(rows)))


def _instant(path: Path, written: Any, line: int | None = None) -> int | Fraction | None:
    """An instant that a recording writes, None if it writes none."""
    if written is None:
        return None
    try:
        t = Fraction(str(written))
    except (ValueError, ZeroDivisionError):
        raise FileError(path, f"expected an instant, found {written!r}", line) from None
    return _whole(t)


def _whole(t: Fraction) -> int | Fraction:
    """An instant as an int if it is whole."""
    return int(t) if t.denominator == 1 else t
