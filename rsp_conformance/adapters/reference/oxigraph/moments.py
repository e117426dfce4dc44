"""Instants of xsd:dateTime of any year and any number of digits (XSD 1.1 part 2, 3.3.7; F&O 10).

pyoxigraph has years up to about 10^11 and seconds to 18 digits, and takes for an error what is
beyond them.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from rsp_conformance.adapters.reference.oxigraph.exact import EXACT, plain_text

_LEXICAL = re.compile(
    "(-?(?:[1-9][0-9]{3,}|0[0-9]{3}))-([0-9]{2})-([0-9]{2})"
    "T([0-9]{2}):([0-9]{2}):([0-9]{2}(?:[.][0-9]+)?)"
    "(?:(Z)|([+-])([0-9]{2}):([0-9]{2}))?"
)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""The days of each month of a year that is no leap year."""
_FARTHEST = 14 * 60
"""No time zone is farther from UTC, in minutes."""


class Moment(NamedTuple):
    """A point in time by a clock that is ``zone`` minutes ahead of UTC; None is any clock."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: Decimal
    zone: int | None

    @property
    def timeline(self) -> Decimal:
        """Seconds since the year 0 began, in UTC if there is no zone."""
        minutes = (_day(self.year, self.month, self.day) * 24 + self.hour) * 60 + self.minute
        return EXACT.add(Decimal((minutes - (self.zone or 0)) * 60), self.second)

    def equals(self, other: Moment) -> bool:
        """``=``: with a zone and without are never equal."""
        return (self.zone is None) is (other.zone is None) and self.timeline == other.timeline

    def is_before(self, other: Moment) -> bool | None:
        """``<``; None if some zone for the one without would make either the earlier."""
        apart = EXACT.subtract(other.timeline, self.timeline)
        if (self.zone is None) is not (other.zone is None) and abs(apart) <= _FARTHEST * 60:
            return None
        return apart > 0

    def zone_text(self) -> str:
        """TZ: the zone as the lexical form ends."""
        if not self.zone:
            return "" if self.zone is None else "Z"
        hours, minutes = divmod(abs(self.zone), 60)
        return f"{'-' if self.zone < 0 else '+'}{hours:02}:{minutes:02}"

    def zone_duration(self) -> str | None:
        """TIMEZONE: the zone as an xsd:dayTimeDuration; None if there is none."""
        if not self.zone:
            return None if self.zone is None else "PT0S"
        hours, minutes = divmod(abs(self.zone), 60)
        written = "PT" + (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
        return "-" + written if self.zone < 0 else written

    def text(self) -> str:
        """Return the canonical lexical form, in its own zone."""
        year = plain_text(Decimal(abs(self.year))).rjust(4, "0")
        whole, _, fraction = plain_text(self.second).partition(".")
        seconds = whole.rjust(2, "0") + (f".{fraction}" if fraction else "")
        return (
            f"{'-' if self.year < 0 else ''}{year}-{self.month:02}-{self.day:02}"
            f"T{self.hour:02}:{self.minute:02}:{seconds}{self.zone_text()}"
        )


@lru_cache(maxsize=4096)
def moment_of(text: str) -> Moment | None:
    """Parse an xsd:dateTime; None if the text is not valid."""
    found = _LEXICAL.fullmatch(text)
    if found is None:
        return None
    # By way of Decimals, which read any number of digits.
    year, month, day, hour, minute = (int(Decimal(found[place])) for place in range(1, 6))
    second = Decimal(found[6])
    is_end_of_day = hour == 24 and minute == 0 and second == 0
    zone = _zone(found)
    if not 1 <= month <= 12 or not 1 <= day <= _length(year, month) or minute > 59 or second >= 60:
        return None
    if (hour > 23 and not is_end_of_day) or (zone is not None and abs(zone) > _FARTHEST):
        return None
    if is_end_of_day:
        hour, day = 0, day + 1
        if day > _length(year, month):
            year, month, day = year + month // 12, month % 12 + 1, 1
    return Moment(year, month, day, hour, minute, second, zone)


def _zone(found: re.Match[str]) -> int | None:
    """Return the zone in minutes; beyond all zones if it has more than 59 minutes."""
    if found[7] or found[8] is None:
        return 0 if found[7] else None
    hours, minutes = int(found[9]), int(found[10])
    ahead = hours * 60 + minutes if minutes < 60 else _FARTHEST + 1
    return -ahead if found[8] == "-" else ahead


def _length(year: int, month: int) -> int:
    """Return how many days a month has, in the Gregorian calendar of all times."""
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and is_leap else _DAYS[month - 1]


def _day(year: int, month: int, day: int) -> int:
    """Return the number of a day, from the first of the year 0, which is a leap year."""
    past = year - 1
    leaps = past // 4 - past // 100 + past // 400 + 1
    months = sum(_length(year, before) for before in range(1, month))
    return 365 * year + leaps + months + day - 1
