"""What the tables of hostile inputs share."""

from __future__ import annotations

import re

from rsp_conformance.model.errors import excerpt


def short(part: object) -> str:
    """A short name for one cell of a table, however large it is."""
    return re.sub(r"[^\w.-]+", "-", excerpt(part), flags=re.ASCII).strip("-")[:40] or "-"
