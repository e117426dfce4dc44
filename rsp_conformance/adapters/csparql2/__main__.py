"""The driver's process: ``python -m rsp_conformance.adapters.csparql2 --jars FOLDER``."""

from __future__ import annotations

from rsp_conformance.adapters.csparql2.driver import CSparql2Driver
from rsp_conformance.adapters.csparql2.register import CSPARQL2
from rsp_conformance.adapters.jvm.driver import main

if __name__ == "__main__":
    main(CSPARQL2, CSparql2Driver)
