"""`date`, `timedelta` and `datetime` of `datetime`, without time zones."""

# Types come from the calls, as in any program.
# pyright: basic

import math

from scriptc.stand_ins.calendars import (
    check_date,
    check_int,
    first_monday,
    in_range,
    of_iso,
    of_ordinal,
    ordinal,
)
from scriptc.stand_ins.time_texts import formatted, parsed, time_of_iso

_SECOND = 1000000
_DAY = 86400 * _SECOND


class timedelta:
    """A length of time, in days, seconds and microseconds."""

    def __init__(
        self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0
    ):
        parts = (
            *((microseconds, 1), (milliseconds, 1000), (seconds, _SECOND)),
            *((minutes, 60 * _SECOND), (hours, 3600 * _SECOND), (days, _DAY), (weeks, 7 * _DAY)),
        )
        whole, left = 0, 0.0
        for value, factor in parts:
            some, more = _microseconds(value, factor)
            whole += some
            left += more
        whole += _rounded(left, whole)
        days, rest = divmod(whole, _DAY)
        if abs(days) > 999999999:
            raise OverflowError(f"days={days}; must have magnitude <= 999999999")
        self.days = days
        self.seconds = rest // _SECOND
        self.microseconds = rest % _SECOND

    def total_seconds(self):
        """Return the length in seconds."""
        return _length(self) / _SECOND

    def __add__(self, other):
        if isinstance(other, timedelta):
            return timedelta(microseconds=_length(self) + _length(other))
        return NotImplemented

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return timedelta(microseconds=_length(self) - _length(other))
        return NotImplemented

    def __neg__(self):
        return timedelta(microseconds=-_length(self))

    def __pos__(self):
        return self

    def __abs__(self):
        return timedelta(microseconds=abs(_length(self)))

    def __mul__(self, other):
        if isinstance(other, int):
            return timedelta(microseconds=_length(self) * int(other))
        return NotImplemented

    def __rmul__(self, other):
        if isinstance(other, int):
            return timedelta(microseconds=_length(self) * int(other))
        return NotImplemented

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return _length(self) // _length(other)
        if isinstance(other, int):
            return timedelta(microseconds=_length(self) // int(other))
        return NotImplemented

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return _length(self) / _length(other)
        if isinstance(other, int):
            return timedelta(microseconds=_divided(_length(self), int(other)))
        return NotImplemented

    def __mod__(self, other):
        if isinstance(other, timedelta):
            return timedelta(microseconds=_length(self) % _length(other))
        return NotImplemented

    def __eq__(self, other):
        if isinstance(other, timedelta):
            return _length(self) == _length(other)
        return NotImplemented

    def __lt__(self, other):
        if isinstance(other, timedelta):
            return _length(self) < _length(other)
        return NotImplemented

    def __le__(self, other):
        if isinstance(other, timedelta):
            return _length(self) <= _length(other)
        return NotImplemented

    def __gt__(self, other):
        if isinstance(other, timedelta):
            return _length(self) > _length(other)
        return NotImplemented

    def __ge__(self, other):
        if isinstance(other, timedelta):
            return _length(self) >= _length(other)
        return NotImplemented

    def __hash__(self):
        return hash((self.days, self.seconds, self.microseconds))

    def __bool__(self):
        return _length(self) != 0

    def __repr__(self):
        parts = []
        if self.days:
            parts.append(f"days={self.days}")
        if self.seconds:
            parts.append(f"seconds={self.seconds}")
        if self.microseconds:
            parts.append(f"microseconds={self.microseconds}")
        return f"datetime.timedelta({', '.join(parts) or '0'})"

    def __str__(self):
        minutes, seconds = divmod(self.seconds, 60)
        text = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
        if self.days:
            plural = "" if abs(self.days) == 1 else "s"
            text = f"{self.days} day{plural}, {text}"
        if self.microseconds:
            text += f".{self.microseconds:06}"
        return text


class IsoCalendarDate:
    """A year, week and weekday of ISO's calendar."""

    def __init__(self, year, week, weekday):
        self.year = year
        self.week = week
        self.weekday = weekday

    def __getitem__(self, place):
        return (self.year, self.week, self.weekday)[place]

    def __iter__(self):
        yield self.year
        yield self.week
        yield self.weekday

    def __len__(self):
        return 3

    def __eq__(self, other):
        if isinstance(other, tuple):
            return (self.year, self.week, self.weekday) == other
        if isinstance(other, IsoCalendarDate):
            mine, theirs = (self.year, self.week), (other.year, other.week)
            return mine == theirs and self.weekday == other.weekday
        return NotImplemented

    def __hash__(self):
        return hash((self.year, self.week, self.weekday))

    def __repr__(self):
        parts = f"year={self.year}, week={self.week}, weekday={self.weekday}"
        return f"datetime.IsoCalendarDate({parts})"


class date:
    """A day of the calendar."""

    def __init__(self, year, month, day):
        check_date(year, month, day)
        self.year = year
        self.month = month
        self.day = day

    @classmethod
    def fromordinal(cls, n):
        """Return the day of a number: 1 is the first of January of the year 1."""
        year, month, day = of_ordinal(n)
        return date(year, month, day)

    @classmethod
    def fromisoformat(cls, text):
        """Return the day that a text like 2024-02-29 says."""
        year, month, day = of_iso(text, text)
        return date(year, month, day)

    def toordinal(self):
        """Return the number of the day."""
        return ordinal(self.year, self.month, self.day)

    def weekday(self):
        """Return the day of the week: 0 is Monday."""
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        """Return the day of the week: 1 is Monday."""
        return self.weekday() + 1

    def isocalendar(self):
        """Return year, week and weekday of ISO's calendar."""
        year = self.year
        today = self.toordinal()
        first = first_monday(year)
        if today < first:
            year -= 1
            first = first_monday(year)
        elif today >= first_monday(year + 1):
            year += 1
            first = first_monday(year)
        week, day = divmod(today - first, 7)
        return IsoCalendarDate(year, week + 1, day + 1)

    def isoformat(self):
        """Return a text like 2024-02-29."""
        return f"{self.year:04}-{self.month:02}-{self.day:02}"

    def ctime(self):
        """Return a text like Thu Feb 29 00:00:00 2024."""
        return formatted("%a %b %e %H:%M:%S %Y", self, 0, 0, 0, 0)

    def strftime(self, format):
        """Return a text with what stands for each letter behind a %."""
        return formatted(format, self, 0, 0, 0, 0)

    def replace(self, year=None, month=None, day=None):
        """Return a day with some parts replaced."""
        return date(
            self.year if year is None else year,
            self.month if month is None else month,
            self.day if day is None else day,
        )

    def __format__(self, format):
        return self.strftime(format) if format else str(self)

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        return f"datetime.date({self.year}, {self.month}, {self.day})"

    def __add__(self, other):
        if isinstance(other, timedelta):
            return date.fromordinal(in_range(self.toordinal() + other.days))
        return NotImplemented

    def __radd__(self, other):
        if isinstance(other, timedelta):
            return date.fromordinal(in_range(self.toordinal() + other.days))
        return NotImplemented

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return date.fromordinal(in_range(self.toordinal() - other.days))
        if isinstance(other, date):
            if isinstance(other, datetime):
                raise TypeError(_of_two("datetime.date", "datetime.datetime"))
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented

    def __eq__(self, other):
        if isinstance(other, date):
            return not isinstance(other, datetime) and _key(self) == _key(other)
        return NotImplemented

    def __lt__(self, other):
        if isinstance(other, date):
            _require_days(self, other)
            return _key(self) < _key(other)
        return NotImplemented

    def __le__(self, other):
        if isinstance(other, date):
            _require_days(self, other)
            return _key(self) <= _key(other)
        return NotImplemented

    def __gt__(self, other):
        if isinstance(other, date):
            _require_days(self, other)
            return _key(self) > _key(other)
        return NotImplemented

    def __ge__(self, other):
        if isinstance(other, date):
            _require_days(self, other)
            return _key(self) >= _key(other)
        return NotImplemented

    def __hash__(self):
        return hash(_key(self))


class datetime(date):
    """A day, and a time of it."""

    def __init__(self, year, month, day, hour=0, minute=0, second=0, microsecond=0):
        super().__init__(year, month, day)
        _check_time(hour, minute, second, microsecond)
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond

    @classmethod
    def fromordinal(cls, n):
        """Return the midnight with which the day of a number begins."""
        year, month, day = of_ordinal(n)
        return datetime(year, month, day)

    @classmethod
    def fromisoformat(cls, text):
        """Return what a text like 2024-02-29T12:30:00 says."""
        year, month, day = of_iso(text[:10], text)
        hour, minute, second, microsecond = time_of_iso(text)
        return datetime(year, month, day, hour, minute, second, microsecond)

    @classmethod
    def strptime(cls, text, format):
        """Return what a text says that `strftime` would have written so."""
        parts = parsed(text, format)
        return datetime(*parts)

    def date(self):
        """Return the day."""
        return date(self.year, self.month, self.day)

    def isoformat(self, sep="T", timespec="auto"):
        """Return a text like 2024-02-29T12:30:00."""
        text = f"{self.year:04}-{self.month:02}-{self.day:02}{sep}{self.hour:02}"
        if timespec == "hours":
            return text
        text += f":{self.minute:02}"
        if timespec == "minutes":
            return text
        text += f":{self.second:02}"
        if timespec == "milliseconds":
            return f"{text}.{self.microsecond // 1000:03}"
        if timespec == "microseconds" or (timespec == "auto" and self.microsecond):
            return f"{text}.{self.microsecond:06}"
        if timespec == "auto" or timespec == "seconds":
            return text
        raise ValueError("Unknown timespec value")

    def ctime(self):
        """Return a text like Thu Feb 29 12:30:00 2024."""
        return self.strftime("%a %b %e %H:%M:%S %Y")

    def strftime(self, format):
        """Return a text with what stands for each letter behind a %."""
        return formatted(format, self, self.hour, self.minute, self.second, self.microsecond)

    def replace(
        self,
        year=None,
        month=None,
        day=None,
        hour=None,
        minute=None,
        second=None,
        microsecond=None,
    ):
        """Return a time with some parts replaced."""
        return datetime(
            self.year if year is None else year,
            self.month if month is None else month,
            self.day if day is None else day,
            self.hour if hour is None else hour,
            self.minute if minute is None else minute,
            self.second if second is None else second,
            self.microsecond if microsecond is None else microsecond,
        )

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        parts = f"{self.year}, {self.month}, {self.day}, {self.hour}, {self.minute}"
        if self.second or self.microsecond:
            parts += f", {self.second}"
        if self.microsecond:
            parts += f", {self.microsecond}"
        return f"datetime.datetime({parts})"

    def __add__(self, other):
        if isinstance(other, timedelta):
            return _moved(self, _length(other))
        return NotImplemented

    def __radd__(self, other):
        if isinstance(other, timedelta):
            return _moved(self, _length(other))
        return NotImplemented

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return _moved(self, -_length(other))
        if isinstance(other, datetime):
            days = self.toordinal() - other.toordinal()
            return timedelta(days, microseconds=_time(self) - _time(other))
        if isinstance(other, date):
            raise TypeError(_of_two("datetime.datetime", "datetime.date"))
        return NotImplemented

    def __eq__(self, other):
        if isinstance(other, datetime):
            return _key(self) == _key(other) and _time(self) == _time(other)
        if isinstance(other, date):
            return False
        return NotImplemented

    def __lt__(self, other):
        if isinstance(other, datetime):
            return (_key(self), _time(self)) < (_key(other), _time(other))
        if isinstance(other, date):
            raise TypeError("can't compare datetime.datetime to datetime.date")
        return NotImplemented

    def __le__(self, other):
        if isinstance(other, datetime):
            return (_key(self), _time(self)) <= (_key(other), _time(other))
        if isinstance(other, date):
            raise TypeError("can't compare datetime.datetime to datetime.date")
        return NotImplemented

    def __gt__(self, other):
        if isinstance(other, datetime):
            return (_key(self), _time(self)) > (_key(other), _time(other))
        if isinstance(other, date):
            raise TypeError("can't compare datetime.datetime to datetime.date")
        return NotImplemented

    def __ge__(self, other):
        if isinstance(other, datetime):
            return (_key(self), _time(self)) >= (_key(other), _time(other))
        if isinstance(other, date):
            raise TypeError("can't compare datetime.datetime to datetime.date")
        return NotImplemented

    def __hash__(self):
        return hash((self.year, self.month, self.day, _time(self)))


def _require_days(day, other):
    if isinstance(other, datetime) and not isinstance(day, datetime):
        raise TypeError("can't compare datetime.datetime to datetime.date")


def _of_two(first, second):
    return f"unsupported operand type(s) for -: '{first}' and '{second}'"


def _time(moment):
    """Return the microseconds since midnight."""
    minutes = moment.hour * 60 + moment.minute
    return (minutes * 60 + moment.second) * _SECOND + moment.microsecond


def _moved(moment, length):
    days, rest = divmod(_time(moment) + length, _DAY)
    year, month, day = of_ordinal(in_range(moment.toordinal() + days))
    seconds, microsecond = divmod(rest, _SECOND)
    minutes, second = divmod(seconds, 60)
    return datetime(year, month, day, minutes // 60, minutes % 60, second, microsecond)


def _check_time(hour, minute, second, microsecond):
    for part in (hour, minute, second, microsecond):
        check_int(part)
    if not 0 <= hour <= 23:
        raise ValueError("hour must be in 0..23")
    if not 0 <= minute <= 59:
        raise ValueError("minute must be in 0..59")
    if not 0 <= second <= 59:
        raise ValueError("second must be in 0..59")
    if not 0 <= microsecond <= 999999:
        raise ValueError("microsecond must be in 0..999999")


def _key(day):
    return day.year, day.month, day.day


def _microseconds(value, factor):
    """Return whole microseconds, and what is left of them."""
    if isinstance(value, float):
        part, whole = math.modf(value)
        some, more = math.modf(factor * part)
        return int(whole) * factor + int(more), some
    return value * factor, 0.0


def _rounded(left, whole):
    """Return what is left, rounded half to even together with the whole."""
    if left == 0.0:
        return 0
    found = _round_up(left)
    if abs(found - left) == 0.5:
        odd = whole % 2
        found = 2.0 * _round_up((left + odd) * 0.5) - odd
    return int(found)


def _round_up(value):
    return math.floor(value + 0.5) if value >= 0.0 else math.ceil(value - 0.5)


def _divided(a, b):
    """Return a / b, rounded half to even."""
    quotient, rest = divmod(a, b)
    twice = rest * 2
    above = twice > b if b > 0 else twice < b
    if above or (twice == b and quotient % 2 == 1):
        quotient += 1
    return quotient


def _length(delta):
    return (delta.days * 86400 + delta.seconds) * _SECOND + delta.microseconds
