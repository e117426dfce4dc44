"""``python -m tools.words``: print the retired words in the project's prose; status 1 for any."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.words.check import found_in


def main() -> int:
    """Print each place that has one, and end with 1 if there is any."""
    found = [*found_in(Path(__file__).parents[2])]
    for own in found:
        print(own)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
