"""What code calls functions through that are compiled when they are first called, as LLVM IR.

    @late(cell) -> function    the function of a cell: `@"sc.late.NAME"` for the function NAME

A product may be a call of BLAS, or read its matrix along rows or columns: of what a product may
need, most runs do a part, and compiling all of it takes longer than most programs.
"""

from collections.abc import Iterable

from scriptc.backends.llvm.loading.late_code import LATE, LOADER

_TEXT = f"""\
@{LOADER} = external global ptr

define internal ptr @late(ptr %cell) nounwind {{
entry:
  br label %look
look:
  %now = load atomic ptr, ptr %cell acquire, align 8
  %none = icmp eq ptr %now, null
  br i1 %none, label %load, label %done
load:
  %loader = load ptr, ptr @{LOADER}
  call void %loader(ptr %cell)
  br label %look
done:
  ret ptr %now
}}
"""


def cell(symbol: str) -> str:
    """Return the name of the cell of a function."""
    return f'@"{LATE}{symbol}"'


def late_text(symbols: Iterable[str]) -> str:
    """Return the text that code needs once to call these functions through their cells."""
    cells = (f"{cell(symbol)} = external global ptr" for symbol in sorted(set(symbols)))
    return "\n".join((*cells, _TEXT))
