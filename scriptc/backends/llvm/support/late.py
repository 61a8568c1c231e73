"""What code calls functions through that are compiled when they are first called, as LLVM IR.

    late %f = @"sc.late.NAME"      finds the function NAME, and ends a block: %f.loaded is next

A product may be a call of BLAS, or read its matrix along rows or columns: of what a product may
need, most runs do a part, and compiling all of it takes longer than most programs.
"""

import re
from collections.abc import Iterable
from string import Template

from scriptc.backends.llvm.loading.late_code import LATE, LOADER

_TEXT = f"""\
@{LOADER} = external global ptr

define internal void @load_late(ptr %cell) noinline nounwind {{
entry:
  br label %ask
ask:
  %loader = load ptr, ptr @{LOADER}
  call void %loader(ptr %cell)
  %found = load atomic ptr, ptr %cell acquire, align 8
  %none = icmp eq ptr %found, null
  br i1 %none, label %ask, label %done
done:
  ret void
}}
"""
# It stands where the function is called: small products notice a call.
_FIND = Template("""\
  %$name.now = load atomic ptr, ptr $cell acquire, align 8
  %$name.none = icmp eq ptr %$name.now, null
  br i1 %$name.none, label %$name.load, label %$name.loaded
$name.load:
  call void @load_late(ptr $cell)
  br label %$name.loaded
$name.loaded:
  %$name = load ptr, ptr $cell""")


def cell(symbol: str) -> str:
    """Return the name of the cell of a function."""
    return f'@"{LATE}{symbol}"'


def late_text(symbols: Iterable[str]) -> str:
    """Return the text that code needs once to call these functions through their cells."""
    cells = (f"{cell(symbol)} = external global ptr" for symbol in sorted(set(symbols)))
    return "\n".join((*cells, _TEXT))


def with_late(text: str) -> str:
    """Return a text with the code for its lines `late %f = cell`."""
    return re.sub(
        r"(?m)^  late %(\S+) = (.+)$", lambda m: _FIND.substitute(name=m[1], cell=m[2]), text
    )
