"""The driver's process: ``python -m rsp_conformance.adapters.cqels1 --jars FOLDER``."""

from rsp_conformance.adapters.cqels1.driver import Cqels1Driver
from rsp_conformance.adapters.cqels1.register import CQELS1
from rsp_conformance.adapters.cqels1.side_by_side import serve
from rsp_conformance.adapters.jvm.driver import main

if __name__ == "__main__":
    main(CQELS1, Cqels1Driver, serve=serve)
