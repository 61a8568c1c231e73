"""What `print` does with its options."""

import sys


def print_with(sep: str, end: str, stream: str, flush: str, *parts: str) -> None:
    """Write texts to sys.stderr, or else to sys.stdout; any text for `flush` empties its buffer."""
    file = sys.stderr if stream == "stderr" else sys.stdout
    print(*parts, sep=sep, end=end, file=file, flush=bool(flush))
