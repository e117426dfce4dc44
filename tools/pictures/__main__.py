"""Write the pictures of the pages into ``docs/assets``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.pictures.answers import dial_or_bug, judging
from tools.pictures.causes import cause
from tools.pictures.evaluations import r2s, report
from tools.pictures.run import run
from tools.pictures.windows import slides, window

FOLDER = Path(__file__).parents[2] / "docs" / "assets"
PICTURES = (window, slides, report, r2s, judging, dial_or_bug, cause, run)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write all of them, and return the status."""
    parser = argparse.ArgumentParser(prog="python -m tools.pictures", description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER")
    folder = parser.parse_args(arguments).out
    folder.mkdir(parents=True, exist_ok=True)
    for draw in PICTURES:
        canvas = draw()
        (folder / f"{canvas.name}.svg").write_text(canvas.svg(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
