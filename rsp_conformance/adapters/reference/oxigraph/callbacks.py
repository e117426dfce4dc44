"""The functions that pyoxigraph calls while it runs a query; no exception in them is lost.

pyoxigraph takes whatever a custom function or aggregate raises for an error of the expression, an
interrupt too, and answers on: wrongly. So it is noted here and raised after the query. A signal may
be handled before the first line of a function, so what its handler raises is noted, too; it ends a
callback at work.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGVTALRM)


class Callbacks:
    """The callbacks of one query after another. Once something is noted, nothing is computed."""

    def __init__(self) -> None:
        self._raised: BaseException | None = None
        self._at_work = False

    def function(self, compute: Callable[..., Any]) -> Callable[..., Any]:
        """`compute`, a custom function or a method of an aggregate; what it raises is noted."""

        def called(*arguments: Any) -> Any:
            if self._raised is not None:
                return None
            try:
                self._at_work = True
                found = compute(*arguments)
                self._at_work = False
                return found
            except BaseException as error:  # raised again by ``raising``
                self._at_work = False
                self._raised = self._raised or error
                return None

        return called

    def aggregate(self, make: Callable[[], Any]) -> Callable[[], Any]:
        """`make`, which makes custom aggregates."""
        return lambda: _Aggregate(self, make)

    def solutions(self, results: Iterable[T]) -> Iterator[T]:
        """`results`, of which none counts once something is noted."""
        for result in results:
            if self._raised is not None:
                return
            yield result

    @contextmanager
    def raising(self) -> Iterator[None]:
        """Run a query and read all its solutions within; raises what was noted."""
        self._raised = None
        with ExitStack() as restoring:
            if threading.current_thread() is threading.main_thread():
                for number in _SIGNALS:
                    handler = signal.getsignal(number)
                    if callable(handler):
                        signal.signal(number, partial(self._handle, handler))
                        restoring.callback(signal.signal, number, handler)
            try:
                yield
            except Exception:
                # A query that fails over what was noted has no error of its own.
                if self._raised is None:
                    raise
        if self._raised is not None:
            raise self._raised

    def _handle(
        self, handler: Callable[[int, FrameType | None], Any], number: int, frame: FrameType | None
    ) -> None:
        try:
            handler(number, frame)
        except BaseException as error:  # raised again by ``raising``
            self._raised = error
            if self._at_work:
                raise


class _Aggregate:
    """An aggregate at work on one group."""

    def __init__(self, callbacks: Callbacks, make: Callable[[], Any]) -> None:
        own = callbacks.function(make)()
        self.accumulate = callbacks.function(own.accumulate)
        self.finish = callbacks.function(own.finish)
