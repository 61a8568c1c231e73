"""Names that somebody may have meant."""

from collections.abc import Iterable


def close_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that one is likely to stand for: two letters change places easily."""
    # Inside a function: only those who mistype a name need it.
    import difflib

    close = difflib.get_close_matches(name, known)
    swapped = [other for other in close if sorted(other) == sorted(name)]
    return next(iter(swapped or close), None)
