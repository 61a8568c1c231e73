"""Random lists, dicts, sets and tuples, and what loops run over."""

from tests.support.language.kinds import (
    BOOL,
    FLOAT,
    INT,
    STR,
    Kind,
    dict_of,
    list_of,
    set_of,
    tuple_of,
)
from tests.support.language.writer import Choices, Writer, is_ordered


def _display(w: Writer, kind: Kind, depth: int) -> str | None:
    return w.display(kind, depth)


def _list_comprehension(w: Writer, kind: Kind, depth: int) -> str | None:
    opening, item = ("[", kind.parts[0]) if kind.name == "list" else ("{", kind.parts[0])
    outer, w.scope = w.scope, w.scope.inside()
    w.scope.has_walrus = False  # which Python has not there
    source, held = iterable(w, depth)
    w.scope = outer
    name = w.name("v")
    body = w.with_variable(name, held, item, depth)
    if kind.name == "dict":
        body += ": " + w.with_variable(name, held, kind.parts[1], depth)
    test = f" if {w.with_variable(name, held, BOOL, depth)}" if w.chance(0.4) else ""
    return f"{opening}{body} for {name} in {source}{test}{']' if opening == '[' else '}'}"


def iterable(w: Writer, depth: int) -> tuple[str, Kind]:
    """Return something of few items to loop over, and the type of its items."""
    match w.random.randint(0, 9):
        case 0 | 1:
            return f"range({w.random.randint(0, 4)})", INT
        case 2:
            return f"range({w.random.randint(-3, 9)}, {w.random.randint(-3, 3)}, -2)", INT
        case 3:
            return f"enumerate({w.expression(list_of(STR), depth)})", tuple_of(INT, STR)
        case 4:
            first, second = w.expression(list_of(INT), depth), w.expression(STR, depth)
            return f"zip({first}, {second})", tuple_of(INT, STR)
        case 5:
            return w.expression(STR, depth), STR
        case 6:
            return f"{w.expression(dict_of(STR, INT), depth)}.items()", tuple_of(STR, INT)
        case 7:
            return f"sorted({w.expression(set_of(STR), depth)})", STR
        case 8:
            return f"reversed({w.expression(list_of(INT), depth)})", INT
        case _:
            item = w.random.choice((INT, STR, FLOAT))
            return w.expression(list_of(item), depth), item


def _list_slice(w: Writer, kind: Kind, depth: int) -> str | None:
    return f"{w.expression(kind, depth)}[{slice_text(w, depth)}]"


def _list_operation(w: Writer, kind: Kind, depth: int) -> str | None:
    if w.chance(0.3):
        return f"({w.expression(kind, depth)} * {w.random.randint(-1, 2)})"
    return f"({w.expression(kind, depth)} + {w.expression(kind, depth)})"


def _sorted(w: Writer, kind: Kind, depth: int) -> str | None:
    item = kind.parts[0]
    held = w.expression(kind, depth)
    order = w.random.choice(("", ", reverse=True"))
    if is_ordered(item) and w.chance(0.5):
        return f"sorted({held}{order})"
    name = w.name("k")
    key = w.with_variable(name, item, w.random.choice((INT, STR)), min(depth, 1))
    return f"sorted({held}, key=lambda {name}: {key}{order})"


def _list_of_other(w: Writer, kind: Kind, depth: int) -> str | None:
    item = kind.parts[0]
    if item == STR:
        form, held = w.random.choice(
            (
                ("{}.split()", STR),
                ('{}.split(",")', STR),
                ("list({})", STR),
                ("list({}.keys())", dict_of(STR, INT)),
                ("sorted({})", set_of(STR)),
                ("{}.splitlines()", STR),
                ('{}.rsplit("b", 1)', STR),
            )
        )
        return form.format(w.expression(held, depth))
    if item == INT:
        form, held = w.random.choice(
            (
                ("list({}.values())", dict_of(STR, INT)),
                ("sorted({})", set_of(INT)),
                ("list(range({} % 5))", INT),
                ("[len(q) for q in {}]", list_of(STR)),
                ("list(map(len, {}))", list_of(STR)),
                ("list(set({}))", list_of(INT)),
                ("list(itertools.accumulate({}))", list_of(INT)),
            )
        )
        return form.format(w.expression(held, depth))
    return f"list({w.expression(kind, depth)})"


def _list_filtered(w: Writer, kind: Kind, depth: int) -> str | None:
    name = w.name("p")
    test = w.with_variable(name, kind.parts[0], BOOL, depth)
    return f"list(filter(lambda {name}: {test}, {w.expression(kind, depth)}))"


def _from_generator(w: Writer, kind: Kind, depth: int) -> str | None:
    found = [f for f in w.declared.functions if f.is_generator and f.result == kind.parts[0]]
    call = w.call(w.random.choice(found), depth) if found else None
    return None if call is None else f"list({call})"


def _set_operation(w: Writer, kind: Kind, depth: int) -> str | None:
    symbol = w.random.choice(("|", "&", "-", "^"))
    return f"({w.expression(kind, depth)} {symbol} {w.expression(kind, depth)})"


def _set_of_list(w: Writer, kind: Kind, depth: int) -> str | None:
    return f"set({w.expression(list_of(kind.parts[0]), depth)})"


def _dict_operation(w: Writer, kind: Kind, depth: int) -> str | None:
    form = w.random.choice(("({} | {})", "{{**{}, **{}}}", "{}.copy()", "dict({})"))
    return form.format(w.expression(kind, depth), w.expression(kind, depth))


def _dict_of_pairs(w: Writer, kind: Kind, depth: int) -> str | None:
    keys, values = (w.expression(list_of(part), depth) for part in kind.parts)
    return f"dict(zip({keys}, {values}))"


def _reversed_tuple(w: Writer, kind: Kind, depth: int) -> str | None:
    if kind == tuple_of(INT, INT):
        return f"divmod({w.expression(INT, depth)}, {w.expression(INT, depth)})"
    first, second = (w.expression(part, depth) for part in kind.parts)
    return f"(({first},) + ({second},))"


def _present(w: Writer, kind: Kind, depth: int) -> str | None:
    return w.expression(kind.parts[0], depth)


def _got(w: Writer, kind: Kind, depth: int) -> str | None:
    key = w.random.choice((STR, INT))
    held = w.expression(dict_of(key, kind.parts[0]), depth)
    return f"{held}.get({w.expression(key, depth)})"


def _new_object(w: Writer, kind: Kind, depth: int) -> str | None:
    return w.made(kind, depth)


def _one_of(w: Writer, kind: Kind, depth: int) -> str | None:
    return w.expression(w.random.choice(kind.parts), depth)


def _enum_member(w: Writer, kind: Kind, depth: int) -> str | None:
    if w.chance(0.5):
        return w.leaf(kind)
    return f"{kind.owner}({w.expression(INT, 0)})"


def subscript(w: Writer, depth: int) -> str:
    """An index, or a slice whose step is not 0."""
    if w.chance(0.3):
        return w.expression(INT, depth)
    return slice_text(w, depth)


def slice_text(w: Writer, depth: int) -> str:
    bounds = ["" if w.chance(0.4) else w.expression(INT, min(depth, 1)) for _ in range(2)]
    step = w.random.choice(("", "", ":-1", ":2", ":-2", ":3", ":1"))
    return ":".join(bounds) + step


CONTAINERS: Choices = {
    "list": (
        *(_display, _display, _list_comprehension, _list_comprehension, _list_slice, _sorted),
        *(_list_operation, _list_of_other, _list_of_other, _list_filtered, _from_generator),
    ),
    "dict": (_display, _display, _list_comprehension, _dict_operation, _dict_of_pairs),
    "set": (_display, _list_comprehension, _set_operation, _set_of_list),
    "tuple": (_display, _reversed_tuple),
    "optional": (_present, _got),
    "union": (_one_of,),
    "object": (_new_object,),
    "enum": (_enum_member,),
}
