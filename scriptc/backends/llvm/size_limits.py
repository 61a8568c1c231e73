"""What this backend takes of a module that comes from elsewhere: its size.

Files may come from a stranger, and what would take too long to compile is refused.
"""

from scriptc_runtime.errors import Diagnostic, LoadError
from scriptc_runtime.ir import Block, Function, Module, walk
from scriptc_runtime.refusals import INTERPRET

# Of core IR, where functions that people write have a few hundred instructions.
MAX_IN_FUNCTION = 5_000
MAX_IN_MODULE = 20_000
MAX_DEPTH = 40
# What the passes may make of that, in instructions, and what LLVM is given, in characters: LLVM
# takes 1 to 5 s for the latter.
MAX_LOW = 100_000
MAX_TEXT = 2_000_000


def admit(module: Module) -> None:
    """Check core IR, which was read up to `MAX_IN_MODULE`, before it is compiled.

    Raises UnsupportedError, LoadError.
    """
    sizes = {name: sum(1 for _ in walk(f.body)) for name, f in module.functions.items()}
    for name, size in sizes.items():
        if size > MAX_IN_FUNCTION:
            raise too_large(f"@{name} has {size} instructions", MAX_IN_FUNCTION)
    for function in module.functions.values():
        _check_depth(function)


def too_large(found: str, most: int) -> LoadError:
    """Return the error for a module that would take too long to compile."""
    return LoadError(
        Diagnostic(
            "too-large",
            f"the module is too large to compile: {found}, the most is {most}",
            instead=INTERPRET,
        )
    )


def check_low(module: Module) -> None:
    """Check what a pass made of a module.  Raises LoadError."""
    size = sum(1 for f in module.functions.values() for _ in walk(f.body))
    if size > MAX_LOW:
        raise too_large(f"it becomes {size} instructions", MAX_LOW)


def check_text(text: str) -> None:
    """Check what LLVM is given.  Raises LoadError."""
    if len(text) > MAX_TEXT:
        raise too_large(f"it becomes {len(text)} characters of LLVM IR", MAX_TEXT)


def _check_depth(function: Function) -> None:
    level: list[Block] = [function.body]
    for _ in range(MAX_DEPTH):
        level = [inner for block in level for i in block.body for inner in i.blocks]
    if level:
        raise too_large(f"the blocks of @{function.name} are deeper", MAX_DEPTH)
