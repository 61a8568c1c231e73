"""Days, times and lengths of time: arithmetic, order, texts, and programs that use them.

The types come from the calls.
"""

# pyright: basic, reportArgumentType=false, reportUnusedExpression=false
# ruff: noqa: B905, RUF007

import datetime
from datetime import date, timedelta

from tests.programs import Case


def age(born: date, today: date) -> int:
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def days(y):
    d = date(y, 2, 28)
    e = d + timedelta(days=2)
    step = timedelta(hours=30, minutes=5)
    out = [
        d.isoformat(),
        str(e),
        repr(d),
        d.strftime("%Y-%m-%d %a %A %b %B %j %U %W %V %G %u %w %y %%"),
        f"{d:%d/%m/%Y}",
        f"{d}",
        str(step),
        repr(step),
        str(-step),
        repr(timedelta(0)),
        str(timedelta(days=-1, microseconds=5)),
        d.ctime(),
    ]
    nums = [
        (e - d).days,
        d.weekday(),
        d.isoweekday(),
        d.toordinal(),
        step.days,
        step.seconds,
        date.fromordinal(d.toordinal() + 1).day,
        age(d, e),
        d.isocalendar()[1],
        d.isocalendar().week,
    ]
    cmp = [
        d < e,
        d == date(y, 2, 28),
        d != e,
        e - d > timedelta(days=1),
        d <= d,
        max(d, e) == e,
        step == timedelta(days=1, hours=6, minutes=5),
    ]
    fl = [
        step.total_seconds(),
        step / timedelta(hours=1),
        timedelta(hours=1.5).total_seconds(),
        timedelta(seconds=0.1234567).microseconds / 1,
    ]
    td = [
        str(x)
        for x in (
            step * 2,
            2 * step,
            step // 2,
            step / 4,
            abs(-step),
            step % timedelta(hours=7),
            step - timedelta(1),
            step + timedelta(weeks=1),
            timedelta(milliseconds=1.5),
            timedelta(days=0.1),
            e - timedelta(60),
        )
    ]
    errs = []
    for args in ((y, 2, 30), (y, 13, 1), (0, 1, 1)):
        try:
            date(*args)
        except ValueError as x:
            errs.append(str(x))
    try:
        date.fromisoformat("2020-1-05")
    except ValueError as x:
        errs.append(str(x))
    try:
        date(9999, 12, 31) + timedelta(days=1)
    except OverflowError as x:
        errs.append(str(x))
    days = []
    k = d
    while k < date(y, 3, 4):
        if k.weekday() < 5:
            days.append(k.strftime("%d"))
        k += timedelta(days=1)
    dates = sorted([e, d, date.fromisoformat("2020-01-05")], reverse=True)
    by = {}
    for i in range(40):
        day = d + timedelta(days=i)
        by.setdefault(day.month, []).append(day.day)
    seen = {d: 1}
    seen[date(y, 2, 28)] += 1
    return (
        out,
        nums,
        cmp,
        fl,
        td,
        errs,
        days,
        [str(x) for x in dates],
        by,
        list(seen.values()),
        e.replace(day=1).isoformat(),
        sum([step, step], timedelta()).days,
        datetime.date(y, 1, 1).isoformat(),
        str(min(dates)),
        [x.days for x in (dates[0] - dates[1], dates[0] - dates[2])],
    )


class Event:
    def __init__(self, name, start, minutes):
        self.name = name
        self.start = start
        self.minutes = minutes

    @property
    def end(self):
        return self.start + timedelta(minutes=self.minutes)

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end


LOG = """2024-03-01 10:00:00 INFO start
2024-03-01 10:00:07.5 WARN slow
2024-03-02 00:15:00 ERROR stop"""


def parse(line):
    day, clock, level, text = line.split(" ", 3)
    stamp = f"{day} {clock}"
    fmt = "%Y-%m-%d %H:%M:%S.%f" if "." in clock else "%Y-%m-%d %H:%M:%S"
    return datetime.datetime.strptime(stamp, fmt), level, text


def moments(h):
    t = datetime.datetime(2024, 2, 29, h, 30)
    u = t + timedelta(hours=20, seconds=1, microseconds=7)
    out = [
        str(t),
        repr(t),
        str(u),
        repr(u),
        t.isoformat(),
        u.isoformat(" "),
        t.strftime("%H:%M %p %I %A"),
        f"{t:%H:%M}",
        str(u - t),
        t.date().isoformat(),
        t.isoformat(timespec="minutes"),
        t.ctime(),
    ]
    cmp = [
        t < u,
        t == datetime.datetime(2024, 2, 29, h, 30),
        u - t > timedelta(hours=20),
        t.date() == date(2024, 2, 29),
        isinstance(t, date),
        isinstance(t.date(), datetime.datetime),
    ]
    a, b = Event("a", t, 60), Event("b", u, 30)
    c = Event("c", t + timedelta(minutes=59), 5)
    ev = [a.overlaps(b), a.overlaps(c), str(c.end)]
    logs = [parse(line) for line in LOG.splitlines()]
    gaps = [(y[0] - x[0]).total_seconds() for x, y in zip(logs, logs[1:])]
    iso = [
        str(datetime.datetime.fromisoformat(s))
        for s in ("2024-01-02", "2024-01-02T03:04", "2024-01-02 03:04:05.678")
    ]
    par = [
        str(datetime.datetime.strptime(s, f))
        for s, f in (
            ("01/02/24", "%d/%m/%y"),
            ("Mar 5 2023 07:08 PM", "%b %d %Y %I:%M %p"),
            ("5 December 1999", "%d %B %Y"),
        )
    ]
    errs = []
    for s in ("2024-13-01", "2024-01-01x", "x", "2024-02-30"):
        try:
            errs.append(str(datetime.datetime.strptime(s, "%Y-%m-%d")))
        except ValueError as e:
            errs.append(str(e))
    try:
        datetime.datetime(2024, 1, 1, 24)
    except ValueError as e:
        errs.append(str(e))
    by = {}
    for when, level, _ in logs:
        by.setdefault(when.date(), []).append(level)
    return (
        out,
        cmp,
        ev,
        gaps,
        iso,
        par,
        errs,
        [(str(k), v) for k, v in sorted(by.items())],
        t.replace(hour=0, minute=1).isoformat(),
        u.weekday(),
        u.toordinal(),
        str(max(t, u)),
    )


def read_and_written(h):
    errs = []
    for s, f in (
        ("2024-01-0110:00", "%Y-%m-%d %H:%M"),
        ("2024  01", "%Y   %m"),
        ("12:05", "%I:%M"),
        ("11:05 PM", "%H:%M %p"),
        ("12 am", "%I %p"),
        ("930", "%H%M"),
        ("20240229", "%Y%m%d"),
        ("Monday 1", "%A %d"),
        ("100%", "%f%%"),
        ("x", "%"),
        ("7", "%q"),
    ):
        try:
            errs.append(str(datetime.datetime.strptime(s, f)))
        except ValueError as e:
            errs.append(str(e) if "%q" not in f else "q")
    t = datetime.datetime(2024, 2, 5, h, 4, 5)
    return (
        errs,
        t.strftime("%c|%x|%X|%D|%R|%h|%T|%F|%e"),
        str(datetime.datetime.fromisoformat("2024-01-02T03:04:05.6")),
        [str(date(2024, 1, 1) + timedelta(k)) for k in (0, 365, 366, -1)],
        [date(y, 1, 1).isocalendar()[0] for y in range(2015, 2027)],
        [date(y, 12, 31).isocalendar()[1] for y in range(2015, 2027)],
    )


EPOCH = date(1970, 1, 1)
DAY = timedelta(days=1)
BACK = timedelta(seconds=-90)
START = datetime.datetime(2024, 1, 2, 3, 4, 5)


def constants(n):
    day = EPOCH + n * DAY
    texts = [str(day), str(START + DAY), str(START + BACK), str(BACK), str(max(EPOCH, day))]
    return texts, (day - EPOCH) // DAY, START.hour, [str(EPOCH + k * DAY) for k in range(n)]


def shortened(year: float, text: str):
    moment = datetime.datetime(2024, 1, 1, 1, 2, 3, 4567)
    found = []
    for kind in ("hours", "minutes", "seconds", "milliseconds", "microseconds", "auto", "days"):
        try:
            found.append(moment.isoformat(timespec=kind))
        except ValueError as error:
            found.append(str(error))
    try:
        found.append(str(date(year, 1, 1)))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str(datetime.datetime(2024, 1, 1, 5, year)))
    except TypeError as error:
        found.append(str(error))
    try:
        found.append(str(datetime.datetime.fromisoformat(text)))
    except ValueError as error:
        found.append(str(error))
    return found, str(datetime.datetime.strptime("02 4", "%m%d"))


CASES: list[Case] = [
    (constants, [(0,), (3,)]),
    (days, [(2024,), (2023,), (1999,)]),
    (moments, [(3,), (13,)]),
    (read_and_written, [(3,), (13,)]),
    (shortened, [(2024.0, "2024-13x01T12:00"), (2024.5, "2024-01-01T05:06")]),
]
