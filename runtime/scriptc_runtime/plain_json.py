"""JSON of our own files, by the C functions below `json`: its modules take 2 ms to import."""

from _json import encode_basestring_ascii, make_encoder, make_scanner
from typing import ClassVar, cast


def read_json(text: str) -> object:
    """Return what a text that `write_json` or `json.dumps` has written stands for."""
    return cast(object, make_scanner(_Plain)(text, 0)[0])  # pyright: ignore[reportArgumentType]  # any object with these attributes does


def write_json(value: object) -> str:
    """Return what `json.dumps` does."""
    encode = make_encoder(
        None, _refuse, encode_basestring_ascii, None, ": ", ", ", False, False, True
    )
    return "".join(encode(value, 0))


def _refuse(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is no JSON")


class _Plain:
    """How the scanner shall read: as `json.loads` does."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float
    memo: ClassVar[dict[str, str]] = {}
