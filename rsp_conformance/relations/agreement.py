"""Decides when two engines must give the same answers, each under its own profile.

If one semantics holds for both, they must always agree. Otherwise they must agree on the cases for
which their profiles demand the same answers. If one of them answers on arrivals (push) and the
other periodically (pull), they must also agree on the cases on which they agree in LARS: the
outputs of the push engine over (t1, t2], united, are the output of the pull engine at t2 (Dao-Tran,
Beck, Eiter, *Towards Comparing RDF Stream Processing Semantics*, 2015).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias, TypeGuard, get_args

from rsp_conformance.diagnosis.reference import by_evaluation
from rsp_conformance.model.answers import Content, Evaluation, Rows, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.policy import mentions
from rsp_conformance.model.windows import by_time
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.policies import policy_of
from rsp_conformance.spec.readings import why_open
from rsp_conformance.spec.trace import Expectation

Agreement: TypeAlias = Literal["one semantics", "the same answers", "push and pull"]
"""Why two engines must answer alike."""
AGREEMENTS: frozenset[str] = frozenset(get_args(Agreement))
"""All reasons to agree."""
SEVERAL_STARTS = "the profile of one leaves open where windows start"
"""The reason if the expected answers of an engine are not unique."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A case as one of two engines was asked it, with that engine's dials."""

    case: Case
    dials: Dials


def agreement(one: Asked, other: Asked) -> Agreement | str:
    """Return why two engines must agree on a case, or why their profiles do not demand it.

    Returns:
        An ``Agreement``, or otherwise a reason in words. ``is_agreement`` tells them apart.

    Raises:
        LimitExceeded: the evaluation of the reference model exceeded a limit.
        ValueError: the reference model rejects a case.
    """
    if same_question(one, other):
        return "one semantics"
    try:
        mine, theirs = expected(one), expected(other)
    except Unsupported as error:
        return f"the reference model does not judge ({error})"
    if mine is None or theirs is None:
        return SEVERAL_STARTS
    if same_answers(mine, theirs, one.dials):
        return "the same answers"
    pushes = is_push(one), is_push(other)
    if pushes == (True, False):
        return _push_and_pull(mine, theirs, one, other)
    if pushes == (False, True):
        return _push_and_pull(theirs, mine, other, one)
    return "the profiles demand other answers of each"


def is_agreement(found: str) -> TypeGuard[Agreement]:
    """Return whether the result of ``agreement`` is a reason to agree."""
    return found in AGREEMENTS


def same_question(one: Asked, other: Asked) -> bool:
    """Return whether query and dials are the same for both engines, except for the stamps."""
    same = one.case == other.case and by_evaluation(one.dials) == by_evaluation(other.dials)
    return same and not one.dials.leaves_starts_open


def is_push(asked: Asked) -> bool:
    """Return whether answers are expected when something arrives, and at no other time."""
    policy = policy_of(asked.case.query, asked.dials)
    return mentions(policy, "CC") and not mentions(policy, "WC", "P", "COMPUTED EVERY")


def expected(asked: Asked) -> list[Evaluation] | None:
    """Return the expected answers with rows, from t_s to the end.

    Returns:
        The answers, or None if |Z| is not 1.

    Raises:
        LeftOpen: the texts leave an answer open.
    """
    case, dials = asked.case, asked.dials
    starts = list(islice(rspql_queries(case, dials), 2))
    if len(starts) != 1:
        return None
    expectation = Expectation(case, dials)
    answers = expectation.answer(starts[0])
    if point := why_open(expectation, starts[0]):
        raise LeftOpen(point)
    compared = (e for e in answers if expectation.t_s <= e.t <= case.until)
    return [answer for answer in compared if not is_empty(answer.content)]


def same_answers(mine: Sequence[Evaluation], theirs: Sequence[Evaluation], dials: Dials) -> bool:
    """Return whether two lists of answers are equal, at the same instants.

    Args:
        mine: the answers that one implementation expects.
        theirs: the answers that the other expects.
        dials: the setting whose dial ``numbers`` says when two numbers agree.
    """
    return [e.t for e in mine] == [e.t for e in theirs] and all(
        difference(one.content, other.content, dials.numbers) is None
        for one, other in zip(mine, theirs, strict=True)
    )


def _push_and_pull(
    pushed: Sequence[Evaluation], pulled: Sequence[Evaluation], push: Asked, pull: Asked
) -> Agreement | str:
    """``push and pull`` if the engines agree in LARS from pull to pull, or what prevents it."""
    # An engine that drops empty answers is pulled all the same.
    whole = pull.dials.with_dial("empty_answers", "yes")
    instants = [e.t for e in Expectation(pull.case, whole).answer(_only(pull))]
    if parted := parting(pushed, pulled, instants, push.case.registered - 1):
        return _missed(push, *parted)
    return "push and pull" if instants else "nothing is pulled"


def parting(
    pushed: Sequence[Evaluation], pulled: Sequence[Evaluation], instants: Iterable[int], t1: int
) -> tuple[int, int] | None:
    """Find the first interval between two pulls on which two engines do not agree in LARS.

    They agree if the rows pushed in (t1, t2], united, are the rows pulled at t2.

    Args:
        pushed: the answers of the push engine.
        pulled: the answers of the pull engine.
        instants: the instants of the pulls.
        t1: where the first interval begins.

    Returns:
        The interval as (t1, t2), or None if they agree on all.
    """
    outputs = {e.t: e.content for e in pulled}
    for t2 in instants:
        united = _united([e.content for e in pushed if t1 < e.t <= t2])
        if united != _united([outputs[t2]] if t2 in outputs else []):
            return t1, t2
        t1 = t2
    return None


def _only(asked: Asked) -> tuple[int | None, ...]:
    return next(iter(rspql_queries(asked.case, asked.dials)))


def _united(contents: Sequence[Content]) -> frozenset[object]:
    """The rows of all contents as a set, as in LARS; a truth value or a triple counts as a row."""
    found: set[object] = set()
    for content in contents:
        if isinstance(content, Rows):
            found.update(frozenset(row.items()) for row in content.solutions())
        else:
            found.update(getattr(content, "graph", (content,)))
    return frozenset(found)


def _missed(push: Asked, t1: int, t2: int) -> str:
    """Which of the paper's conditions does not hold on (t1, t2]."""
    read = push.case.query.streams()
    arrivals = {e.t for e in push.case.elements if t1 < e.t <= t2 and e.stream in read}
    if len(arrivals) > 1:
        return "push and pull: several arrivals between two pulls"
    if not arrivals:
        return "push and pull: nothing arrives between two pulls, and there are rows all the same"
    (t,) = arrivals
    timed = by_time(push.case.query.resolved_windows(push.dials))
    widths = [window.width for window in timed]
    # Whether the window's opening bound is exclusive (1) or inclusive (0).
    opening = 0 if push.dials.bounds[0] == "[" else 1
    if any(t <= e.t + width - opening < t2 for e in push.case.elements for width in widths):
        return "push and pull: an element leaves between arrival and pull"
    return "push and pull: the patterns match data of other streams or of the background"
