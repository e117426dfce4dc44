"""Copies of CSRBench's stream, no two of which say the same, so that no answer serves twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from zlib import crc32

from rsp_conformance.corpora.csrbench.benchmark import read_data
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Literal, Term, Triple

OBSERVED = "http://knoesis.wright.edu/ssw/ont/sensor-observation.owl#"
PROCEDURE, RESULT, VALUE = (IRI(OBSERVED + name) for name in ("procedure", "result", "floatValue"))
NAMED = "http://knoesis.wright.edu/ssw/System_C1190"
"""The sensor that query 7 names. It stays in its place, so that the query finds as much."""

SPREAD = 2
"""A value of a copy differs by up to so many degrees or per cent."""


class Copies:
    """The published stream, number 0, and what is made of it under other numbers.

    In a copy all sensors but one have changed places, every reading is a bit higher or lower, and
    observations and their results have names of their own. So each has as many triples, windows
    and readings as the published one, of the same sensors.
    """

    def __init__(self, folder: Path) -> None:
        """FOLDER holds CSRBench's data_NN.ttl. FileError where it does not."""
        self.elements = read_data(folder)
        triples = [triple for element in self.elements for triple in element.graph]
        sensors = {t.object for t in triples if t.predicate == PROCEDURE}
        self._sensors = sorted(s.value for s in sensors if isinstance(s, IRI) and s.value != NAMED)
        self._renamed = {t.subject for t in triples if t.predicate == PROCEDURE}
        self._renamed |= {t.subject for t in triples if t.predicate == VALUE}

    def copy(self, number: int) -> tuple[StreamElement, ...]:
        """Copy NUMBER, the same every time."""
        if number == 0:
            return self.elements
        names = self._names(number)
        return tuple(
            StreamElement(e.stream, e.t, tuple(self._triples(e.graph, number, names)))
            for e in self.elements
        )

    def _names(self, number: int) -> dict[Term, Term]:
        """The terms of copy NUMBER by those of the published stream."""
        others = list(self._sensors)
        Random(number).shuffle(others)
        names: dict[Term, Term] = {
            IRI(one): IRI(other) for one, other in zip(self._sensors, others, strict=True)
        }
        for node in self._renamed:
            assert isinstance(node, IRI)
            names[node] = IRI(f"{node.value}_{number}")
        return names

    def _triples(
        self, graph: tuple[Triple, ...], number: int, names: dict[Term, Term]
    ) -> Iterator[Triple]:
        for triple in graph:
            subject, value = triple.subject, triple.object
            if triple.predicate == VALUE and isinstance(value, Literal):
                assert isinstance(subject, IRI)
                shift = crc32(f"{number} {subject.value}".encode()) % (2 * SPREAD + 1) - SPREAD
                text = f"{float(value.lexical) + shift:g}"
                value = names.setdefault(
                    Literal(text, value.datatype), Literal(text, value.datatype)
                )
            else:
                value = names.setdefault(value, value)
            yield Triple(names.setdefault(subject, subject), triple.predicate, value)  # type: ignore[arg-type]
