"""The calendar: days of months and years, and their numbers."""

# Types come from the calls, as in any program.
# pyright: basic

_DAYS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LAST = 3652059  # the ordinal of 9999-12-31


def check_date(year, month, day):
    """Refuse what is no day."""
    for part in (year, month, day):
        check_int(part)
    if not 1 <= year <= 9999:
        raise ValueError(f"year {year} is out of range")
    if not 1 <= month <= 12:
        raise ValueError("month must be in 1..12")
    if not 1 <= day <= _days_in(year, month):
        raise ValueError("day is out of range for month")


def check_int(value):
    """Refuse a float, which may be whole."""
    if isinstance(value, float):
        raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year, month):
    return 29 if month == 2 and _is_leap(year) else _DAYS[month]


def _before_year(year):
    last = year - 1
    return last * 365 + last // 4 - last // 100 + last // 400


def before_month(year, month):
    """Return how many days of a year come before a month."""
    days = 0
    for earlier in range(1, month):
        days += _days_in(year, earlier)
    return days


def ordinal(year, month, day):
    """Return the number of a day."""
    return _before_year(year) + before_month(year, month) + day


def in_range(ordinal):
    """Return the number of a day, if there is such a day."""
    if not 0 < ordinal <= _LAST:
        raise OverflowError("date value out of range")
    return ordinal


def of_ordinal(ordinal):
    """Return year, month and day of a number."""
    check_int(ordinal)
    if ordinal < 1:
        raise ValueError("ordinal must be >= 1")
    if ordinal > _LAST:
        raise ValueError(f"year {ordinal // 365} is out of range")
    year = ordinal // 366 + 1
    while _before_year(year + 1) < ordinal:
        year += 1
    left = ordinal - _before_year(year)
    month = 1
    while left > _days_in(year, month):
        left -= _days_in(year, month)
        month += 1
    return year, month, left


def of_iso(text, whole):
    """Return year, month and day that a text says, the first part of one or all of it."""
    parts = text.split("-")
    good = len(parts) == 3 and len(parts[0]) == 4 and len(parts[1]) == len(parts[2]) == 2
    if not (good and text.isascii() and (parts[0] + parts[1] + parts[2]).isdigit()):
        raise ValueError(f"Invalid isoformat string: {whole!r}")
    year, month, day = int(parts[0]), int(parts[1]), int(parts[2])
    return year, month, day


def first_monday(year):
    """Return the number of the Monday with which the first week of a year begins."""
    first = ordinal(year, 1, 1)
    weekday = (first + 6) % 7
    monday = first - weekday
    return monday + 7 if weekday > 3 else monday
