"""What the body of a class says of the types of its fields."""

import inspect
import re
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import ClassVar, cast, get_origin

from scriptc.check import annotations as check_annotations
from scriptc.check.hints import names_in
from scriptc.syntax.functions import field_span
from scriptc_runtime.errors import NameLookupError, TypeCheckError
from scriptc_runtime.types import Type

_NO_FIELD = re.compile(r"(\w+\.)?(ClassVar|InitVar)\b")


def annotated_fields(live: type, assigned: Sequence[str]) -> Iterator[tuple[str, object]]:
    """Yield what a class says of the types of its fields; constants of the class are none."""
    annotations: dict[str, object] = inspect.get_annotations(live)
    for name, annotation in annotations.items():
        if get_origin(annotation) is ClassVar or annotation is ClassVar:
            continue
        if isinstance(annotation, str) and _NO_FIELD.match(annotation):
            continue
        if type(annotation).__name__ == "InitVar":  # by its name: few programs have loaded it
            continue
        if name in assigned or name not in vars(live):
            yield name, annotation


def declared_type(live: type, init: FunctionType, name: str, annotation: object) -> Type | None:
    """Return the type that a class declares of a field, None where it leaves it open."""
    try:
        type_ = check_annotations.annotated_type(annotation, names_in(init), unions=True)
    except (TypeCheckError, NameLookupError):
        # With its place, which takes parsing the file.
        type_ = check_annotations.annotated_type(
            annotation, names_in(init), field_span(init, name), unions=True
        )
    # What holds a number of one type is faster: a union of numbers is a hint.
    if type_ is None or check_annotations.is_of_numbers(type_):
        return None
    return check_annotations.or_none(type_) if _is_none_by_default(live, name) else type_


def _is_none_by_default(live: type, name: str) -> bool:
    of_dataclass = cast("dict[str, object]", vars(live).get("__dataclass_fields__", {})).get(name)
    default = getattr(of_dataclass, "default", ()) if of_dataclass else vars(live).get(name, ())
    return default is None
