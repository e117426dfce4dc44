"""The data that a query sees: DS(w) and the dataset at an instant (SEMANTICS 4).

Source: RSP-QL* Definition 6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI, GraphName, Triple
from rsp_conformance.sparql.dataset import Dataset, GraphBag, WindowDataset
from rsp_conformance.spec.content import WindowContent


def window_dataset(held: Sequence[StreamElement], stamp: Stamp, dials: Dials) -> WindowDataset:
    """DS(w): the dataset that the content of a window forms.

    The default graph has the triples of unnamed elements and one timestamp triple for each named
    element. The triples of a named element are in the named graph of its name.

    Args:
        held: The elements that the window holds.
        stamp: How timestamp triples are written.
        dials: The semantics of the engine.
    """
    default: Counter[Triple] = Counter()
    named: dict[GraphName, Counter[Triple]] = {}
    for element in held:
        if element.name is None:
            default.update(element.graph)
        else:
            default[stamp.triple(element.name, element.t, dials.unit)] += 1
            named.setdefault(element.name, Counter()).update(element.graph)
    return WindowDataset(
        _collect([default], dials),
        {name: _collect([graph], dials) for name, graph in named.items()},
    )


def dials_read(dials: Dials) -> tuple[object, ...]:
    """The values of all dials that a dataset depends on."""
    shown = dials.unit, dials.windows_in, dials.graph_variable, dials.window_content
    return *shown, dials.literals, dials.empty_group, dials.blank_nodes


def dataset(case: Case, dials: Dials, t: int, contents: Sequence[WindowContent]) -> Dataset:
    """The dataset of a query at `t`: background data at `t`, and every window, named or merged.

    Args:
        case: the query and its data.
        dials: the setting of the dials; ``windows_in`` says which windows are merged.
        t: the instant of the evaluation.
        contents: the content of each declared window at `t`, in the order of the declarations.
    """
    default, named = background(case, t)
    merged: list[Counter[Triple]] = [Counter(default)]
    windows: dict[IRI, WindowDataset] = {}
    for declaration, content in zip(case.query.windows, contents, strict=True):
        held = [case.elements[index] for index in content.elements]
        found = window_dataset(held, case.stamp, dials)
        if declaration.named and dials.windows_in == "named":
            windows[declaration.name] = found
        else:
            merged.append(Counter(found.default.counts))
    return Dataset(
        _collect(merged, dials),
        {name: GraphBag(graph) for name, graph in named.items()},
        windows,
        dials.graph_variable,
        bags=dials.window_content == "bag",
        empty_group=dials.empty_group,
    )


def background(
    case: Case, t: int
) -> tuple[frozenset[Triple], Mapping[GraphName, frozenset[Triple]]]:
    """The background data at `t` as FROM and FROM NAMED choose them (SPARQL 1.1, section 13.2)."""
    default, named = case.background.at(t)
    query = case.query
    if not query.default_graphs and not query.named_graphs:
        return default, named
    nothing: frozenset[Triple] = frozenset()
    merged = nothing.union(*(named.get(name, nothing) for name in query.default_graphs))
    return merged, {name: named.get(name, nothing) for name in query.named_graphs}


def _collect(parts: Iterable[Counter[Triple]], dials: Dials) -> GraphBag:
    """The union of the parts; under ``window_content = bag`` counts add up (SEMANTICS 2)."""
    total: Counter[Triple] = Counter()
    for part in parts:
        total.update(part)
    return GraphBag(total) if dials.window_content == "bag" else GraphBag(total.keys())
