"""An evaluation that takes place, until it is carried out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rsp_conformance.adapters.reference.dataset import BackgroundVersion
from rsp_conformance.adapters.reference.window import Arrival

StreamSets = tuple[frozenset[str | None], ...]
"""Sets of streams: an arrival on every stream of one of them is enough. None is any stream."""


@dataclass(slots=True, eq=False)
class Due:
    """An evaluation at the instant ``t``, over what the windows held then.

    Attributes:
        t: the instant.
        seen_by: by arrivals on which streams it is seen that the report policy holds.
        background: the background data that it reads.
        contents: what each window holds, in the order of their declarations.
    """

    t: int
    seen_by: StreamSets
    background: BackgroundVersion
    contents: Sequence[tuple[Arrival, ...]]
