"""Texts of days and times, written and read as `strftime` and `strptime` say."""

# Types come from the calls, as in any program.
# pyright: basic
# ruff: noqa: C901

from scriptc.stand_ins.calendars import before_month

_DAYS_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("", "January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)


def time_of_iso(text):
    """Return hour, minute, second and microsecond of a text that begins with a day."""
    if len(text) == 10:
        return 0, 0, 0, 0
    clock, point, behind = text[11:].partition(".")
    parts = clock.split(":")
    good = 1 <= len(parts) <= 3 and all(len(p) == 2 and p.isdigit() for p in parts)
    good = good and text.isascii() and (not point or len(parts) == 3)
    if not good or (point and not behind.isdigit()):
        raise ValueError(f"Invalid isoformat string: {text!r}")
    numbers = [int(p) for p in parts] + [0, 0]
    return numbers[0], numbers[1], numbers[2], int((behind + "00000")[:6]) if behind else 0


def parsed(text, format):
    """Return the parts of a time that a text has, as a format says."""
    year, month, day, hour, minute, second, microsecond = 1900, 1, 1, 0, 0, 0, 0
    afternoon, is_half = 0, False
    at = 0
    place = 0
    while place < len(format):
        letter = format[place]
        place += 1
        if letter.isspace():
            if not text[at : at + 1].isspace():
                raise ValueError(f"time data {text!r} does not match format {format!r}")
            while at < len(text) and text[at].isspace():
                at += 1
            while place < len(format) and format[place].isspace():
                place += 1
            continue
        if letter != "%":
            if text[at : at + 1].lower() != letter.lower():
                raise ValueError(f"time data {text!r} does not match format {format!r}")
            at += 1
            continue
        if place == len(format):
            raise ValueError(f"stray % in format '{format}'")
        letter = format[place]
        place += 1
        value, end = _field(text, at, letter)
        if end < 0:
            raise ValueError(f"time data {text!r} does not match format {format!r}")
        at = end
        if letter == "Y":
            year = value
        elif letter == "y":
            year = value + (2000 if value < 69 else 1900)
        elif letter in "mbB":
            month = value
        elif letter == "d":
            day = value
        elif letter in "HI":
            hour, is_half = value, letter == "I"
        elif letter == "M":
            minute = value
        elif letter == "S":
            second = value
        elif letter == "f":
            microsecond = value
        elif letter == "p":
            afternoon = value
    if at < len(text):
        raise ValueError(f"unconverted data remains: {text[at:]}")
    if is_half:
        hour = hour % 12 + 12 * afternoon
    return year, month, day, hour, minute, second, microsecond


def _field(text, at, letter):
    """Return what a field of a text says, and where it ends: -1 where it is none."""
    if letter == "Y":
        return _number(text, at, 4, 4, 0, 9999)
    if letter == "f":
        value, end = _number(text, at, 1, 6, 0, 999999)
        return value * 10 ** (6 - (end - at)) if end > 0 else 0, end
    if letter == "d" and text[at : at + 1] == " ":
        return _number(text, at + 1, 1, 1, 1, 9)
    limits = {"m": (1, 12), "d": (1, 31), "H": (0, 23), "I": (1, 12), "M": (0, 59), "S": (0, 61)}
    if letter in limits:
        low, high = limits[letter]
        return _number(text, at, 1, 2, low, high)
    if letter == "y":
        return _number(text, at, 2, 2, 0, 99)
    if letter == "p":
        return _name(text, at, ("am", "pm"), 2)
    if letter == "B":
        return _month(text, at, 20)
    if letter == "b":
        return _month(text, at, 3)
    if letter == "A":
        return _name(text, at, _DAYS_NAMES, 20)
    if letter == "a":
        return _name(text, at, _DAYS_NAMES, 3)
    if letter == "%":
        return 0, at + 1 if text[at : at + 1] == "%" else -1
    raise ValueError(f"scripts do not know %{letter} of strptime")


def _month(text, at, size):
    place, end = _name(text, at, _MONTHS[1:], size)
    return place + 1, end


def _name(text, at, names, size):
    for place, name in enumerate(names):
        short = name[:size].lower()
        if text[at : at + len(short)].lower() == short:
            return place, at + len(short)
    return 0, -1


def _number(text, at, least, most, low, high):
    """Return the longest number up to `high` that a text has, and where it ends."""
    for size in range(most, least - 1, -1):
        digits = text[at : at + size]
        good = len(digits) == size and digits.isascii() and digits.isdigit()
        if good and low <= int(digits) <= high:
            return int(digits), at + size
    return 0, -1


def formatted(format, day, hour, minute, second, microsecond):
    """Return a text with what stands for each letter behind a %."""
    text = ""
    place = 0
    while place < len(format):
        letter = format[place]
        place += 1
        if letter != "%" or place == len(format):
            text += letter
            continue
        text += _part(format[place], day, hour, minute, second, microsecond)
        place += 1
    return text


def _part(letter, day, hour, minute, second, microsecond):
    if letter == "Y":
        return str(day.year)
    if letter == "m":
        return f"{day.month:02}"
    if letter == "d":
        return f"{day.day:02}"
    if letter == "e":
        return f"{day.day:2}"
    if letter == "H":
        return f"{hour:02}"
    if letter == "M":
        return f"{minute:02}"
    if letter == "S":
        return f"{second:02}"
    if letter == "f":
        return f"{microsecond:06}"
    if letter == "I":
        return f"{(hour + 11) % 12 + 1:02}"
    if letter == "p":
        return "AM" if hour < 12 else "PM"
    if letter == "y":
        return f"{day.year % 100:02}"
    if letter == "j":
        return f"{before_month(day.year, day.month) + day.day:03}"
    if letter == "F":
        return f"{day.year}-{day.month:02}-{day.day:02}"
    if letter in "xD":
        return f"{day.month:02}/{day.day:02}/{day.year % 100:02}"
    if letter in "TX":
        return f"{hour:02}:{minute:02}:{second:02}"
    if letter == "R":
        return f"{hour:02}:{minute:02}"
    if letter == "c":
        clock = f"{hour:02}:{minute:02}:{second:02}"
        return f"{_of_week('a', day)} {_of_week('b', day)} {day.day:2} {clock} {day.year}"
    if letter == "%":
        return "%"
    return _of_week(letter, day)


def _of_week(letter, day):
    weekday = day.weekday()
    of_year = before_month(day.year, day.month) + day.day
    if letter == "A":
        return _DAYS_NAMES[weekday]
    if letter == "a":
        return _DAYS_NAMES[weekday][:3]
    if letter == "B":
        return _MONTHS[day.month]
    if letter in "bh":
        return _MONTHS[day.month][:3]
    if letter == "w":
        return str((weekday + 1) % 7)
    if letter == "u":
        return str(weekday + 1)
    if letter == "U":
        return f"{(of_year + 6 - (weekday + 1) % 7) // 7:02}"
    if letter == "W":
        return f"{(of_year + 6 - weekday) // 7:02}"
    if letter == "V":
        return f"{day.isocalendar().week:02}"
    if letter == "G":
        return str(day.isocalendar().year)
    if letter == "z" or letter == "Z":
        return ""
    raise ValueError(f"scripts do not know %{letter} of strftime")
