"""Types one after the other, in messages."""

from collections.abc import Sequence

from scriptc_runtime.types import Type


def join_types(types: Sequence[Type]) -> str:
    """Return types as text for a message: `int, float and f64`."""
    names = [str(t) for t in types]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
