"""Types as they stand in IR text."""

from functools import partial

from scriptc_runtime.plain_json import write_json
from scriptc_runtime.recursive_types import RecursiveUnion
from scriptc_runtime.types import (
    CellType,
    ClassType,
    DequeType,
    DictType,
    DType,
    Label,
    ListType,
    NamedType,
    OptionalType,
    PyType,
    SetType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    parts_of,
)


def ir_text(type_: Type, rings: dict[Type, str] | None = None) -> str:
    """Return a type as it stands in IR text; `str` writes it as users do, in annotations.

    `rings` are the types around it that hold themselves, which have numbers there.
    """
    inside = partial(ir_text, rings=rings)
    match type_:
        case RecursiveUnion():
            return _ring_text(type_, {} if rings is None else rings)
        case TensorType(dtype, dims):
            return f"tensor<{dtype}, [{', '.join(map(str, dims))}]>"
        case ListType(item) | OptionalType(item) | CellType(item):
            return f"{_wrapper(type_)}<{inside(item)}>"
        case TupleType(items) | UnionType(items):
            kind = "tuple" if isinstance(type_, TupleType) else "union"
            return f"{kind}<{', '.join(map(inside, items))}>"
        case ClassType(name):
            return f"class<{name}>"
        case DictType() | SetType() | DequeType():
            return f"{type_.name}<{', '.join(map(inside, parts_of(type_)))}>"
        case NamedType(name, base, kind, labels):
            return f'named<{name}, {inside(base)}, "{kind}", {_label_text(labels)}>'
        case PyType() | DType():
            return type_.value


def _wrapper(type_: ListType | OptionalType | CellType) -> str:
    if isinstance(type_, ListType):
        return "tuple_of" if type_.frozen else "list"
    return "optional" if isinstance(type_, OptionalType) else "cell"


def _ring_text(type_: RecursiveUnion, rings: dict[Type, str]) -> str:
    if type_ in rings:
        return rings[type_]
    rings[type_] = f"rec{len(rings)}"
    return f"rec<{', '.join(ir_text(member, rings) for member in type_.members)}>"


def _label_text(label: Label) -> str:
    match label:
        case tuple():
            return f"({''.join(f'{_label_text(part)}, ' for part in label).rstrip()})"
        case bool() | None:
            return str(label).lower()
        case str():
            return write_json(label)
        case int() | float():
            return repr(label)
