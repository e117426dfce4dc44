"""When two engines must answer alike, each under its own profile.

Where one semantics holds for both, always. Elsewhere on the cases on which the profiles demand the
same answers; and where one answers on arrivals (push) and the other periodically (pull), on those
in which LARS has them agree: the push engine's outputs over (t1, t2], united, are the pull engine's
at t2 (Dao-Tran, Beck, Eiter, *Towards Comparing RDF Stream Processing Semantics*, 2015).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, TypeAlias, TypeGuard, get_args

from rsp_conformance.causes.reference import by_evaluation
from rsp_conformance.compare.contents import difference
from rsp_conformance.model.answers import Content, Evaluation, Rows, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.policy import mentions
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.policies import policy_of
from rsp_conformance.spec.readings import why_open
from rsp_conformance.spec.trace import Expectation

Agreement: TypeAlias = Literal["one semantics", "the same answers", "push and pull"]
"""Why two engines must answer alike."""
AGREEMENTS: frozenset[str] = frozenset(get_args(Agreement))
SEVERAL_STARTS = "the profile of one leaves open where windows start"


@dataclass(frozen=True, slots=True)
class Asked:
    """A case as one of two engines was asked it, with the dials that hold for it."""

    case: Case
    dials: Dials


def agreement(one: Asked, other: Asked) -> Agreement | str:
    """Why the engines must agree; or else, in words, what keeps their profiles from it.

    Raises what an evaluation of the specification does, but Unsupported.
    """
    if one_semantics(one, other):
        return "one semantics"
    try:
        mine, theirs = expected(one), expected(other)
    except Unsupported as error:
        return f"the specification does not judge ({error})"
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
    """Whether FOUND by ``agreement`` is a reason to agree."""
    return found in AGREEMENTS


def one_semantics(one: Asked, other: Asked) -> bool:
    """Whether a query is the same to both engines, and so are their dials, but for the stamps."""
    same = one.case == other.case and by_evaluation(one.dials) == by_evaluation(other.dials)
    return same and one.dials.t0 != "any"


def is_push(asked: Asked) -> bool:
    """Whether an answer is due when something arrives, and at no other time."""
    policy = policy_of(asked.case.query, asked.dials)
    return mentions(policy, "CC") and not mentions(policy, "WC", "P", "COMPUTED EVERY")


def expected(asked: Asked) -> list[Evaluation] | None:
    """The answers with rows that are due from t_s to the end; None where |Z| is not 1."""
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
    """Whether two lists of answers are equal, at the same instants."""
    return [e.t for e in mine] == [e.t for e in theirs] and all(
        difference(one.content, other.content, dials.numbers) is None
        for one, other in zip(mine, theirs, strict=True)
    )


def _push_and_pull(
    pushed: Sequence[Evaluation], pulled: Sequence[Evaluation], push: Asked, pull: Asked
) -> Agreement | str:
    """Push and pull, where LARS has them agree from pull to pull; else the condition missed."""
    # An engine that keeps quiet about no rows is pulled all the same.
    whole = pull.dials.with_dial("empty_answers", "yes")
    instants = [e.t for e in Expectation(pull.case, whole).answer(_only(pull))]
    if parted := parting(pushed, pulled, instants, push.case.registered - 1):
        return _missed(push, *parted)
    return "push and pull" if instants else "nothing is pulled"


def parting(
    pushed: Sequence[Evaluation], pulled: Sequence[Evaluation], instants: Iterable[int], t1: int
) -> tuple[int, int] | None:
    """The first (t1, t2] from pull to pull on which two engines do not agree, as LARS has it.

    They agree if the rows PUSHED in it, united, are those PULLED at t2. INSTANTS are those of the
    pulls, and T1 is where the first interval begins.
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
    """The rows of CONTENTS as a set (LARS compares sets); a truth is a row, a triple as well."""
    found: set[object] = set()
    for content in contents:
        if isinstance(content, Rows):
            found.update(frozenset(row.items()) for row in content.solutions())
        else:
            found.update(getattr(content, "graph", (content,)))
    return frozenset(found)


def _missed(push: Asked, t1: int, t2: int) -> str:
    """Which of the paper's conditions does not hold on (T1, T2]."""
    read = push.case.query.streams()
    arrivals = {e.t for e in push.case.elements if t1 < e.t <= t2 and e.stream in read}
    if len(arrivals) > 1:
        return "push and pull: several arrivals between two pulls"
    if not arrivals:
        return "push and pull: nothing arrives between two pulls, and there are rows all the same"
    (t,) = arrivals
    widths = [window.width for window in push.case.query.sliding_windows(push.dials.unit)]
    # The first instant that a window of width 0 would hold.
    opening = 0 if push.dials.bounds[0] == "[" else 1
    if any(t <= e.t + width - opening < t2 for e in push.case.elements for width in widths):
        return "push and pull: an element leaves between arrival and pull"
    return "push and pull: the patterns match data of other streams or of the background"
