"""Ask the jury, print its table, and write it to ``build/jury.json``."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from rsp_conformance.protocol import EngineUnavailable
from tools.jury import run_expressions, run_order, run_patterns
from tools.jury.groups import Groups
from tools.jury.jurors import Juror, environment, local_jurors
from tools.jury.jvm import COORDINATES, java_jurors
from tools.jury.report import Outcome, document, kept, read_document, show, undecided

JARS = "RSP_JURY_JARS"
"""The environment variable that names the folder of jars."""
EXPRESSIONS, PATTERNS = 100_000, 20_000
KEPT = Path(__file__).parent / "results.json"
BUILD = Path("build/jury.json")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 if a group in which the specification stands alone is undecided."""
    options = _options(arguments)
    console = Console(soft_wrap=not sys.stdout.isatty())
    if options.again:
        outcome = read_document(json.loads(BUILD.read_text(encoding="utf-8")))
    else:
        jurors = _jurors(options.jars)
        outcome = ask(jurors, options.seed, options.expressions, options.patterns, _teller())
    show(outcome, console)
    BUILD.parent.mkdir(exist_ok=True)
    _write(BUILD, document(outcome))
    if options.keep:
        _write(KEPT, kept(outcome))
    return 1 if undecided(outcome) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tools.jury", description=__doc__)
    parser.add_argument("--expressions", type=int, default=EXPRESSIONS, metavar="N")
    parser.add_argument("--patterns", type=int, default=PATTERNS, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--jars",
        type=Path,
        default=os.environ.get(JARS),
        help=f"the folder with Jena's and RDF4J's jars, or ${JARS}: {', '.join(COORDINATES)}",
    )
    parser.add_argument("--again", action="store_true", help=f"decide about what {BUILD} has")
    parser.add_argument("--keep", action="store_true", help=f"write {KEPT.name} beside the code")
    return parser.parse_args(arguments)


def _jurors(jars: Path | None) -> list[Juror]:
    jurors = local_jurors()
    if jars is None:
        print(f"without Jena and RDF4J: neither --jars nor {JARS} is given", file=sys.stderr)
        return jurors
    try:
        found = java_jurors(jars)
    except EngineUnavailable as error:
        print(f"without Jena and RDF4J: {error}", file=sys.stderr)
        return jurors
    for name in sorted({"jena", "rdf4j"} - {juror.name for juror in found}):
        print(f"without {name}: its jars are not in {jars}", file=sys.stderr)
    return [*jurors, *found]


def ask(
    jurors: Sequence[Juror],
    seed: int,
    expressions: int,
    patterns: int,
    tell: Callable[[str, int], None],
) -> Outcome:
    """Ask JURORS and the specification at least so many EXPRESSIONS, and PATTERNS."""
    # rdflib writes a line for every IRI and literal that it does not like.
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)
    groups = Groups()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked = run_expressions.run(
            jurors, seed, expressions, groups, lambda n: tell("expressions", n)
        )
        pairs = run_order.run(jurors, seed, asked // 10, groups, lambda n: tell("pairs", n))
        run_patterns.run(jurors, seed, patterns, groups, lambda n: tell("patterns", n))
    versions = {juror.name: juror.version for juror in jurors} | environment()
    return Outcome(groups, versions, seed, asked, pairs, patterns)


def _teller() -> Callable[[str, int], None]:
    def tell(what: str, number: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{number:,} {what} ", end="", file=sys.stderr, flush=True)

    return tell


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
