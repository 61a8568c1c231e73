"""What this backend takes of a module that comes from elsewhere: its types and sizes.

A saved file may use all that the IR has. Refused here, with the name and the place, is what has no
code; and, as files may come from a stranger, what would take too long to compile.
"""

from collections.abc import Iterator

from scriptc_runtime.errors import Diagnostic, LoadError
from scriptc_runtime.ir import Block, Function, Instr, Module, walk
from scriptc_runtime.ops.elementwise import BUILT_DTYPES
from scriptc_runtime.refusals import INTERPRET, refusal
from scriptc_runtime.types import DType, PyType, TensorType, Type, parts_of

# Of core IR, where functions that people write have a few hundred instructions.
MAX_IN_FUNCTION = 5_000
MAX_IN_MODULE = 20_000
MAX_DEPTH = 40
# What the passes may make of that, in instructions, and what LLVM is given, in characters: LLVM
# takes 1 to 5 s for the latter.
MAX_LOW = 100_000
MAX_TEXT = 2_000_000


def admit(module: Module) -> None:
    """Check core IR before it is compiled.  Raises UnsupportedError, LoadError."""
    sizes = {name: sum(1 for _ in walk(f.body)) for name, f in module.functions.items()}
    for name, size in sizes.items():
        if size > MAX_IN_FUNCTION:
            raise too_large(f"@{name} has {size} instructions", MAX_IN_FUNCTION)
    if sum(sizes.values()) > MAX_IN_MODULE:
        raise too_large(f"it has {sum(sizes.values())} instructions", MAX_IN_MODULE)
    for function in module.functions.values():
        _check_depth(function)
        _check_types(function, module)


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


def _check_types(function: Function, module: Module) -> None:
    fields = [t for c in module.classes.values() for _, t in c.fields]
    for type_ in (*(p.type for p in function.params), function.result, *fields):
        if lacking := _lacking(type_):
            raise refusal(function, function.loc, lacking, instead=INTERPRET)
    for instr in walk(function.body):
        for type_ in _types_of(instr):
            if lacking := _lacking(type_):
                what = f"{lacking} in {instr.op.name}"
                raise refusal(function, instr.loc, what, instead=INTERPRET)


def _types_of(instr: Instr) -> Iterator[Type]:
    yield from (v.type for v in (*instr.operands, *instr.results))
    yield from (p.type for block in instr.blocks for p in block.params)


def _lacking(type_: Type) -> str:
    """Return the first part of a type that has no machine code; empty without one."""
    match type_:
        case DType():
            return "" if type_ in BUILT_DTYPES else str(type_)
        case TensorType(dtype):
            return _lacking(dtype)
        case PyType.COMPLEX:
            return str(type_)
        case _:
            pass
    return next((found for part in parts_of(type_) if (found := _lacking(part))), "")
