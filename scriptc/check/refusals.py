"""Refusals of live values and classes, which have no place in the text of a script."""

from scriptc_runtime.conversions import class_conversion
from scriptc_runtime.errors import Diagnostic, Span, TypeCheckError


def is_scripted(cls: type) -> bool:
    """Whether a class is scripted: its objects are the language's, whatever methods they have."""
    return isinstance(getattr(cls, "python", None), type)


def refuse(
    code: str, message: str, instead: str, span: Span | None, why: str = ""
) -> TypeCheckError:
    """Return the error for a value or annotation that the language does not have."""
    return TypeCheckError(Diagnostic(code, message, span, why, instead))


def refuse_class(
    cls: type, span: Span | None, trait: tuple[str, str] | None = None
) -> TypeCheckError:
    """Return the error for a class that cannot be compiled, or is of another library.

    `trait` says what of it is not in the language, and the way out.
    """
    conversion = class_conversion(cls)
    outside = f"make it outside of the script, and pass {conversion}" if conversion else None
    if trait is not None:
        why = "the classes of a program are known before it runs, and all are made alike"
        message = f"class {cls.__name__} cannot be compiled: {trait[0]}"
        return refuse("class-base", message, outside or trait[1], span, why)
    instead = outside or "pass the numbers and arrays that it holds"
    message = f"the __init__ of class {cls.__name__} is not written in Python"
    return refuse("class-base", message, instead, span)


def no_end() -> TypeCheckError:
    """Return the refusal of a program of which each check tells more of its fields."""
    message = "the types of the fields of some class have no end"
    instead = "annotate them in the class body"
    return TypeCheckError(Diagnostic("class-field", message, None, instead=instead))
