"""How deep a type goes at most, and how many axes its arrays have."""

from scriptc_runtime.types import TensorType, Type, parts_of

MAX_RANK = 64  # of NumPy's arrays
MAX_TYPE_DEPTH = 20


def excess_of(type_: Type, deepest: int = MAX_TYPE_DEPTH) -> str:
    """Return what of a type is too much for any program, nothing where all is well."""
    waiting = [(type_, 0)]
    for part, depth in waiting:
        if depth > deepest:
            return f"a type more than {deepest} levels deep"
        if isinstance(part, TensorType) and part.rank > MAX_RANK:
            return f"an array of more than {MAX_RANK} axes"
        waiting += [(inner, depth + 1) for inner in parts_of(part)]
    return ""
