"""Random expressions of a type that is asked for; what they raise, CPython says."""

from tests.support.language.containers import CONTAINERS, subscript
from tests.support.language.kinds import (
    BOOL,
    FLOAT,
    INT,
    SCALARS,
    STR,
    Kind,
    dict_of,
    hashable,
    list_of,
    optional,
    set_of,
    tuple_of,
)
from tests.support.language.writer import Choice, Choices, Writer

_INT_SPECS = ("d", "5d", "<6d", "^7d", "+d", "05d", "x", "#b", ",d", "o", "_d", "X", ">4", "")
_FLOAT_SPECS = (
    ".2f",
    ".3e",
    "8.1f",
    "+.1f",
    "g",
    ".3g",
    "%",
    ".0f",
    "<10.2f",
    "",
    "010.3f",
    ",.2f",
)
_STR_SPECS = ("", ">8", "<8", "^9", "*^7", ".2", "-<5.3")


# ---------------------------------------------------------------------------------- of all types


def _variable(w: Writer, kind: Kind, depth: int) -> str | None:
    held = w.variables(kind)
    return w.random.choice(held) if held else None


def _conditional(w: Writer, kind: Kind, depth: int) -> str | None:
    if kind.name in ("function", "object", "union"):
        return None
    if kind.name == "optional":
        return f"({w.expression(kind.parts[0], depth)} if {w.expression(BOOL, depth)} else None)"
    parts = [w.expression(k, depth) for k in (kind, BOOL, kind)]
    return f"({parts[0]} if {parts[1]} else {parts[2]})"


def _called(w: Writer, kind: Kind, depth: int) -> str | None:
    found = [f for f in w.declared.functions if f.result == kind and not f.is_generator]
    return w.call(w.random.choice(found), depth) if found else None


def _method(w: Writer, kind: Kind, depth: int) -> str | None:
    for name, held in w.scope.variables.items():
        if held.name != "object" or held.owner not in w.declared.classes or w.chance(0.3):
            continue
        owner = w.declared.classes[held.owner]
        found = [m for m in owner.methods.values() if m.result == kind]
        if found and not owner.is_error:
            return w.call(w.random.choice(found), depth, f"{name}.")
    return None


def _attribute(w: Writer, kind: Kind, depth: int) -> str | None:
    for name, held in w.scope.variables.items():
        if held.name == "object" and not w.chance(0.2):
            fields = w.declared.classes[held.owner].fields
            names = [n for n, field in fields.items() if field == kind]
            if names:
                return f"{name}.{w.random.choice(names)}"
    return None


def _item(w: Writer, kind: Kind, depth: int) -> str | None:
    """An item of a list, dict or tuple that a variable holds."""
    for name, held in w.scope.variables.items():
        if w.chance(0.2) or not held.parts or held.parts[-1] != kind:
            continue
        if held.name == "list":
            return f"{name}[{w.expression(INT, depth)}]"
        if held.name == "dict":
            return f"{name}[{w.expression(held.parts[0], depth)}]"
        if held.name == "tuple":
            return f"{name}[{w.random.choice((-1, len(held.parts) - 1))}]"
    return None


def _called_value(w: Writer, kind: Kind, depth: int) -> str | None:
    for name, held in w.scope.variables.items():
        if held.name == "function" and held.parts[0] == kind:
            return f"{name}({', '.join(w.expression(p, depth) for p in held.parts[1:])})"
    return None


def _walrus(w: Writer, kind: Kind, depth: int) -> str | None:
    names = [n for n in w.variables(kind) if n not in w.scope.fixed]
    if not names or not w.scope.has_walrus or kind not in SCALARS:
        return None
    return f"({w.random.choice(names)} := {w.expression(kind, depth)})"


_GENERAL: tuple[Choice, ...] = (
    *(_variable, _conditional, _called, _called, _method, _attribute, _item, _called_value),
    _walrus,
)


# ---------------------------------------------------------------------------------------- numbers


def _int_operation(w: Writer, kind: Kind, depth: int) -> str | None:
    symbol = w.random.choice(("+", "-", "*", "//", "%", "&", "|", "^", "+", "-"))
    return f"({w.expression(INT, depth)} {symbol} {w.expression(INT, depth)})"


def _shift(w: Writer, kind: Kind, depth: int) -> str | None:
    left, right = w.expression(INT, depth), w.expression(INT, depth)
    mask = w.random.choice((7, 15, 63))
    count = right if w.chance(0.1) and right.lstrip("-").isdigit() else f"({right} & {mask})"
    if count == "1000003":
        return None
    return f"({left} {w.random.choice(('<<', '>>'))} {count})"


def _power(w: Writer, kind: Kind, depth: int) -> str | None:
    return f"({w.expression(INT, depth)} ** {w.random.randint(0, 4)})"


def _int_unary(w: Writer, kind: Kind, depth: int) -> str | None:
    form = w.random.choice(("(-{})", "(~{})", "abs({})", "(+{})", "int({})"))
    return form.format(w.expression(INT, depth))


def _length(w: Writer, kind: Kind, depth: int) -> str | None:
    held = w.random.choice(
        (STR, list_of(INT), list_of(STR), dict_of(STR, INT), set_of(INT), tuple_of(INT, STR))
    )
    return f"len({w.expression(held, depth)})"


def _int_of(w: Writer, kind: Kind, depth: int) -> str | None:
    form, inner = w.random.choice(
        (
            ("int({})", FLOAT),
            ("round({})", FLOAT),
            ("int({})", BOOL),
            ("int({})", STR),
            ("math.floor({})", FLOAT),
            ("math.gcd({}, 12)", INT),
            ("sum({})", list_of(INT)),
            ("max({})", list_of(INT)),
            ("min({}, default=0)", list_of(INT)),
            ("ord({}[0])", STR),
            ("({} + True)", INT),
            ("divmod({}, 7)[1]", INT),
            ("pow({}, 3, 11)", INT),
            ("{}.bit_length()", INT),
            ("hash({})", INT),
        )
    )
    text = w.expression(inner, depth)
    if form.startswith("{}.") and text.lstrip("-").isalnum():
        text = f"({text})"
    return form.format(text)


def _int_pair(w: Writer, kind: Kind, depth: int) -> str | None:
    name = w.random.choice(("min", "max"))
    return f"{name}({w.expression(INT, depth)}, {w.expression(INT, depth)})"


def _searched(w: Writer, kind: Kind, depth: int) -> str | None:
    form, held, item = w.random.choice(
        (
            ("{}.find({})", STR, STR),
            ("{}.count({})", STR, STR),
            ("{}.index({})", STR, STR),
            ("{}.rfind({})", STR, STR),
            ("{}.index({})", list_of(INT), INT),
            ("{}.count({})", list_of(STR), STR),
            ("{}.get({}, -5)", dict_of(STR, INT), STR),
            ("{}.pop({}, 0)", dict_of(INT, INT), INT),
        )
    )
    return form.format(w.expression(held, depth), w.expression(item, depth))


def _folded(w: Writer, kind: Kind, depth: int) -> str | None:
    """A sum of a generator expression, or a fold."""
    item = w.random.choice((INT, STR))
    held = w.without_walrus(list_of(item), depth)
    name = w.name("v")
    body = w.with_variable(name, item, INT, depth)
    test = w.with_variable(name, item, BOOL, 0)
    return w.random.choice(
        (
            f"sum({body} for {name} in {held})",
            f"sum({body} for {name} in {held} if {test})",
            f"sum(1 for {name} in {held} if {test})",
            f"max(({body} for {name} in {held}), default=-1)",
        )
    )


def _float_operation(w: Writer, kind: Kind, depth: int) -> str | None:
    symbol = w.random.choice(("+", "-", "*", "/", "//", "%", "+", "*"))
    kinds = w.random.choice(((FLOAT, FLOAT), (FLOAT, FLOAT), (INT, FLOAT), (FLOAT, INT)))
    return f"({w.expression(kinds[0], depth)} {symbol} {w.expression(kinds[1], depth)})"


def _quotient(w: Writer, kind: Kind, depth: int) -> str | None:
    return f"({w.expression(INT, depth)} / {w.expression(INT, depth)})"


def _float_of(w: Writer, kind: Kind, depth: int) -> str | None:
    form, inner = w.random.choice(
        (
            ("float({})", INT),
            ("float({})", STR),
            ("float({})", BOOL),
            ("abs({})", FLOAT),
            ("(-{})", FLOAT),
            ("math.sqrt({})", FLOAT),
            ("math.fabs({})", FLOAT),
            ("math.copysign(1.0, {})", FLOAT),
            ("math.fmod({}, 2.5)", FLOAT),
            ("round({}, 2)", FLOAT),
            ("round({}, -1)", FLOAT),
            ("sum({}, 0.0)", list_of(FLOAT)),
            ("min({}, 1.5)", FLOAT),
            ("max(0.25, {})", FLOAT),
            ("({} ** 2)", FLOAT),
            ("math.hypot({}, 0.0)", FLOAT),
        )
    )
    return form.format(w.expression(inner, depth))


# ------------------------------------------------------------------------------------------ truth


def _comparison(w: Writer, kind: Kind, depth: int) -> str | None:
    held = w.random.choice((INT, INT, FLOAT, STR, tuple_of(INT, STR), list_of(INT)))
    symbol = w.random.choice(("<", "<=", ">", ">=", "==", "!="))
    return f"({w.expression(held, depth)} {symbol} {w.expression(held, depth)})"


def _equality(w: Writer, kind: Kind, depth: int) -> str | None:
    held = w.random.choice(
        (
            *(set_of(INT), dict_of(STR, INT), list_of(list_of(INT)), optional(INT), BOOL),
            *(optional(STR), list_of(tuple_of(INT, STR)), set_of(STR)),
        )
    )
    symbol = w.random.choice(("==", "!="))
    return f"({w.expression(held, depth)} {symbol} {w.expression(held, depth)})"


def _chained(w: Writer, kind: Kind, depth: int) -> str | None:
    held = w.random.choice((INT, FLOAT, STR))
    first, second = (w.random.choice(("<", "<=", "==", ">", "!=")) for _ in range(2))
    parts = [w.expression(held, depth) for _ in range(3)]
    return f"({parts[0]} {first} {parts[1]} {second} {parts[2]})"


def _logic(w: Writer, kind: Kind, depth: int) -> str | None:
    form = w.random.choice(("({} and {})", "({} or {})", "(not {})", "({} ^ {})", "({} & {})"))
    return form.format(w.expression(BOOL, depth), w.expression(BOOL, depth))


def _member(w: Writer, kind: Kind, depth: int) -> str | None:
    item = hashable(w.random)
    held = w.random.choice((list_of(item), set_of(item), dict_of(item, INT)))
    if item == STR and w.chance(0.4):
        held = STR
    symbol = w.random.choice(("in", "not in"))
    return f"({w.expression(item, depth)} {symbol} {w.expression(held, depth)})"


def _truth(w: Writer, kind: Kind, depth: int) -> str | None:
    held = w.random.choice((INT, STR, FLOAT, list_of(INT), dict_of(STR, INT), optional(STR)))
    return f"bool({w.expression(held, depth)})"


def _text_test(w: Writer, kind: Kind, depth: int) -> str | None:
    text = w.expression(STR, depth)
    form = w.random.choice(
        (
            *("isdigit()", "isalpha()", "isupper()", "islower()", "isspace()", "isalnum()"),
            *('startswith("a")', 'endswith(("b", "c"))', "isidentifier()", "istitle()"),
        )
    )
    return f"{text}.{form}"


def _absent(w: Writer, kind: Kind, depth: int) -> str | None:
    held = [n for n, k in w.scope.variables.items() if k.name == "optional"]
    if not held:
        return None
    return f"({w.random.choice(held)} is {w.random.choice(('None', 'not None'))})"


def _quantified(w: Writer, kind: Kind, depth: int) -> str | None:
    item = w.random.choice((INT, STR))
    held, name = w.without_walrus(list_of(item), depth), w.name("v")
    test = w.with_variable(name, item, BOOL, depth)
    return f"{w.random.choice(('any', 'all'))}({test} for {name} in {held})"


def _odd_float(w: Writer, kind: Kind, depth: int) -> str | None:
    name = w.random.choice(("isnan", "isinf", "isfinite"))
    return f"math.{name}({w.expression(FLOAT, depth)})"


def _set_test(w: Writer, kind: Kind, depth: int) -> str | None:
    held = set_of(w.random.choice((INT, STR)))
    form = w.random.choice(("({} <= {})", "{}.isdisjoint({})", "({} > {})", "{}.issuperset({})"))
    return form.format(w.expression(held, depth), w.expression(held, depth))


# ------------------------------------------------------------------------------------------ texts


def _str_method(w: Writer, kind: Kind, depth: int) -> str | None:
    form = w.random.choice(
        (
            *("upper()", "lower()", "strip()", "title()", "capitalize()", "swapcase()"),
            *('lstrip("a ")', "rstrip()", 'replace("a", "bb")', "zfill(6)", "center(9, '.')"),
            *("ljust(7)", "rjust(5, '*')", 'removeprefix("a")', 'removesuffix("c")', "casefold()"),
            *("expandtabs(4)", 'replace("b", "", 1)', 'partition(",")[2]', 'rpartition("b")[0]'),
        )
    )
    return f"{w.expression(STR, depth)}.{form}"


def _str_part(w: Writer, kind: Kind, depth: int) -> str | None:
    text = w.expression(STR, depth)
    return f"{text}[{subscript(w, depth)}]"


def _str_operation(w: Writer, kind: Kind, depth: int) -> str | None:
    if w.chance(0.3):
        return f"({w.expression(STR, depth)}[:5] * {w.random.randint(-1, 3)})"
    return f"({w.expression(STR, depth)} + {w.expression(STR, depth)})"


def _formatted(w: Writer, kind: Kind, depth: int) -> str | None:
    parts: list[str] = []
    for _ in range(w.random.randint(1, 3)):
        held, specs = w.random.choice(
            ((INT, _INT_SPECS), (FLOAT, _FLOAT_SPECS), (STR, _STR_SPECS), (BOOL, ("",)))
        )
        text = w.expression(held, min(depth, 1))
        if any(c in text for c in "\"'\\{}#!:"):
            names = w.variables(held)
            if not names:
                continue
            text = w.random.choice(names)
        spec = w.random.choice(specs)
        parts.append(
            f"{{{text}{w.random.choice(('', '', '!r')) if not spec else ''}"
            f"{':' + spec if spec else ''}}}"
        )
    return f'f"{w.random.choice(("", "<", "x=", "{{"))}{" ".join(parts)}"'


def _shown(w: Writer, kind: Kind, depth: int) -> str | None:
    held = w.random.choice(
        (
            *(INT, FLOAT, BOOL, list_of(INT), list_of(STR), tuple_of(INT, STR), dict_of(STR, INT)),
            *(list_of(FLOAT), optional(INT), set_of(INT), dict_of(INT, list_of(STR)), STR),
        )
    )
    return f"{w.random.choice(('str', 'repr', 'str'))}({w.expression(held, depth)})"


def _joined(w: Writer, kind: Kind, depth: int) -> str | None:
    separator = w.random.choice(('""', '", "', '"-"'))
    if w.chance(0.5):
        return f"{separator}.join({w.expression(list_of(STR), depth)})"
    name, held = w.name("v"), w.without_walrus(list_of(INT), depth)
    return f"{separator}.join(str({name}) for {name} in {held})"


def _percent(w: Writer, kind: Kind, depth: int) -> str | None:
    form, kinds = w.random.choice(
        (
            ('"%d|%s"', (INT, STR)),
            ('"%5.2f;%d"', (FLOAT, INT)),
            ('"%-6s<%03d>"', (STR, INT)),
            ('"%r %s"', (STR, FLOAT)),
        )
    )
    return f"({form} % ({', '.join(w.expression(k, depth) for k in kinds)}))"


def _char(w: Writer, kind: Kind, depth: int) -> str | None:
    form = w.random.choice(("chr(97 + {} % 26)", "chr({} & 1023)", "hex({})", "bin({})", "oct({})"))
    return form.format(w.expression(INT, depth))


CHOICES: Choices = {
    "": _GENERAL,
    "int": (
        *(_int_operation, _int_operation, _int_operation, _shift, _power, _int_unary, _length),
        *(_int_of, _int_of, _int_pair, _searched, _folded),
    ),
    "float": (_float_operation, _float_operation, _quotient, _float_of, _float_of),
    "bool": (
        *(_comparison, _comparison, _equality, _chained, _logic, _logic, _member, _truth),
        *(_text_test, _absent, _quantified, _odd_float, _set_test),
    ),
    "str": (
        *(_str_method, _str_method, _str_part, _str_part, _str_operation, _formatted, _formatted),
        *(_shown, _shown, _joined, _percent, _char),
    ),
    **CONTAINERS,
}
