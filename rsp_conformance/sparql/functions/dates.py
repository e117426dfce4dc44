"""Functions on dates and times (SPARQL 1.1, 17.4.5)."""

from __future__ import annotations

from collections.abc import Callable

from rsp_conformance.model.terms import XSD, Literal, Term
from rsp_conformance.sparql.datetimes import DateTime
from rsp_conformance.sparql.values import literal_of, string, value_of

_DAY_TIME_DURATION = XSD + "dayTimeDuration"


def _of(part: Callable[[DateTime], Term | None]) -> Callable[[Term], Term | None]:
    def apply(term: Term) -> Term | None:
        moment = value_of(term) if isinstance(term, Literal) else None
        if not isinstance(moment, DateTime):
            return None
        return part(moment)

    return apply


def _timezone(moment: DateTime) -> Term | None:
    duration = moment.zone_duration()
    return None if duration is None else Literal(duration, _DAY_TIME_DURATION)


DATE_FUNCTIONS: dict[str, tuple[Callable[..., Term | None], int, int | None]] = {
    "YEAR": (_of(lambda moment: literal_of(moment.year)), 1, 1),
    "MONTH": (_of(lambda moment: literal_of(moment.month)), 1, 1),
    "DAY": (_of(lambda moment: literal_of(moment.day)), 1, 1),
    "HOURS": (_of(lambda moment: literal_of(moment.hour)), 1, 1),
    "MINUTES": (_of(lambda moment: literal_of(moment.minute)), 1, 1),
    "SECONDS": (_of(lambda moment: literal_of(moment.second)), 1, 1),
    "TIMEZONE": (_of(_timezone), 1, 1),
    "TZ": (_of(lambda moment: string(moment.zone_text())), 1, 1),
}
