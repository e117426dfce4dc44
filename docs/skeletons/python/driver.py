"""A driver for rsp-conformance: start here, then connect your engine in `Engine`.

Check it:  rsp-conformance engines check "stdio:python driver.py"
"""

import json
import os
import sys
import traceback

HELLO = {
    "protocol": 1,
    "engine": "my-engine",
    "version": "0.1",  # the engine's version, not the driver's
    "language": "rsp-ql",
    "dialect": {"duration": "instants"},
    "profile": "rsp-ql",  # a bundled profile, or an object of dials
    "features": ["select"],  # begin with one, add the others later
    "advances": "elements",  # "clock" if time passes without elements
}


class Refused(Exception):
    """Ends a case with an error: `unsupported`, `rejected` or `crashed`."""

    def __init__(self, kind, message, element=None):
        super().__init__(message)
        self.error = {"kind": kind, "message": message}
        if element is not None:
            self.error["element"] = element  # the index of the element that was refused


class Engine:
    """One case in your engine. Call emit(t, solutions) for each answer, from any thread.

    t is the instant that the engine reports, in instants, or None. A solution is a dict such as
    {"who": {"type": "uri", "value": "http://ex.org/bob"}}.
    """

    def __init__(self, request, emit):
        """Start with a fresh state: create request["streams"], load "static", register "query"."""
        raise Refused("unsupported", "no engine is connected to this driver yet")

    def push(self, element):
        """Put element["graph"] (N-Triples) into element["stream"] at the instant element["t"]."""

    def until_quiet(self):
        """Return when the engine is quiet: all answers to what was pushed have come."""

    def advance(self, until):
        """Let the time pass to the instant `until`; nothing to do if elements make it pass."""

    def close(self):
        """Leave nothing behind for the next case."""


def run(request):
    """Run one whole case in a fresh engine."""
    query = request["query"]
    if query.count("{") != query.count("}"):  # better: ask your engine's parser
        raise Refused("rejected", "the braces of the query do not match")
    answers, cause = [], None

    def emit(t, solutions):
        answers.append({"t": t, "cause": cause, "solutions": solutions})

    engine = Engine(request, emit)
    try:
        for index, element in enumerate(request["elements"]):
            cause = index
            engine.push(element)
            if request["pacing"] == "settled":
                engine.until_quiet()
        engine.until_quiet()
        cause = "end"
        engine.advance(request["until"])
        engine.until_quiet()
    finally:
        engine.close()
    return {"answers": answers}


def hello(request):
    """Say what the engine is."""
    if request["protocol"] < HELLO["protocol"]:
        return {"error": {"kind": "version", "message": "this driver speaks version 1"}}
    return HELLO


def reply(request):
    """Answer any request; no request ends the driver."""
    operation = {"hello": hello, "run": run}.get(request["op"])
    try:
        if operation is None:
            raise Refused("unsupported", "only hello and run")
        return operation(request)
    except Refused as refused:
        return {"error": refused.error}
    except Exception as error:
        traceback.print_exc()  # standard error is shown with the failure
        return {"error": {"kind": "crashed", "message": f"{type(error).__name__}: {error}"}}


def main():
    """Answer line by line until the input ends."""
    # Standard output is for replies alone: whatever else prints goes to standard error.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    sys.stdin.reconfigure(encoding="utf-8")
    for line in sys.stdin:  # the end of input ends the driver
        request = json.loads(line)
        about = {key: request[key] for key in ("op", "id") if key in request}
        print(json.dumps(about | reply(request)), file=replies)


main()
