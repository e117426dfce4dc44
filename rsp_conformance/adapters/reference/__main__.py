"""``python -m rsp_conformance.adapters.reference``: the engine as a driver."""

from __future__ import annotations

import sys

from rsp_conformance.adapters.reference.driver import main

sys.exit(main())
