"""Remarks beside the lines of the source that they are about.

Code is copied and inlined, so many remarks may be about one line: what is said twice is said once,
and what one version of a loop has missed counts for nothing where another version has it. What
happened inside of a function of the standard library stands at the user's line that calls it.
"""

import ast
import linecache
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from types import FunctionType

from scriptc.analysis.remarks import Kind, Reason, Remark, Topic, shown_function, words
from scriptc.check.library.standard import is_library_file
from scriptc_runtime.ir import Loc
from scriptc_runtime.record import record

# What is about a line as a whole: its loops stand in several columns.
_OF_LINES = (Topic.VECTORS, Topic.FUSION)


@record
class Shown:
    """A remark as it is shown; of a library function also which one, and its line there."""

    kind: Kind
    topic: Topic
    text: str
    library: str = ""
    inside: str = ""


@record
class Line:
    """A line of the source with its remarks, in the order of topics."""

    number: int
    source: str
    remarks: Sequence[Shown]


@record
class Listing:
    """A function of the user's: its file and its lines."""

    file: str
    lines: Sequence[Line]


@record
class _Place:
    """Where in the user's source a remark is shown."""

    file: str
    line: int
    column: int
    library: str
    inside: str


def listings(found: Sequence[Remark], root: FunctionType) -> tuple[Listing, ...]:
    """Return the source of a function, and of what it calls, with remarks."""
    by_file: dict[str, dict[int, list[tuple[_Place, Remark]]]] = {}
    code = root.__code__
    by_file[code.co_filename] = {code.co_firstlineno: []}
    for each in found:
        place = _place(each)
        if place is not None:
            by_file.setdefault(place.file, {}).setdefault(place.line, []).append((place, each))
    parts = [part for file, lines in by_file.items() for part in _of_file(file, lines)]
    first = next(p for p in parts if _holds(p, code.co_filename, code.co_firstlineno))
    return (first, *(p for p in parts if p is not first))


def _holds(part: Listing, file: str, line: int) -> bool:
    return part.file == file and part.lines[0].number <= line <= part.lines[-1].number


def _place(remark: Remark) -> _Place | None:
    """Return the innermost place of a remark that is the user's."""
    library, inside = "", ""
    for loc in _frames(remark.loc):
        own = remark.function.file if remark.function is not None else ""
        file = loc.file or own
        if file and not is_library_file(file):
            return _Place(file, loc.line, loc.column, library, inside)
        inside = inside or f"{PurePath(file.strip('<>')).name}:{loc.line}"
        name = loc.function or (remark.function.name if remark.function is not None else "")
        library = shown_function(name)
    return None


def _frames(loc: Loc | None) -> Iterator[Loc]:
    while loc is not None:
        yield loc
        loc = loc.caller


def _of_file(file: str, found: Mapping[int, list[tuple[_Place, Remark]]]) -> Iterator[Listing]:
    """Yield the functions of a file that remarks are about."""
    spans = _functions(file)
    wanted: dict[tuple[int, int], None] = {}
    for number in found:
        inside = [span for span in spans if span[0] <= number <= span[1]]
        wanted[min(inside, default=(number, number))] = None
    for first, last in sorted(wanted):
        lines = [
            Line(n, linecache.getline(file, n).rstrip(), _shown(found.get(n, ())))
            for n in range(first, last + 1)
        ]
        yield Listing(file, lines)


def _functions(file: str) -> Sequence[tuple[int, int]]:
    """Return the first and the last line of each function of a file that stands in no other."""
    return [(_first(node), node.end_lineno or node.lineno) for node in _outermost(_tree(file))]


def _outermost(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield node
        else:
            yield from _outermost(node)


def _first(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def _shown(found: Sequence[tuple[_Place, Remark]]) -> Sequence[Shown]:
    """Return what is shown at a line, each thing once."""
    reached = {_key(place, r) for place, r in found if r.message.kind is Kind.DONE}
    left = [
        (place, r)
        for place, r in found
        if r.message.kind is not Kind.MISSED or _key(place, r) not in reached
    ]
    kept = [
        Shown(r.message.kind, r.message.topic, text, place.library, place.inside)
        for place, r, text in _joined(left)
    ]
    topics, kinds = list(Topic), list(Kind)
    return sorted(
        dict.fromkeys(kept),
        key=lambda s: (bool(s.library), topics.index(s.topic), kinds.index(s.kind)),
    )


def _joined(
    found: Sequence[tuple[_Place, Remark]],
) -> Iterator[tuple[_Place, Remark, str]]:
    """Yield what is to be shown; what is said of several arrays of a line is one sentence."""
    groups: dict[tuple[object, ...], list[tuple[_Place, Remark]]] = {}
    for place, remark in found:
        others = tuple(
            (name, words(value, remark.loc))
            for name, value in remark.values.items()
            if name != "array"
        )
        groups.setdefault((place.library, place.inside, remark.message, others), []).append(
            (place, remark)
        )
    for alike in groups.values():
        place, first = alike[0]
        values = dict(first.values)
        if "array" in values:
            values["array"] = list(dict.fromkeys(words(r.values["array"]) for _, r in alike))
        text = Reason(first.message.text, **values).at(first.loc)
        yield place, first, _with_names(text, place.file)


_MARKED = re.compile("([\x00-\x02])(\\d+):(\\d+)[\x00-\x02]")


def _with_names(text: str, file: str) -> str:
    """Return a text with the names of loop variables and of arrays, which stand in the source."""
    if not _MARKED.search(text):
        return text
    nodes = list(ast.walk(_tree(file)))
    variables = {_start(n): ast.unparse(n.target) for n in nodes if isinstance(n, ast.For)}
    arrays = dict(_named_arrays(nodes))
    # Outer ones come first: of `x[i][::2]` the whole.
    parts = {_start(n): ast.unparse(n) for n in reversed(nodes) if isinstance(n, ast.Subscript)}

    def name(found: re.Match[str]) -> str:
        place = int(found[2]), int(found[3])
        if found[1] == "\x00":
            return variables.get(place, "i")
        if found[1] == "\x02":
            return parts.get(place, f"a part of line {place[0]}")
        return arrays.get(place, f"the array of line {place[0]}")

    return _MARKED.sub(name, text)


def _start(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return node.lineno, node.col_offset + 1


def _named_arrays(nodes: Sequence[ast.AST]) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the places of values that a statement names, where nothing else begins there.

    In `c = a @ b + 1.0` the product begins there, too.
    """
    plain = ast.Name | ast.Attribute
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func) as value):
                if not isinstance(func, ast.Attribute) or isinstance(func.value, plain):
                    yield _start(value), name
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left=left) as value):
                if isinstance(left, plain):
                    yield _start(value), name
            case _:
                pass


def _tree(file: str) -> ast.Module:
    """Return the tree of a file, an empty one where it is none of Python any more."""
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ast.Module([], [])


def _key(place: _Place, remark: Remark) -> tuple[object, ...]:
    """Return what two remarks have alike of which one takes the other's word back."""
    topic = remark.message.topic
    if topic in _OF_LINES:
        return place.library, topic
    about = [words(remark.values[name]) for name in ("array", "what") if name in remark.values]
    return place.library, topic, place.column, *about
