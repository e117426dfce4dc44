"""One Spark for all workers of a run: the controller has the judge, and workers ask it.

They talk by a connection on loopback that both ends have to prove a key for: what they send each
other are pickles.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import count
from multiprocessing import AuthenticationError
from multiprocessing.connection import (
    Client,
    Connection,
    Listener,
    answer_challenge,
    deliver_challenge,
)
from typing import Any, Final

from rsp_conformance.judge.spark_judge import PATIENCE, SparkJudge, Verdicts
from rsp_conformance.model.errors import KitError
from rsp_conformance.model.observation import Observation

LOOPBACK: Final = "127.0.0.1"
HURRY: Final = 0
"""The number that says that somebody waits; batches are numbered from 1."""
LOST = (AuthenticationError, EOFError, OSError)
"""What says that the other end is gone, or is somebody else."""


class JudgeServer:
    """Lets the workers of a run ask JUDGE; ``place`` says where, and how to prove it is them."""

    def __init__(self, judge: SparkJudge) -> None:
        self._judge = judge
        self._key = secrets.token_bytes(32)
        self._listener = Listener((LOOPBACK, 0), backlog=64)
        self._closed = False
        self._connections: list[Connection] = []
        threading.Thread(target=self._accept, name="rsp-judge-server", daemon=True).start()

    @property
    def place(self) -> tuple[int, bytes]:
        """The port on loopback, and the key."""
        return self._listener.address[1], self._key

    def close(self) -> None:
        """Ask the judge nothing more; who still waits is told that it is gone. Safe to repeat."""
        if self._closed:
            return
        self._closed = True
        with suppress(*LOST):  # which ends waiting for the next one
            Client(self._listener.address).close()
        self._listener.close()
        for connection in self._connections:
            _hang_up(connection)

    def _accept(self) -> None:
        while not self._closed:
            with suppress(*LOST):
                connection = self._listener.accept()
                self._connections.append(connection)
                own = partial(self._serve, connection)
                threading.Thread(target=own, name="rsp-judge-worker", daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        """Pass on what a worker submits, and send it the verdicts as they come."""
        sending = threading.Lock()

        def answer(number: int, future: Future[Verdicts]) -> None:
            with suppress(*LOST), sending:
                if not future.cancelled():
                    connection.send((number, _outcome(future)))

        with suppress(*LOST), connection:
            deliver_challenge(connection, self._key)
            answer_challenge(connection, self._key)
            while not self._closed:
                number, observations = connection.recv()
                if number == HURRY:
                    self._judge.hurry()
                    continue
                with suppress(RuntimeError):  # closed since
                    self._judge.submit(observations).add_done_callback(partial(answer, number))


def _outcome(future: Future[Verdicts]) -> Verdicts | Exception:
    """What came of FUTURE; an error as one that a pickle can carry."""
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, KitError):
        return KitError(str(error))
    return RuntimeError(f"{type(error).__name__}: {error}")


class SharedJudge:
    """The judge of a run as a worker asks it: a ``SparkJudge`` that is another process's.

    PLACE is as the JudgeServer gives it.
    """

    def __init__(self, place: tuple[int, bytes]) -> None:
        port, key = place
        self._connection = Client((LOOPBACK, port), authkey=key)
        self._numbers = count(HURRY + 1)
        self._waiting: dict[int, Future[Verdicts]] = {}
        self._is_begun = False
        self._thread = threading.Thread(target=self._receive, name="rsp-judge", daemon=True)
        self._thread.start()

    def submit(self, observations: Sequence[Observation]) -> Future[Verdicts]:
        """As ``SparkJudge.submit``; the future raises KitError where the judge is gone."""
        future: Future[Verdicts] = Future()
        number = next(self._numbers)
        self._waiting[number] = future
        self._send(number, list(observations))
        return future

    @property
    def is_starting(self) -> bool:
        """Whether no job of this worker's has ended yet, well or not."""
        return not self._is_begun

    def hurry(self) -> None:
        """Judge what has been submitted now, however little it is."""
        self._send(HURRY, None)

    def close(self, patience: float = PATIENCE) -> None:
        """Wait for nothing more. Safe to repeat; PATIENCE is for others' sake."""
        _hang_up(self._connection)

    def _send(self, number: int, observations: list[Observation] | None) -> None:
        try:
            self._connection.send((number, observations))
        except LOST:
            self._give_up()

    def _receive(self) -> None:
        with suppress(*LOST), self._connection:
            while True:
                number, outcome = self._connection.recv()
                self._is_begun = True
                self._settle(number, outcome)
        self._give_up()

    def _settle(self, number: int, outcome: Any) -> None:
        future = self._waiting.pop(number, None)
        if future is None:
            return
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)

    def _give_up(self) -> None:
        self._is_begun = True
        for number in [*self._waiting]:
            self._settle(number, KitError("Spark's verdicts did not come: the controller is gone"))


def _hang_up(connection: Connection) -> None:
    """Have both ends of CONNECTION meet its end; closed under its reader it would be another's."""
    with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as end:
        end.shutdown(socket.SHUT_RDWR)
