"""The datatype xsd:dateTime in SPARQL: comparison and components (XSD 1.1 part 2, 3.3.7; F&O 10).

Python's own ``datetime`` ends at the year 9999 and at microseconds, and xsd:dateTime does not.
"""

from __future__ import annotations

import datetime
import math
import re
from dataclasses import dataclass
from decimal import Decimal

from rsp_conformance.sparql.open_points import TIMEZONE
from rsp_conformance.sparql.readings import reading

_LEXICAL = re.compile(
    r"(-?(?:[1-9]\d{3,}|0\d{3}))-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d(?:\.\d+)?)"
    r"(Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?",
    re.ASCII,
)
_CYCLE = 146_097
"""The number of days in 400 years, after which the calendar repeats."""
_HALF_RANGE = 14 * 3600
"""The greatest offset of a time zone, in seconds: 14 hours. An instant without a zone is at most
this far from its clock."""


@dataclass(frozen=True, slots=True)
class DateTime:
    """A point in time: its components as written, and its place on the time line.

    ``zone`` is the offset in minutes, None if the lexical form has none. ``timeline`` counts the
    seconds since the start of year 1; a time without a zone is taken to be in UTC.
    """

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: Decimal
    zone: int | None
    timeline: Decimal

    def same_instant(self, other: DateTime) -> bool | None:
        """Whether both are the same instant; None for an error.

        In the kit's own reading, a dateTime with a zone never equals one without (XSD 1.1).
        """
        apart = self._apart(other)
        if isinstance(apart, str):
            return None if apart == "error" else False
        return not apart

    def before(self, other: DateTime) -> bool | None:
        """Whether this is earlier; None for an error.

        In the kit's own reading, it is an error if one of them has no zone and its zone would
        decide the order.
        """
        apart = self._apart(other)
        return None if isinstance(apart, str) else apart < 0

    def _apart(self, other: DateTime) -> Decimal | str:
        """The seconds from `other` to this; if a missing zone decides, the reading may be a word.

        The words are ``unequal`` and ``error``. An engine with an implicit timezone (F&O 10.4)
        gives it to the dateTime without a zone. It matters only whether this makes it earlier,
        equal or later, so the readings are the zones next to the zone of equality.
        """
        apart = self.timeline - other.timeline
        if (self.zone is None) == (other.zone is None) or abs(apart) > _HALF_RANGE:
            return apart
        sign = 1 if self.zone is None else -1
        equal = apart * sign / 60
        below, above = math.ceil(equal) - 1, math.floor(equal) + 1
        # UTC is tried as well: it is a more natural zone than, for example, UTC-00:59.
        zones = sorted({0, below, above, *range(below + 1, above)}, key=abs)
        known = [f"{zone:+} minutes" for zone in zones if abs(zone) * 60 <= _HALF_RANGE]
        taken = reading(TIMEZONE, "unequal", "error", *known)
        if taken in ("unequal", "error"):
            return taken
        return apart - sign * int(taken.split()[0]) * 60

    def zone_text(self) -> str:
        """The zone as it is written at the end of a lexical form: empty, ``Z`` or ``-05:00``."""
        if self.zone is None:
            return ""
        if self.zone == 0:
            return "Z"
        hours, minutes = divmod(abs(self.zone), 60)
        return f"{'-' if self.zone < 0 else '+'}{hours:02}:{minutes:02}"

    def zone_duration(self) -> str | None:
        """The lexical form of the zone as an xsd:dayTimeDuration; None if there is no zone."""
        if self.zone is None:
            return None
        if self.zone == 0:
            return "PT0S"
        hours, minutes = divmod(abs(self.zone), 60)
        text = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
        return f"{'-' if self.zone < 0 else ''}PT{text}"

    def canonical(self) -> str:
        """The canonical lexical form; the zone is kept, as XSD 1.1 does."""
        # As Decimals, which have no limit of digits.
        year = f"{'-' if self.year < 0 else ''}{Decimal(abs(self.year)):04f}"
        whole = int(self.second)
        fraction = format(self.second - whole, "f").partition(".")[2].rstrip("0")
        return (
            f"{year}-{self.month:02}-{self.day:02}T{self.hour:02}:{self.minute:02}:{whole:02}"
            f"{'.' + fraction if fraction else ''}{self.zone_text()}"
        )


def parse_datetime(text: str) -> DateTime | None:
    """The value of a lexical form; None if the text is not an xsd:dateTime."""
    match = _LEXICAL.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute = (int(Decimal(match[i])) for i in range(1, 6))
    second = Decimal(match[6])
    # `date` knows the years 1 to 9999 only, but 400 years later the calendar is the same.
    cycles, within = divmod(year, 400)
    try:
        date = datetime.date(2000 + within, month, day)
    except ValueError:
        return None
    if hour == 24 and minute == 0 and second == 0:
        hour = 0
        date += datetime.timedelta(days=1)
    if hour > 23 or minute > 59 or second >= 60:
        return None
    zone = _zone(match[7])
    days = date.toordinal() - 1 + (cycles - 5) * _CYCLE
    timeline = days * 86400 + hour * 3600 + (minute - (zone or 0)) * 60 + second
    year = date.year + (cycles - 5) * 400
    return DateTime(year, date.month, date.day, hour, minute, second, zone, timeline)


def _zone(text: str | None) -> int | None:
    if text is None:
        return None
    if text == "Z":
        return 0
    minutes = int(text[1:3]) * 60 + int(text[4:6])
    return -minutes if text[0] == "-" else minutes
