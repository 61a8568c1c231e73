"""Texts: their methods, characters and slices, and what is made of characters."""

from collections.abc import Mapping

from scriptc.check.bindings import Typed
from scriptc.check.checked import Apply, Computation, Literal
from scriptc.check.context import Context, operand
from scriptc.check.conversion import converted
from scriptc.check.indices import as_int, bound, present
from scriptc.check.library.call import Library, LibraryCall
from scriptc.check.library.definitions import Definition, Entry
from scriptc.check.library.standard import standard_function
from scriptc.check.numpy import advanced_indexing
from scriptc.check.operators import INDEX_TYPES
from scriptc.check.python import str_format, text
from scriptc.syntax import nodes as n
from scriptc_runtime.ops import data, texts
from scriptc_runtime.types import (
    BIGINT,
    BOOL,
    INT,
    NONE,
    STR,
    DType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
)
from scriptc_runtime.unions import members_of
from scriptc_runtime.values import INT_MAX, INT_MIN


def part(context: Context, node: n.Subscript, base: Typed, slice_: n.Expression) -> Typed:
    """Check `s[i]` and `s[a:b:c]`."""
    whole = operand(node.value, base)
    if not isinstance(slice_, n.Slice):
        index = as_int(context, node.slice, context.typed(node.slice))
        found = context.apply(node, texts.STR_GET, whole, index)
        return context.record(node, [node.value, node.slice], found)
    parts, found = sliced(context, node, whole, slice_)
    return context.record(node, [node.value, *parts], found)


def sliced(
    context: Context, node: n.Subscript, whole: Computation, slice_: n.Slice
) -> tuple[list[n.Expression], Computation]:
    """Return the bounds that a slice of a text evaluates, and the slice."""
    bounds = [bound(context, given) for given in (slice_.lower, slice_.upper, slice_.step)]
    parts = [given for found, _ in bounds for given in found]
    indices = tuple(index for _, index in bounds)
    if any(isinstance(index.type, OptionalType) for index in indices):
        indices = present(advanced_indexing.place_of(context, node), indices)
    return parts, context.apply(node, texts.STR_SLICE, whole, *_bounds(context, node, *indices))


def _bounds(
    context: Context, at: n.Node, lower: Computation, upper: Computation, step: Computation
) -> tuple[Computation, ...]:
    """Return the bounds of a slice as ints: those that are left out as ones beyond all places."""
    if step.type is NONE:
        step = Literal(1, INT)
    elif not isinstance(step, Literal) and NONE in (lower.type, upper.type):
        function = standard_function("str_methods", "open_bounds")
        ends = context.call(at, function, (step,))
        first, last = (context.apply(at, data.ITEM, ends, index=place) for place in (0, 1))
        return first if lower.type is NONE else lower, last if upper.type is NONE else upper, step
    down = isinstance(step, Literal) and isinstance(step.value, int) and step.value < 0
    if lower.type is NONE:
        lower = Literal(INT_MAX if down else 0, INT)
    if upper.type is NONE:
        upper = Literal(INT_MIN if down else INT_MAX, INT)
    return lower, upper, step


def _join(call: LibraryCall) -> Typed:
    at = call.nodes["iterable"]
    call.context.suggest_items(call.typed("iterable"), ListType(STR))
    call.context.require_items(at, call.typed("iterable"))
    match call.typed("iterable").type:
        case ListType(item) if item is STR:
            parts = call.operand("iterable")
        case TupleType(items) if all(item is STR for item in items):
            parts = call.list_of("iterable", STR)
        case type_ if type_ is STR:
            parts = call.standard("str_methods", "characters", call.operand("iterable"))
        case ListType(OptionalType() | UnionType() as item) if STR in members_of(item):
            parts = call.standard("str_methods", "texts_joined", call.operand("iterable"))
        case ListType(item):
            call.refuse(f"the items are {item}, not str", at, "str(x) of each, in a comprehension")
        case other:
            call.refuse(f"{other} is no list of texts", at, "a list: sep.join([...])")
    return call.apply(texts.STR_JOIN, call.operand("self"), parts)


def _changed(call: LibraryCall) -> Typed:
    kind = call.name.rpartition(".")[2]
    return call.apply(texts.STR_CHANGED, call.operand("self"), kind=kind)


def _ord(call: LibraryCall) -> Typed:
    value = call.typed("c")
    if value.type is not STR:
        call.refuse(f"it takes a character, not {value.type}", call.nodes["c"], "s[i]")
    character = _character_at(call.context, call.nodes["c"])
    if character is None:
        return call.apply(texts.ORD, call.operand("c"))
    # The number is read where it is: no text is made of the one character.
    parts, operands = character
    call.parts = [*parts]
    return call.apply(texts.STR_CODE, *operands)


def _character_at(
    context: Context, node: n.Expression
) -> tuple[tuple[n.Expression, ...], tuple[Computation, ...]] | None:
    """Return what an expression evaluates, and a text and an index, if it is `s[i]`."""
    step = context.facts.steps.get(node) if isinstance(node, n.Subscript) else None
    made = step.result if step else None
    if step is None or not isinstance(made, Apply) or made.op is not texts.STR_GET:
        return None
    return tuple(step.parts), tuple(made.operands)


def _chr(call: LibraryCall) -> Typed:
    value = call.operand("i")
    if value.type not in INDEX_TYPES:
        call.refuse(f"it takes an int, not {value.type}", call.nodes["i"], "int(x)")
    return call.apply(texts.CHR, converted(value, INT))


def int_of_text(call: LibraryCall, base: Computation) -> Typed:
    """Check `int(text)` and `int(text, base)`."""
    return call.result(call.standard("str_forms", "to_int", call.operand("x"), base))


def _in_base(call: LibraryCall) -> Typed:
    """Check hex, oct and bin."""
    value = call.operand("number")
    is_int = value.type in (INT, BOOL, BIGINT) or (
        isinstance(value.type, DType) and value.type.kind in "iu"
    )
    if not is_int:
        message = f"it takes an int, not {value.type}"
        call.refuse(message, call.nodes["number"], "convert it: int(x)")
    letter = {"hex": "x", "oct": "o", "bin": "b"}[call.name]
    whole = value if value.type in (BIGINT, DType.U64) else converted(value, INT)
    return call.apply(data.FORMAT, whole, spec=f"#{letter}", conversion="")


def _format(call: LibraryCall) -> Typed:
    """Check `format(value, spec)`."""
    spec: Computation = Literal("", STR)
    if "format_spec" in call.values:
        given = call.typed("format_spec")
        if given.type is not STR:
            call.refuse(f"the format is {given.type}", call.nodes["format_spec"], "a str")
        spec = call.operand("format_spec")
        if given.known:
            spec = Literal(str(given.known.value), STR)
            call.drop("format_spec")
    at = call.nodes["value"]
    return call.result(text.format_by(call.context, at, call.operand("value"), spec))


def _methods(file: str, *names: str) -> Mapping[str, Entry]:
    return {name: Definition(f"str.{name}", file) for name in names}


# Of bytes, too.
SEARCHES = (
    "count",
    "endswith",
    "find",
    "index",
    "lstrip",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
)
_FORMS = (
    "center",
    "expandtabs",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "istitle",
    "isupper",
    "ljust",
    "rjust",
    "translate",
    "zfill",
)
METHODS: Mapping[str, Entry] = {
    **str_format.METHODS,
    **_methods("str_methods", *SEARCHES),
    **_methods("str_forms", *_FORMS),
    **{name: Library(f"str.{name}", ("self",), 1, _changed) for name in texts.CHANGES},
    "join": Library("str.join", ("self", "iterable"), 2, _join, consumes=True, tells_items=True),
}
BUILTINS: Mapping[object, Entry] = {
    ord: Library("ord", ("c",), 1, _ord),
    chr: Library("chr", ("i",), 1, _chr),
    format: Library("format", ("value", "format_spec"), 1, _format),
    **{f: Library(f.__name__, ("number",), 1, _in_base) for f in (hex, oct, bin)},
}
# What functions of the class itself stand for: str.lower(s), key=str.lower.
STATIC: Mapping[object, Entry] = {
    str.maketrans: Definition("str.maketrans", "str_forms"),
    **{vars(str)[name]: method for name, method in METHODS.items() if name != "format"},
}
