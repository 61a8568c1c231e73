"""From a live function or lambda to its source text and its syntax tree.

The text is that of the whole file, and lexing starts at the definition: nothing is dedented, so
every offset is an offset of the file, and strings that span lines keep their spaces.
"""

from __future__ import annotations

import inspect
import linecache
import re
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from scriptc.syntax import nodes as n
from scriptc.syntax.lexer import tokenize_definition
from scriptc.syntax.notebooks import entered_text, shown_file
from scriptc.syntax.parser import parse_module, parse_tokens
from scriptc.syntax.private_names import with_private_names
from scriptc.syntax.tokens import Token
from scriptc_runtime.errors import Diagnostic, ParseError, Source, Span, UnsupportedError

# Lines, the first and the last, and columns in bytes of UTF-8, where it starts and ends.
Place = tuple[int, int, int, int]


class FunctionSyntax(NamedTuple):
    """A function and the file it stands in."""

    source: Source
    node: n.FunctionDef | n.Lambda


def parse_function(fn: Callable[..., Any]) -> FunctionSyntax:
    """Parse the definition of a live function, method or lambda."""
    function = _plain_function(fn)
    code = function.__code__
    source = _source_of(function)
    if code.co_name == "<lambda>":
        found = with_private_names(_find_lambda(source, code), code.co_qualname)
        return FunctionSyntax(source, found)
    if source.line_count < code.co_firstlineno:
        raise _stale(source, 0, f"it has no line {code.co_firstlineno} any more")
    start = source.offset(code.co_firstlineno, 1)
    try:
        tokens = tokenize_definition(source, start)
        node = parse_tokens(source, tokens, "func_input")
    except ParseError as error:
        # Python has compiled this function, so the text is another one now; or it is too deep.
        if error.diagnostics[0].code == "too-deep":
            raise
        raise _stale(source, start, "no function begins here any more") from error
    if not isinstance(node, n.FunctionDef):
        raise _stale(source, start, "no function begins here any more")
    _refuse_stale(source, code, node, tokens)
    return FunctionSyntax(source, with_private_names(node, code.co_qualname))


def keep_text(function: FunctionType, lines: list[str]) -> None:
    """Give a function that is in no file the text that it was compiled from."""
    setattr(function, _TEXT, lines)


def decorated_span(fn: Callable[..., Any]) -> Span:
    """Return the place of a definition's first decorator, or of the definition without any."""
    source, node = parse_function(fn)
    decorators = node.decorator_list if isinstance(node, n.FunctionDef) else ()
    place = decorators[0] if decorators else node
    return Span(source, place.lo, place.hi)


def class_span(cls: type) -> Span | None:
    """Return the place of a class's first base, or of its first decorator, if its text is there."""
    try:
        lines, first = inspect.findsource(cls)
        file = inspect.getfile(cls)
        source = Source(file, "".join(lines), shown_file(file))
    except (OSError, TypeError):
        return None
    start = sum(map(len, lines[:first]))
    classes = (c for c in _walk(parse_module(source)) if isinstance(c, n.ClassDef))
    found = [c for c in classes if c.name == cls.__name__ and c.hi > start]
    if not found:
        return None
    node = min(found, key=lambda c: abs(c.lo - start))
    place, *_ = *node.bases, *node.decorator_list, node
    return Span(source, place.lo, place.hi)


def field_span(method: Callable[..., Any], field: str) -> Span | None:
    """Return the place of a field's annotation in the class whose body holds the method."""
    source, node = parse_function(method)
    inside = (c for c in _walk(parse_module(source)) if c.lo <= node.lo and node.hi <= c.hi)
    found: Span | None = None
    for statement in (s for c in inside if isinstance(c, n.ClassDef) for s in c.body):
        match statement:
            case n.AnnAssign(target=n.Name(id=name), annotation=written) if name == field:
                found = Span(source, written.lo, written.hi)
            case _:
                pass
    return found


# --------------------------------------------------------------------------------- the source


def _plain_function(fn: Callable[..., Any]) -> FunctionType:
    # A function that wraps another one is not that one.
    bound: Any = inspect.unwrap(fn, stop=_is_function)
    inner: Any = getattr(bound, "__func__", bound)  # of a (class) method
    function: object = inspect.unwrap(inner, stop=_is_function)
    if isinstance(function, FunctionType):
        return function
    name = getattr(fn, "__qualname__", repr(fn))
    message = f"{name} is not a function written in Python"
    why = "only the text of a `def` or a lambda can be compiled"
    raise UnsupportedError(Diagnostic("not-a-function", message, why=why))


def _is_function(value: object) -> bool:
    return isinstance(value, FunctionType)


_TEXT = "__scriptc_text__"


def _source_of(function: FunctionType) -> Source:
    kept: list[str] | None = getattr(function, _TEXT, None)
    file = function.__code__.co_filename
    if kept is not None:
        return Source(file, "".join(kept))
    linecache.checkcache(file)
    lines = linecache.getlines(file, function.__globals__)
    if lines:
        return _source(file, lines)
    entered = entered_text(function.__code__)
    if entered is not None:
        return Source(file, entered.text, entered.shown)
    message = f"the source text of {function.__qualname__} is not available (file {file!r})"
    why = "it was made by exec or eval, typed after `python -c`, or its file is gone"
    if file == "<stdin>" or file.startswith("<python-input"):
        why = "it was typed at the prompt of Python, which does not keep the text"
    instead = "put it into a file and import that; notebooks and IPython keep the text"
    raise UnsupportedError(Diagnostic("no-source", message, why=why, instead=instead))


# Of the files that were read last, by their names, with the lines as `linecache` holds them.
_SOURCES: dict[str, tuple[list[str], Source]] = {}
_MOST_SOURCES = 16


def _source(file: str, lines: list[str]) -> Source:
    """Return the text of a file, the same object for each function in it."""
    known = _SOURCES.get(file)
    if known is None or known[0] is not lines:
        if len(_SOURCES) >= _MOST_SOURCES:
            _SOURCES.clear()
        known = _SOURCES[file] = (lines, Source(file, "".join(lines), shown_file(file)))
    return known[1]


# -------------------------------------------------------------------- text that is not the code


def _stale(source: Source, offset: int, found: str) -> UnsupportedError:
    message = f"the file has changed since it was imported: {found}"
    end = source.text.find("\n", offset)
    span = Span(source, offset, end if end >= 0 else len(source.text))
    why = "what would be compiled is not what Python runs"
    instead = "import the module again, or restart Python"
    return UnsupportedError(Diagnostic("stale-source", message, span, why, instead))


def _refuse_stale(source: Source, code: CodeType, node: n.FunctionDef, tokens: list[Token]) -> None:
    # Not the bytecode: pytest rewrites it, and that of a closure depends on what is around it.
    if node.name != code.co_name:
        found = f"{code.co_name!r} stood here, now it is {node.name!r}"
        raise _stale(source, node.lo, found)
    if parameter_names(node.args) != _code_parameters(code):
        raise _stale(source, node.lo, "the parameters are others now")
    height = source.text.count("\n", tokens[0].lo, node.hi) + 1
    if not _hold_code(source, code, height):
        raise _stale(source, node.lo, "the lines of the function are others now")
    texts = {token.text for token in tokens}
    if not all(name in texts or _unmangled(name) in texts for name in _names(code)):
        raise _stale(source, node.lo, "the names in the function are others now")


def _hold_code(source: Source, code: CodeType, height: int) -> bool:
    """Whether each line of the code is one of the definition's, and neither blank nor comment."""
    first = code.co_firstlineno
    numbers = {line for _, _, line in code.co_lines() if line is not None}
    return all(
        first <= number < first + height and source.line(number).lstrip()[:1] not in ("", "#")
        for number in numbers
    )


def parameter_names(args: n.arguments) -> tuple[str, ...]:
    """Return the names in the order of `co_varnames`: positional, keyword-only, *args, **kwargs."""
    plain = (*args.posonlyargs, *args.args, *args.kwonlyargs)
    starred = (arg for arg in (args.vararg, args.kwarg) if arg is not None)
    return tuple(arg.arg for arg in (*plain, *starred))


def _code_parameters(code: CodeType) -> tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return tuple(map(_unmangled, code.co_varnames[:count]))


def _names(code: CodeType) -> set[str]:
    """Return the names that the text must hold."""
    names = code.co_varnames + code.co_cellvars
    if not any("@" in name for name in code.co_varnames):  # pytest rewrites `assert`
        names += code.co_names
    words = {word for name in names for word in name.split(".")}
    return {word for word in words - _UNWRITTEN if word.isidentifier()}


# Names of a function that its text need not hold: `super()` needs the first, and f-strings of more
# than 30 parts are joined.
_UNWRITTEN = frozenset({"__class__", "join"})


def _unmangled(name: str) -> str:
    found = re.fullmatch(r"_[^_]\w*?(__\w*[^_]_?)", name)  # __x is _C__x inside of class C
    return found[1] if found else name


# ------------------------------------------------------------------------------------ lambdas


def _find_lambda(source: Source, code: CodeType) -> n.Lambda:
    """Find the lambda by the places of its instructions: several may stand on one line."""
    lambdas = [node for node in _walk(parse_module(source)) if isinstance(node, n.Lambda)]
    parameters = _code_parameters(code)
    lambdas = [node for node in lambdas if parameter_names(node.args) == parameters]
    places = list(_places(code))
    around = [node for node in lambdas if places and _is_around(_place(source, node), places)]
    found = sorted(around, key=lambda node: node.hi - node.lo)[:1] or [
        node for node in lambdas if source.position(node.lo)[0] == code.co_firstlineno
    ]
    if len(found) == 1:
        return found[0]
    if not found:
        raise _stale(source, 0, f"the lambda of line {code.co_firstlineno} is not there any more")
    message = "cannot tell which lambda of this line is meant"
    span = Span(source, found[0].lo, found[-1].hi)
    instead = "write a `def`, or one lambda a line"
    raise UnsupportedError(Diagnostic("which-lambda", message, span, instead=instead))


def _places(code: CodeType) -> Iterator[Place]:
    """Yield the places of instructions, but of what only starts a function: it has no width."""
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or end_column is None:
            continue
        if (line, column) != (end_line, end_column):
            yield line, end_line, column, end_column


def _is_around(outer: Place, places: Iterable[Place]) -> bool:
    """Whether a place holds all these."""
    start, end = outer[::2], outer[1::2]
    return all(start <= place[::2] and place[1::2] <= end for place in places)


def _place(source: Source, node: n.Node) -> Place:
    """Return the place as `co_positions` has it."""
    (line, column), (end_line, end_column) = source.position(node.lo), source.position(node.hi)
    before = source.text[node.lo - column + 1 : node.lo]
    end_before = source.text[node.hi - end_column + 1 : node.hi]
    return line, end_line, len(before.encode()), len(end_before.encode())


def _walk(root: n.Node) -> Iterator[n.Node]:
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending += n.children(node)
