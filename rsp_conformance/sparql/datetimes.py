"""xsd:dateTime as SPARQL uses it: comparison and components (XSD 1.1 part 2, 3.3.7; F&O 10)."""

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
"""Days in 400 years."""
_HALF_RANGE = 14 * 3600
"""A time zone is at most 14 hours away, so an instant without one lies within this of its clock."""


@dataclass(frozen=True, slots=True)
class DateTime:
    """A point in time by its clock, and by ``timeline``: seconds since year 1, as if in UTC.

    ``zone`` is the offset in minutes, None where the lexical form has none.
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
        """Equality; by itself a dateTime with a zone never equals one without (XSD 1.1)."""
        apart = self._apart(other)
        if isinstance(apart, str):
            return None if apart == "error" else False
        return not apart

    def before(self, other: DateTime) -> bool | None:
        """Order; None where one has no zone and some zone would make either the earlier."""
        apart = self._apart(other)
        return None if isinstance(apart, str) else apart < 0

    def _apart(self, other: DateTime) -> Decimal | str:
        """The seconds from OTHER to this; where the zone of one of them is open, how that is read.

        Who has an implicit timezone (F&O 10.4) gives it to the one without: only whether that makes
        it earlier, equal or later matters, so the zones next to the one of equality are looked at.
        """
        apart = self.timeline - other.timeline
        if (self.zone is None) == (other.zone is None) or abs(apart) > _HALF_RANGE:
            return apart
        sign = 1 if self.zone is None else -1
        equal = apart * sign / 60
        below, above = math.ceil(equal) - 1, math.floor(equal) + 1
        # UTC besides, for nobody is asked to think of UTC-00:59.
        zones = sorted({0, below, above, *range(below + 1, above)}, key=abs)
        known = [f"{zone:+} minutes" for zone in zones if abs(zone) * 60 <= _HALF_RANGE]
        taken = reading(TIMEZONE, "unequal", "error", *known)
        if taken in ("unequal", "error"):
            return taken
        return apart - sign * int(taken.split()[0]) * 60

    def zone_text(self) -> str:
        """The zone as a lexical form ends: empty, ``Z`` or ``-05:00``."""
        if self.zone is None:
            return ""
        if self.zone == 0:
            return "Z"
        hours, minutes = divmod(abs(self.zone), 60)
        return f"{'-' if self.zone < 0 else '+'}{hours:02}:{minutes:02}"

    def zone_duration(self) -> str | None:
        """The zone as an xsd:dayTimeDuration, None where there is none."""
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
    """The value of a lexical form, None where it is no xsd:dateTime."""
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
