"""The values of literals: numbers, and strings with their escapes."""

from __future__ import annotations

import re

from scriptc.syntax.tokens import SyntaxProblem, Token

_ESCAPE = r"(\r\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|N\{[^}]+\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)"
# Not compiled here: most programs escape nothing.
_IN_STRING = r"\\" + _ESCAPE
_IN_FSTRING = r"\{\{|\}\}|\\(?![{}])" + _ESCAPE
_PREFIX = re.compile(r"[a-zA-Z]*")
_SIMPLE = {
    **{"\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n"},
    **{"r": "\r", "t": "\t", "v": "\v", "\n": "", "\r\n": "", "\r": ""},
}


def number_value(token: Token) -> int | float | complex:
    """Return the value of a number."""
    text = token.text.replace("_", "").lower()
    if text[-1] == "j":
        return complex(text)
    if text[:2] in ("0x", "0o", "0b"):
        return int(text, 0)
    if "." in text or "e" in text:
        return float(text)
    if text[0] == "0" and text.strip("0"):
        message = "leading zeros in decimal integer literals are not permitted; use 0o for octal"
        raise SyntaxProblem(message, token.lo, token.hi)
    try:
        return int(text)
    except ValueError as error:  # Python's own limit on the number of digits
        raise SyntaxProblem(str(error), token.lo, token.hi) from None


def string_value(token: Token) -> str | bytes:
    """Return the value of one plain string literal."""
    found = _PREFIX.match(token.text)
    prefix = found[0].lower() if found else ""
    body = token.text[len(prefix) :]
    quotes = 3 if len(body) >= 6 and body[:3] in ('"""', "'''") else 1
    body = _newlines(body[quotes:-quotes])
    if "b" in prefix:
        return _bytes_value(body, token, raw="r" in prefix)
    if "r" in prefix or "\\" not in body:
        return body
    return re.sub(_IN_STRING, lambda found: _unescape(found, token), body, flags=re.DOTALL)


def fstring_text(token: Token, *, raw: bool) -> str:
    """Return the value of one piece of literal text of an f-string."""
    body = _newlines(token.text)
    if raw or "\\" not in body:
        return body.replace("{{", "{").replace("}}", "}")

    def replace(found: re.Match[str]) -> str:
        return found[0][0] if found[0] in ("{{", "}}") else _unescape(found, token)

    return re.sub(_IN_FSTRING, replace, body, flags=re.DOTALL)


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _bytes_value(body: str, token: Token, *, raw: bool) -> bytes:
    if not body.isascii():
        message = "bytes can only contain ASCII literal characters"
        raise SyntaxProblem(message, token.lo, token.hi)
    if raw:
        return body.encode("ascii")

    def replace(found: re.Match[str]) -> str:
        if found[1][0] in "uUN":  # no escapes in bytes
            return found[0]
        value = _unescape(found, token)
        return chr(ord(value) & 0xFF) if len(value) == 1 else value  # "\\777" is 0xFF

    return re.sub(_IN_STRING, replace, body, flags=re.DOTALL).encode("latin-1")


def _unescape(found: re.Match[str], token: Token) -> str:
    escape = found[1]
    simple = _SIMPLE.get(escape)
    if simple is not None:
        return simple
    first = escape[0]
    if first in "01234567":
        return chr(int(escape, 8))
    if first not in "xuUN":
        return found[0]  # not an escape: the backslash stays
    try:
        return _named(escape[2:-1]) if first == "N" else chr(int(escape[1:], 16))
    except (KeyError, ValueError, OverflowError):
        raise SyntaxProblem(f"the escape {found[0]!r} has no value", token.lo, token.hi) from None


def _named(name: str) -> str:
    # Inside a function: few strings name a character.
    from unicodedata import lookup

    return lookup(name)
