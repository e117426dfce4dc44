"""``python -m rsp_conformance.adapters.cqels``: the driver's process."""

from rsp_conformance.adapters.cqels.driver import CqelsDriver
from rsp_conformance.adapters.cqels.register import CQELS
from rsp_conformance.adapters.jvm.driver import main

if __name__ == "__main__":
    main(CQELS, CqelsDriver)
