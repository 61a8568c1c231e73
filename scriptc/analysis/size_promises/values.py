"""What is known of values: the sizes of arrays, ints as forms, bools as conditions.

    known = Shape(form*) | Form | Condition | (known, ...) | None

None is a value of which nothing is asked. A number of which nothing is known is an atom of its own,
so that one size that is not known is still equal to itself.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from scriptc.analysis.size_promises.facts import UNKNOWN_CONDITION, Condition, Facts
from scriptc.analysis.size_promises.forms import Form, constant
from scriptc_runtime.dims import UNKNOWN, Dim, symbol
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops.opdef import OpTypeError
from scriptc_runtime.record import record
from scriptc_runtime.types import BOOL, INT, DType, OptionalType, TensorType, TupleType, Type


@record
class Shape:
    """An array, of which the size of each axis is known as a form."""

    sizes: tuple[Form, ...]


Known = Shape | Form | Condition | tuple["Known", ...] | None
Fresh = Callable[[], Form]
Names = Mapping[str, Form]


def is_int(type_: Type) -> bool:
    """Whether values of a type are followed as numbers."""
    return type_ is INT or type_ is DType.I64


def of_type(type_: Type, names: Names, fresh: Fresh) -> Known:
    """Return what a type tells of a value; `names` are what the names of sizes in it stand for."""
    match type_:
        case TensorType(_, dims):
            return Shape(tuple(form_of(dim, names) or fresh() for dim in dims))
        case TupleType(items):
            return tuple(of_type(item, names, fresh) for item in items)
        case OptionalType(item):
            return of_type(item, names, fresh)
        case _ if type_ is BOOL or type_ is DType.B1:
            return UNKNOWN_CONDITION
        case _:
            return fresh() if is_int(type_) else None


def form_of(dim: Dim, names: Names) -> Form | None:
    """Return a size as a form; None where that is not known."""
    if not dim.known or any(name not in names for name, _ in dim.terms):
        return None
    total = constant(dim.constant)
    for name, coefficient in dim.terms:
        total = total.plus(names[name], coefficient)
    return total


def names_bound(params: Sequence[Type], arguments: Sequence[Known]) -> Names:
    """Return what the names of sizes in the types of parameters stand for."""
    names: dict[str, Form] = {}
    for type_, known in zip(params, arguments, strict=True):
        item = type_.item if isinstance(type_, OptionalType) else type_
        if not (isinstance(item, TensorType) and isinstance(known, Shape)):
            continue
        for dim, size in zip(item.dims, known.sizes, strict=True):
            if dim.known and not dim.constant and [c for _, c in dim.terms] == [1]:
                names.setdefault(dim.terms[0][0], size)
    return names


def merged(
    first: Known,
    second: Known,
    facts: tuple[Facts, Facts],
    fresh: Fresh,
    wide: Collection[Form] = (),
) -> Known:
    """Return what is known of a value that is one of two, each on a path with its facts.

    A form in `wide` stands for any number already.
    """
    if first is second:
        return first
    match first, second:
        case Shape(sizes), Shape(others) if len(sizes) == len(others):
            pairs = zip(sizes, others, strict=True)
            return Shape(tuple(_form(a, b, facts, fresh, wide) for a, b in pairs))
        case Form(), Form():
            return _form(first, second, facts, fresh, wide)
        case tuple(), tuple() if len(first) == len(second):
            pairs = zip(first, second, strict=True)
            return tuple(merged(a, b, facts, fresh, wide) for a, b in pairs)
        case Condition(), Condition():
            return first if first == second else UNKNOWN_CONDITION
        case (Shape() as shape, None) | (None, Shape() as shape):
            return shape  # an array that may be missing
        case _:
            return None


def _form(
    first: Form,
    second: Form,
    facts: tuple[Facts, Facts],
    fresh: Fresh,
    wide: Collection[Form],
) -> Form:
    if first == second or first in wide:
        return first
    difference = first.minus(second)
    here, there = facts
    if not here.reduced(difference).terms:
        return second
    return first if not there.reduced(difference).terms else fresh()


def by_rule(instr: Instr, operands: Sequence[Known], fresh: Fresh) -> list[Known]:
    """Return what the type rule of an op tells of its results, given the sizes of its operands."""
    symbols: dict[Form, Dim] = {}
    types = [_typed(v.type, k, symbols) for v, k in zip(instr.operands, operands, strict=True)]
    try:
        found = instr.op.infer(types, instr.attrs)
    except OpTypeError:
        found = [_unsized(value.type) for value in instr.results]
    forms = {dim.terms[0][0]: form for form, dim in symbols.items() if dim.terms}
    return [of_type(type_, forms, fresh) for type_ in found]


def _typed(type_: Type, known: Known, symbols: dict[Form, Dim]) -> Type:
    if not (isinstance(type_, TensorType) and isinstance(known, Shape)):
        return type_

    def dim_of(form: Form) -> Dim:
        new = Dim(form.constant) if form.is_constant else symbol(f"?{len(symbols)}")
        return symbols.setdefault(form, new)

    return TensorType(type_.dtype, tuple(map(dim_of, known.sizes)))


def _unsized(type_: Type) -> Type:
    if isinstance(type_, TensorType):
        return TensorType(type_.dtype, (UNKNOWN,) * type_.rank)
    return type_
