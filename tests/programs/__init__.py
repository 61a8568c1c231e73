"""Small programs over the whole language, run by CPython, the interpreter and every backend.

Each module lists its functions with the arguments to call them with: `CASES`.
"""

from collections.abc import Callable, Sequence
from typing import Any

# A function of the language, and tuples of arguments; each call gets its own copies of them.
Case = tuple[Callable[..., Any], Sequence[tuple[Any, ...]]]
