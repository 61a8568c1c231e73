"""Of what types the parameters of a function are that is compiled for its own sake."""

from collections.abc import Sequence

from scriptc.check.live_values import type_of
from scriptc.check.parameter_types import parameter_type
from scriptc.check.roots import Root
from scriptc.check.signatures import Signature
from scriptc.check.size_names import size_names, with_sizes
from scriptc_runtime.errors import Diagnostic, TypeCheckError
from scriptc_runtime.types import PyType, Type


def root_types(
    root: Root, names: Sequence[str], signature: Signature, whole: PyType
) -> Sequence[Type]:
    """Return the types of the parameters of a root; `whole` is what ints are."""
    named = size_names(t for t in root.types if t) if root.sized else frozenset[str]()
    taken = named | size_names(signature.declared.values())
    return [
        with_sizes(given, name, taken, keep=root.sized)
        if given is not None and name not in signature.declared
        else _root_type(name, given, signature, whole)
        for name, given in zip(names, root.types, strict=True)
    ]


def _root_type(name: str, given: Type | None, signature: Signature, whole: PyType) -> Type:
    """Return the type of a parameter from what is given, the annotation or the default."""
    declared = signature.declared_as(name, given) if given else signature.declared.get(name)
    if declared is None or (given is None and name == signature.starred):
        if name in signature.defaults:
            return type_of(signature.defaults[name], f"the default of {name!r}", whole=whole)
        raise _refuse(
            "no-type",
            f"nothing says what type the parameter {name!r} has",
            "annotate it, or call the function once",
        )
    found = declared if given is None else parameter_type(declared, given)
    if found is None:
        raise _refuse(
            "argument-type",
            f"the parameter {name!r} is declared {declared}, not {given}",
            "convert the argument, or change the annotation",
        )
    return found


def _refuse(code: str, message: str, instead: str) -> TypeCheckError:
    return TypeCheckError(Diagnostic(code, message, None, instead=instead))
