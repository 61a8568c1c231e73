"""Types as they stand in IR text."""

from scriptc_runtime.plain_json import write_json
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


def ir_text(type_: Type) -> str:
    """Return a type as it stands in IR text; `str` writes it as users do, in annotations."""
    match type_:
        case TensorType(dtype, dims):
            return f"tensor<{dtype}, [{', '.join(map(str, dims))}]>"
        case ListType(item, frozen):
            return f"{'tuple_of' if frozen else 'list'}<{ir_text(item)}>"
        case OptionalType(item):
            return f"optional<{ir_text(item)}>"
        case TupleType(items) | UnionType(items):
            kind = "tuple" if isinstance(type_, TupleType) else "union"
            return f"{kind}<{', '.join(map(ir_text, items))}>"
        case ClassType(name):
            return f"class<{name}>"
        case CellType(item):
            return f"cell<{ir_text(item)}>"
        case DictType() | SetType() | DequeType():
            return f"{type_.name}<{', '.join(map(ir_text, parts_of(type_)))}>"
        case NamedType(name, base, kind, labels):
            return f'named<{name}, {ir_text(base)}, "{kind}", {_label_text(labels)}>'
        case PyType() | DType():
            return type_.value


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
