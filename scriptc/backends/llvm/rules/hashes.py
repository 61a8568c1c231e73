"""LLVM code for hash(): the numbers that CPython gives, so that sets are in its order.

Sources: CPython, Python/pyhash.c (numbers: the value modulo the prime 2**61 - 1) and
Objects/tupleobject.c (tuples: xxHash by Yann Collet, reduced to what a lane needs).
"""

import sys
from collections.abc import Mapping

from scriptc.backends.llvm.emitter.function import Components, Emitter, Rule
from scriptc.backends.llvm.loading import abi
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import containers
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import (
    ClassType,
    DequeType,
    DictType,
    DType,
    ListType,
    NamedType,
    PyType,
    SetType,
    TupleType,
    Type,
)

_MODULUS = sys.hash_info.modulus
_BITS = _MODULUS.bit_length()
# No hash is -1, which stands for an error.
_FOR_ERROR = -2
_PRIME_1, _PRIME_2, _PRIME_5 = 11400714785074694791, 14029467366897019727, 2870177450012600261
_TUPLE_FOR_ERROR = 1546275796


def _hash(e: Emitter, instr: Instr) -> None:
    (value,) = instr.operands
    e.bind(instr, hash_of(e, value.type, e.components(value)))


def hash_of(e: Emitter, type_: Type, components: Components) -> str:
    """Return the hash of a value, an i64."""
    type_ = type_.base if isinstance(type_, NamedType) else type_
    match type_:
        case TupleType(items):
            return _tuple(e, items, components)
        case PyType.STR | PyType.BYTES:
            e.state.routines.add("text_hash")
            return e.let(f"call i64 @sc.text_hash(ptr {components[0]})")
        case ClassType() | ListType() | DictType() | SetType() | DequeType() | PyType.NONE:
            return _place(e, components)
        case PyType.INT:
            return _integer(e, components[0], signed=True)
        case PyType.BOOL | DType.B1:
            return e.let(f"zext i1 {components[0]} to i64")
        case PyType.FLOAT | DType.F64:
            return _float(e, components[0])
        case DType.F16 | DType.F32:
            (part,) = abi.flatten(type_)
            return _float(e, e.let(f"fpext {part} {components[0]} to double"))
        case DType() if type_.kind in "iu":
            signed, (part,) = type_.kind == "i", abi.flatten(type_)
            wide = components[0]
            if part != "i64":
                wide = e.let(f"{'sext' if signed else 'zext'} {part} {wide} to i64")
            return _integer(e, wide, signed=signed)
        case _:
            raise AssertionError(type_)


def _place(e: Emitter, components: Components) -> str:
    """Return the hash of an object that is known by where it is; without components, of None."""
    if not components:
        e.declare("@_Py_NoneStruct = external global i8")
        return e.intrinsic("i64", "@PyObject_Hash", "ptr @_Py_NoneStruct")
    place = e.let(f"ptrtoint ptr {components[0]} to i64")
    return e.intrinsic("i64", "@llvm.fshr.i64", f"i64 {place}", f"i64 {place}", "i64 4")


def _integer(e: Emitter, value: str, *, signed: bool) -> str:
    """Return the hash of an int: itself, if the modulus is larger."""
    # Asked by a branch, as hardly any int is so large: what a choice costs, each search waits for.
    moved = e.let(f"add i64 {value}, {_MODULUS - 1}") if signed else value
    below = 2 * _MODULUS - 1 if signed else _MODULUS
    plain, other, done = e.block, e.label(), e.label()
    e.branch(e.let(f"icmp ult i64 {moved}, {below}"), done, other)
    e.start(other)
    reduced = _reduced(e, value, signed=signed)
    e.jump(done)
    e.start(done)
    found = e.let(f"phi i64 [ {value}, %{plain} ], [ {reduced}, %{other} ]")
    return _no_error(e, found, _FOR_ERROR)


def _reduced(e: Emitter, value: str, *, signed: bool) -> str:
    """Return an int modulo the modulus, with its sign."""
    negative = e.let(f"icmp slt i64 {value}, 0") if signed else "false"
    less = e.let(f"sub i64 0, {value}")
    size = e.let(f"select i1 {negative}, i64 {less}, i64 {value}")
    low = e.let(f"and i64 {size}, {_MODULUS}")
    rest = e.let(f"add i64 {low}, {e.let(f'lshr i64 {size}, {_BITS}')}")
    reduced = e.let(f"sub i64 {rest}, {_MODULUS}")
    fits = e.let(f"icmp ult i64 {rest}, {_MODULUS}")
    found = e.let(f"select i1 {fits}, i64 {rest}, i64 {reduced}")
    turned = e.let(f"sub i64 0, {found}")
    return e.let(f"select i1 {negative}, i64 {turned}, i64 {found}")


def _no_error(e: Emitter, value: str, instead: int) -> str:
    is_error = e.let(f"icmp eq i64 {value}, -1")
    return e.let(f"select i1 {is_error}, i64 {instead}, i64 {value}")


def _float(e: Emitter, value: str) -> str:
    """Return the hash of the int that a float equals; CPython knows that of others."""
    whole = e.intrinsic("i64", "@llvm.fptosi.sat.i64.f64", f"double {value}")
    back = e.let(f"sitofp i64 {whole} to double")
    equal = e.let(f"fcmp oeq double {back}, {value}")
    inside = e.let(f"icmp ne i64 {whole}, {2**63 - 1}")  # which is no float
    is_whole = e.let(f"and i1 {equal}, {inside}")
    plain, other, done = e.label(), e.label(), e.label()
    e.branch(is_whole, plain, other)
    e.start(plain)
    quick = _integer(e, whole, signed=True)
    from_plain = e.block
    e.jump(done)
    e.start(other)
    # NaN has the hash of an address there, which values of scripts have not.
    slow = e.intrinsic("i64", "@_Py_HashDouble", "ptr null", f"double {value}")
    from_other = e.block
    e.jump(done)
    e.start(done)
    return e.let(f"phi i64 [ {quick}, %{from_plain} ], [ {slow}, %{from_other} ]")


def _tuple(e: Emitter, items: tuple[Type, ...], components: Components) -> str:
    total = str(_signed(_PRIME_5))
    at = 0
    for item in items:
        width = len(abi.flatten(item))
        lane = hash_of(e, item, components[at : at + width])
        at += width
        scaled = e.let(f"mul i64 {lane}, {_signed(_PRIME_2)}")
        added = e.let(f"add i64 {total}, {scaled}")
        turned = e.intrinsic("i64", "@llvm.fshl.i64", f"i64 {added}", f"i64 {added}", "i64 31")
        total = e.let(f"mul i64 {turned}, {_signed(_PRIME_1)}")
    ended = e.let(f"add i64 {total}, {_signed(len(items) ^ (_PRIME_5 ^ 3527539))}")
    return _no_error(e, ended, _TUPLE_FOR_ERROR)


def _signed(number: int) -> int:
    return number - 2**64 if number >= 2**63 else number


RULES: Mapping[OpDef, Rule] = {containers.HASH: _hash}
