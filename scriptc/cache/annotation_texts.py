"""Annotations as keys have them: the classes that they name, and what they say."""

from collections.abc import Iterator
from typing import cast

_OF_TYPES = ("scriptc.types", "scriptc_runtime.types", "scriptc_runtime.dims")


def classes_in_annotation(annotation: object) -> Iterator[type]:
    """Yield the classes that an annotation names: `C`, `C | None`, `tuple[C, int]`."""
    if isinstance(annotation, type):
        yield annotation
    for part in cast("tuple[object, ...]", getattr(annotation, "__args__", ())):
        yield from classes_in_annotation(part)


def said(annotation: object) -> str:
    """Return what an annotation says, with what its names stand for; nothing of other objects."""
    module = type(annotation).__module__
    if isinstance(annotation, type) or module in _OF_TYPES:
        return str(annotation)
    if module not in ("typing", "types", "typing_extensions"):
        return ""
    # The text of what a `type` statement or NewType makes is its name.
    meant = cast(object, getattr(annotation, "__value__", getattr(annotation, "__supertype__", "")))
    parts = cast("tuple[object, ...]", getattr(annotation, "__args__", ()))
    return f"{annotation} {' '.join(map(said, parts))}" if parts else said(meant)
