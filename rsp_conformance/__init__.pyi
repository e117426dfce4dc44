"""What `rsp_conformance` offers on first use, for type checkers.

Not in `__init__.py` under TYPE_CHECKING: there every module that imports from the package would
count as one that imports the public face, and with it the suite.
"""

from rsp_conformance.api import case as case
from rsp_conformance.api import connect as connect
from rsp_conformance.api import profile as profile
from rsp_conformance.api import query as query
from rsp_conformance.api import run_suite as run_suite
from rsp_conformance.api import stream as stream
from rsp_conformance.model.errors import BadInput as BadInput

__version__: str
