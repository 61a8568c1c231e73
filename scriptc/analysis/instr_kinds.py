"""What an instruction does by itself: the questions that passes over loops ask, one function each.

Calls count as what may do anything, and blocks of a region are not looked at: `effects` knows both.
"""

from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import control, elementary, linalg, products
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops.opdef import Effects, OpDef, Trait
from scriptc_runtime.types import TensorType, element_of, is_counted

# What one thread does, with the GIL: calls, and the libraries that have threads of their own.
_ALONE = frozenset({control.CALL, control.TRY, linalg.GUFUNC, *products.OPS})
# Functions of real numbers that back ends have as code without calls.
VECTORISED: tuple[OpDef, ...] = (
    *(e.EXP, e.LOG),
    *(op for op in elementary.ROUNDED if op not in elementary.SPECIAL),
)
_PASSES_ON = frozenset({control.EXIT, control.FOR, control.WHILE, control.IF, control.BLOCK})


def effects_of(instr: Instr) -> Effects:
    """Return what the op of an instruction does to operands of these types."""
    try:
        return instr.effects
    except AttributeError:
        found = instr.effects = instr.op.effects([v.type for v in instr.operands], instr.attrs)
        return found


def may_raise(instr: Instr) -> bool:
    """Whether an instruction may raise an exception."""
    return effects_of(instr).raises


def is_straight(instr: Instr) -> bool:
    """Whether what follows an instruction always runs after it: it has no blocks and no target."""
    return instr.target is None and not instr.blocks and Trait.REGION not in instr.op.traits


def computes(instr: Instr) -> bool:
    """Whether an instruction computes values of its operands, or raises, and does nothing else."""
    return is_straight(instr) and _leaves_all_alone(effects_of(instr))


def computes_only(instr: Instr) -> bool:
    """Whether an instruction computes values of its operands, never raises, and does nothing else.

    It may stand wherever its operands are defined.
    """
    if not is_straight(instr):
        return False
    effects = effects_of(instr)
    return _leaves_all_alone(effects) and not effects.raises


def is_unnoticed(instr: Instr) -> bool:
    """Whether nobody notices if an instruction is left out, where nothing uses its results."""
    if not is_straight(instr):
        return False
    effects = effects_of(instr)
    return effects.removable and not effects.allocates


def is_for_kernels(instr: Instr) -> bool:
    """Whether a kernel may hold an instruction: threads run it without the GIL, and count nothing.

    So it has numbers and parts of arrays, and nothing else.
    """
    if instr.op in _ALONE:
        return False
    passes_on = instr.op in _PASSES_ON
    for value in (*instr.operands, *instr.results):
        if is_counted(value.type) and (passes_on or not isinstance(value.type, TensorType)):
            return False
    return True


def _leaves_all_alone(effects: Effects) -> bool:
    return not (effects.reads or effects.writes or effects.io or effects.allocates)


def raises_on_elements(instr: Instr) -> bool:
    """Whether an elementwise op may raise for the elements of its operands."""
    if Trait.ELEMENTWISE not in instr.op.traits:
        return False
    elements = [element_of(v.type) for v in instr.operands]
    return instr.op.effects([t for t in elements if t is not None], instr.attrs).raises
