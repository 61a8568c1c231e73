"""Comments in kernels: where a statement comes from."""

import re

from scriptc_runtime.ir import Function, Loc


def comment_of(function: Function, loc: Loc) -> str:
    """Return where a statement comes from: `model.py:7`, or of an inlined function its name."""
    file = re.split(r"[\\/]", function.file)[-1] or "line"
    inlined = f" in {loc.function}" if loc.function else ""
    return printable(f"{file}:{loc.line}{inlined}")


def printable(text: str) -> str:
    """Return a text as a comment can hold it."""
    # A line break or a backslash at its end would let a comment run into the code, or end it.
    return re.sub(r"[^\w .,:/()=-]", "?", text, flags=re.ASCII)
