"""Run the suite on the engines that are installed here, and write their tables and their site."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rsp_conformance.model.errors import BadInput
from tools.engines import page, semantics, site
from tools.engines.record import ROOT, installed, measured, write
from tools.progress import never_silent, reported


def main(arguments: list[str] | None = None) -> int:
    """Measure every engine that was asked for; 2 where one of them cannot be had."""
    parser = argparse.ArgumentParser(prog="python -m tools.engines", description=__doc__)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help="only these")
    parser.add_argument("--examples", type=int, default=100, help="cases a property")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the runs")
    parser.add_argument(
        "--page", action="store_true", help="run nothing: write the page's tables and the site anew"
    )
    parser.add_argument("--site", type=Path, default=site.FOLDER, help="the folder of the site")
    parser.add_argument(
        "--profiles", action="store_true", help="find the semantics of the engines instead"
    )
    parser.add_argument("--seconds", type=float, default=600.0, help="for that, each engine")
    parser.add_argument("--crashes", type=Path, default=ROOT / "build" / "engines")
    given = parser.parse_args(arguments)
    failed = False
    names = [] if given.page else given.engines or installed()
    with never_silent():
        for name in reported("running the suite on", names, names):
            try:
                if given.profiles:
                    semantics.keep(semantics.found(name, seed=given.seed, seconds=given.seconds))
                    continue
                folder = given.crashes / name
                made = measured(name, examples=given.examples, seed=given.seed, folder=folder)
                write(made, folder / "crashes")
            except BadInput as error:
                failed = True
                print(f"{name}: {error}", file=sys.stderr)
    page.write()
    print(site.write(given.site))
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
