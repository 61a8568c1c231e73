"""Walks over a row that compare its keys with others, as LLVM IR.

A walk reads vectors where there are some (`keys.py`).  What it keeps it stores side by side, a
whole vector each time: it needs room for a vector behind that.  It may write where it reads.
"""

from collections.abc import Callable, Sequence

from scriptc.backends.llvm.support.selection.keys import Keys, Lines
from scriptc_runtime.record import record

# What is done with elements: given where they lie, the counters so far, and the mask of those that
# there are ("" for all), it returns what is added to each counter.
_Step = Callable[[Lines, str, Sequence[str], str], Sequence[str]]


@record
class Walk:
    """A function that keeps what lies between two keys, both included.

    It takes where elements lie, how many, the two keys, and where to write.  It writes keys; it
    returns how many were kept, and how many are less.
    """

    name: str
    keys: Keys

    def text(self, features: str) -> str:
        """Return the text of the function, for a processor with these features."""
        lanes, t = self.keys.lanes(features), self.keys.type
        pair = "{ i64, i64 }"
        return f"""\
define internal {pair} @{self.name}(ptr %in, i64 %n, {t} %low, {t} %high, ptr %out) nounwind {{
entry:
{_splat(lanes, t, "low")}
{_splat(lanes, t, "high")}
{_over_row(lanes, ("kept", "less"), self._step)}
  %first = insertvalue {pair} poison, i64 %kept.end, 0
  %both = insertvalue {pair} %first, i64 %less.end, 1
  ret {pair} %both
}}
"""

    def _step(self, body: Lines, at: str, counters: Sequence[str], mask: str) -> Sequence[str]:
        t = self.keys.type
        v = body.type(t)
        key = body.key(self.keys, body.load(t, "%in", at, mask))
        above = body.let(f"icmp sge {v} {key}, %lows")
        below = body.let(f"icmp sle {v} {key}, %highs")
        inside = body.both(above, below, mask)
        less = body.both(body.let(f"icmp slt {v} {key}, %lows"), mask)
        body.keep(t, key, inside, "%out", counters[0])
        return body.count(inside), body.count(less)


@record
class Split:
    """A function that parts a row at a key: what is less, what equals it, the rest, each in order.

    It takes where elements lie, how many, the key, how many equal it, where to write what is less,
    which may be where the elements lie, and a buffer for the others: what equals the key is in
    front, and `gap` elements behind that is the rest.  It moves the elements themselves, or
    indices (`beside`, an integer type), which lie where it writes.
    """

    name: str
    keys: Keys
    beside: str = ""

    def gap(self, features: str) -> int:
        """Return how many elements what equals a key needs behind it, for this processor."""
        return self.keys.lanes(features, int(self.beside[1:] or 0))

    def text(self, features: str) -> str:
        """Return the text of the function, for a processor with these features."""
        lanes, t = self.gap(features), self.keys.type
        return f"""\
define internal void @{self.name}(
    ptr %in, i64 %n, {t} %pivot, i64 %equal, ptr %out, ptr %buffer) nounwind {{
entry:
{_splat(lanes, t, "pivot")}
  %behind = add i64 %equal, {lanes}
  %rest.out = getelementptr {self.beside or t}, ptr %buffer, i64 %behind
{_over_row(lanes, ("less", "same", "more"), self._step)}
  ret void
}}
"""

    def _step(self, body: Lines, at: str, counters: Sequence[str], mask: str) -> Sequence[str]:
        t = self.keys.type
        v = body.type(t)
        values = body.load(t, "%in", at, mask)
        key = body.key(self.keys, values)
        tests = [body.let(f"icmp {test} {v} {key}, %pivots") for test in ("slt", "eq", "sgt")]
        if self.beside:
            values = body.load(self.beside, "%out", at, mask)
        found: list[str] = []
        for test, base, count in zip(
            tests, ("%out", "%buffer", "%rest.out"), counters, strict=True
        ):
            truth = body.both(test, mask)
            found.append(body.count(truth))
            # Behind the last element the row may end; the buffer does not.
            limit = found[-1] if mask and base == "%out" else ""
            body.keep(self.beside or t, values, truth, base, count, limit)
        return found


def _over_row(lanes: int, counters: Sequence[str], step: _Step) -> str:
    """Return a loop over a row, `%in` and `%n`; behind it NAME.end is what a counter comes to."""
    body, rest = Lines(lanes, "w"), Lines(lanes, "r")
    added = step(body, "%i", [f"%{name}" for name in counters], "")
    phis = [f"  %{name} = phi i64 [ 0, %entry ], [ %{name}.next, %each ]" for name in counters]
    sums = [
        f"  %{name}.next = add nuw nsw i64 %{name}, {more}"
        for name, more in zip(counters, added, strict=True)
    ]
    suffix = "end" if lanes == 1 else "all"
    ends = [
        f"  %{name}.{suffix} = phi i64 [ 0, %entry ], [ %{name}.next, %each ]" for name in counters
    ]
    loop = [
        f"  %whole = and i64 %n, -{lanes}",
        "  %some = icmp ne i64 %whole, 0",
        "  br i1 %some, label %each, label %rest",
        "each:",
        "  %i = phi i64 [ 0, %entry ], [ %i.next, %each ]",
        *(*phis, *body.lines, *sums),
        f"  %i.next = add nuw nsw i64 %i, {lanes}",
        "  %again = icmp ult i64 %i.next, %whole",
        "  br i1 %again, label %each, label %rest",
        *("rest:", *ends),
    ]
    if lanes == 1:
        return "\n".join(loop)
    inside = rest.front(rest.let(f"trunc i64 {rest.let('sub i64 %n, %whole')} to i32"))
    added = step(rest, "%whole", [f"%{name}.all" for name in counters], inside)
    return "\n".join(
        (
            *loop,
            *rest.lines,
            *(
                f"  %{name}.end = add nuw nsw i64 %{name}.all, {more}"
                for name, more in zip(counters, added, strict=True)
            ),
        )
    )


def _splat(lanes: int, element: str, name: str) -> str:
    """Return the instructions that put a number into every lane of `NAMEs`."""
    if lanes == 1:
        return f"  %{name}s = or {element} %{name}, 0"
    vector = f"<{lanes} x {element}>"
    return (
        f"  %{name}.one = insertelement {vector} poison, {element} %{name}, i64 0\n"
        f"  %{name}s = shufflevector {vector} %{name}.one, {vector} poison, "
        f"<{lanes} x i32> zeroinitializer"
    )
