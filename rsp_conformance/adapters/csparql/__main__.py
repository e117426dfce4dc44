"""The driver's process: ``python -m rsp_conformance.adapters.csparql --jars FOLDER``."""

from rsp_conformance.adapters.csparql.driver import CSparqlDriver
from rsp_conformance.adapters.csparql.register import CSPARQL
from rsp_conformance.adapters.jvm.driver import main

if __name__ == "__main__":
    main(CSPARQL, CSparqlDriver)
