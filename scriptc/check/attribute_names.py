"""What is known of the computed name of an attribute: how it begins and ends, and what it is of.

f"op_{op}"                                       begins with "op_"
"visit_" + type(node).__name__.lower()           the class of `node` says all of it
"""

from collections.abc import Iterator, Sequence

from scriptc.check.bindings import Typed
from scriptc.check.class_tests import object_of_type
from scriptc.check.context import Context
from scriptc.check.scopes import bindings_of, holds, parameter_names, walk_own
from scriptc.syntax import nodes as n
from scriptc_runtime.record import record

# Methods of texts that classes are found by.
_CHANGING = ("lower", "upper", "casefold", "capitalize", "title", "swapcase")


@record(eq=False)
class NamePattern:
    """How a name begins and ends; `subject` is x where between these stands the name of its class.

    `changes` are methods of texts that are called for the name of the class.  `whole` is the name
    where it is known.
    """

    start: str
    end: str
    subject: n.Name | None = None
    changes: tuple[str, ...] = ()
    whole: str | None = None

    def fits(self, name: str) -> bool:
        """Whether the computed name may be this one."""
        if self.whole is not None:
            return name == self.whole
        is_long = len(name) >= len(self.start) + len(self.end)
        return is_long and name.startswith(self.start) and name.endswith(self.end)

    def of_class(self, name: str) -> str:
        """Return what the name is for an object of a class."""
        for change in self.changes:
            name = str(getattr(name, change)())
        return self.start + name + self.end


def name_pattern(context: Context, node: n.Expression) -> NamePattern:
    """Return what is known of a text before the program runs."""
    found = context.expression(node)
    known = found.known.value if isinstance(found, Typed) and found.known else None
    if isinstance(node, n.Constant) or isinstance(known, str):
        return NamePattern("", "", whole=str(node.value if isinstance(node, n.Constant) else known))
    parts = list(_parts(context, node, node))
    texts = [part if isinstance(part, str) else None for part in parts]
    first = next((i for i, text in enumerate(texts) if text is None), len(texts))
    last = next((i for i, text in enumerate(reversed(texts)) if text is None), 0)
    start = "".join(text or "" for text in texts[:first])
    end = "".join(text or "" for text in texts[len(texts) - last :])
    subject, changes = None, ()
    if first + last + 1 == len(parts) and isinstance(part := parts[first], n.Expression):
        subject, changes = _named_class(part)
    if subject is not None and not _is_same(context, subject, node):
        subject = None
    return NamePattern(start, end, subject, changes)


def _parts(context: Context, node: n.Expression, at: n.Expression) -> Iterator[str | n.Expression]:
    """Yield the parts that a text is put together of."""
    match node:
        case n.Constant(value=str(text)):
            yield text
        case n.JoinedStr(values=values):
            for value in values:
                yield from _parts(context, value, at)
        case n.FormattedValue(value=value, conversion=-1, format_spec=None):
            yield from _parts(context, value, at)
        case n.BinOp(op="+", left=left, right=right):
            yield from _parts(context, left, at)
            yield from _parts(context, right, at)
        case n.BinOp(op="%", left=n.Constant(value=str(text)), right=value) if (
            text.count("%") == 1 and "%s" in text and not isinstance(value, n.Tuple)
        ):
            yield from _around(context, text.partition("%s"), value, at)
        case n.Call(func=n.Attribute(value=n.Constant(value=str(text)), attr="format")) if (
            len(node.args) == 1 and text.count("{") == text.count("}") == text.count("{}") == 1
        ):
            yield from _around(context, text.partition("{}"), node.args[0], at)
        case n.Name() if (value := _value_of(context, node, at)) is not None:
            yield from _parts(context, value, at)
        case _:
            yield node


def _around(
    context: Context, parts: tuple[str, str, str], value: n.Expression, at: n.Expression
) -> Iterator[str | n.Expression]:
    yield parts[0]
    yield from _parts(context, value, at)
    yield parts[2]


def _value_of(context: Context, node: n.Name, at: n.Expression) -> n.Expression | None:
    """Return what a variable was given in a line before, in the same block as what asks for it."""
    if node.id in context.shared or node.id not in context.locals:
        return None
    place = _place_of(context, node.id)
    match place:
        case n.Assign(targets=(n.Name(),), value=value) if _is_followed_by(context, place, at):
            return value
        case _:
            return None


def _place_of(context: Context, name: str) -> n.Node | None:
    """Return what binds a variable of a function, where it is one place alone."""
    definition = context.definition
    if definition is None or name in parameter_names(definition):
        return None
    bindings = bindings_of(definition).get(name, ())
    return bindings[0].place if len(bindings) == 1 else None


def _is_followed_by(context: Context, place: n.Statement, node: n.Node) -> bool:
    """Whether a line of the block in which a statement stands, further on, has a node in it."""
    rest = following(context, place)
    return rest is not None and any(holds(s, node) for s in rest)


def following(context: Context, statement: n.Statement) -> Sequence[n.Statement] | None:
    """Return the statements behind one in its block; None where it is not one of the function."""
    definition = context.definition
    if definition is None:
        return None
    for body in _bodies(definition):
        for place, other in enumerate(body):
            if other is statement:
                return body[place + 1 :]
    return None


def _bodies(definition: n.FunctionDef) -> Iterator[n.Body]:
    yield definition.body
    for part in walk_own(definition.body):
        match part:
            case (
                n.If()
                | n.For()
                | n.While()
                | n.With()
                | n.Try()
                | n.ExceptHandler()
                | n.match_case()
            ):
                for name in ("body", "orelse", "finalbody"):
                    yield getattr(part, name, ())
            case _:
                pass


def _named_class(node: n.Expression) -> tuple[n.Name | None, tuple[str, ...]]:
    """Return x of `type(x).__name__`, with the methods that are called for that text."""
    match node:
        case n.Attribute(value=of, attr="__name__" | "__qualname__"):
            place = object_of_type(of)
            return (place if isinstance(place, n.Name) else None), ()
        case n.Call(func=n.Attribute(value=value, attr=attr), args=(), keywords=()):
            subject, changes = _named_class(value)
            return (subject, (*changes, attr)) if attr in _CHANGING else (None, ())
        case _:
            return None, ()


def _is_same(context: Context, subject: n.Name, at: n.Expression) -> bool:
    """Whether a variable is, where an attribute is asked for, what its name was made of."""
    if subject.id in context.shared or subject.id in context.learned.cells:
        return False
    if holds(at, subject):
        return True
    definition = context.definition
    bindings = bindings_of(definition).get(subject.id, ()) if definition else ()
    return not bindings or (len(bindings) == 1 and bindings[0].place.lo < subject.lo)
