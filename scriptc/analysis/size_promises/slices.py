"""The size of what a slice takes of an axis, where names of sizes stand for large numbers."""

from scriptc.analysis.size_promises.facts import Facts
from scriptc.analysis.size_promises.forms import Form, constant, is_given


def size_of_slice(
    size: Form, start: Form | None, stop: Form | None, step: int, facts: Facts
) -> Form | None:
    """Return how many elements `start:stop:step` takes of an axis; None where that is not known."""
    if start is None and stop is None and abs(step) == 1:
        return size
    size = facts.reduced(size)
    if step == 0 or not facts.is_known(size):
        return None
    if facts.sign_of(size) is None and not any(map(is_given, facts.names_in(size))):
        return None
    if size.is_constant:
        return _of_constant(size.constant, start, stop, step)
    first, last = (constant(0), size) if step > 0 else (size.plus(constant(-1)), constant(-1))
    if start is not None:
        first = _bound(start, size, step, facts)
    if stop is not None:
        last = _bound(stop, size, step, facts)
    if first is None or last is None:
        return None
    length = last.minus(first) if step > 0 else first.minus(last)
    # What is cut off may be all there is: of `n` that is not known for small numbers alone.
    sign = facts.sign_of(length)
    if sign is None and not size.minus(length).is_constant:
        return None
    if sign == -1:
        return constant(0)
    by = constant(abs(step))
    return facts.quotient(length.plus(by).minus(constant(1)), by)


def _of_constant(size: int, start: Form | None, stop: Form | None, step: int) -> Form | None:
    if not all(bound is None or bound.is_constant for bound in (start, stop)):
        return None
    first, last = (None if bound is None else bound.constant for bound in (start, stop))
    return constant(len(range(*slice(first, last, step).indices(size))))


_FAR = 2**20  # names of sizes need not stand for more


def _bound(bound: Form, size: Form, step: int, facts: Facts) -> Form | None:
    """Return an end of a slice as it counts from the beginning, held to the axis."""
    bound = facts.reduced(bound)
    if not facts.names_in(bound).isdisjoint(facts.doubts) or abs(bound.constant) > _FAR:
        return None
    sign = facts.sign_of(bound)
    if sign is None:
        # `n - 2` of `n`, whatever n is: an array has no less than none.
        rest = size.minus(bound)
        return bound if rest.is_constant and rest.constant >= 0 and step > 0 else None
    if sign < 0:
        bound = size.plus(bound)
        rest = facts.sign_of(bound)
        if rest is None and not bound.minus(size).is_constant:
            return None
        if rest is not None and rest < 0:
            return constant(0 if step > 0 else -1)
        return bound
    beyond = bound.minus(size)
    if beyond.is_constant and beyond.constant >= 0:
        return size if step > 0 else size.plus(constant(-1))
    sign = facts.sign_of(beyond)
    if beyond.is_constant or bound.is_constant or sign == -1:
        return bound
    return size if sign == 1 and step > 0 else None
