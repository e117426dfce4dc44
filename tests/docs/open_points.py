"""The table of open points in docs/semantics.md: ``python -m tests.docs.open_points``."""

from __future__ import annotations

from rsp_conformance.sparql.open_points import open_points


def open_point_table() -> list[str]:
    """The table, a line a point."""
    lines = [
        "| id | what is open | section | the kit reads it as | or else | an answer is |",
        "|---|---|---|---|---|---|",
    ]
    for point in open_points().values():
        plain, *others = point.readings
        cells = (
            f"`{point.id}`",
            point.point,
            point.section,
            plain,
            "; ".join(others) or "–",
            point.kit,
        )
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return lines


if __name__ == "__main__":
    print("\n".join(open_point_table()))
