"""``python -m rsp_conformance`` is the command line."""

from rsp_conformance.cli.main import run

run()
