"""The table of docs/semantics.md: what the jury found. ``python -m tests.docs.jury_table``."""

from __future__ import annotations

import json
from typing import Any

from tools.jury.__main__ import KEPT

_WORDS = {
    "left open": "left open by a row of the table above",
    "listed": "one other implementation differs, or none that says anything",
}


def held() -> dict[str, Any]:
    """The results that are kept."""
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def jury_table() -> list[str]:
    """The table, a line a decision."""
    lines = [
        "| what | decided | section | who departs | groups | times |",
        "|---|---|---|---|---|---|",
    ]
    for row in held()["decisions"]:
        name = row["name"]
        cells = (
            _WORDS.get(name, name.replace("-", " ")),
            row["verdict"] or "–",
            row["section"] or "–",
            ", ".join(row["departing"]) or "–",
            f"{row['groups']:,}",
            f"{row['times']:,}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    print("\n".join(jury_table()))
