"""Random statements: every loop is bounded, and every variable keeps its type."""

from collections.abc import Callable, Mapping

from tests.support.language.containers import iterable, slice_text
from tests.support.language.kinds import (
    BOOL,
    FLOAT,
    INT,
    STR,
    Function,
    Kind,
    Scope,
    function_of,
    list_of,
    random_kind,
    tuple_of,
)
from tests.support.language.writer import Writer, is_ordered

_BUILT_IN = ("ValueError", "KeyError", "IndexError", "ZeroDivisionError", "RuntimeError")
_CAUGHT = (*_BUILT_IN, "LookupError", "ArithmeticError", "Exception", "OverflowError", "TypeError")


class StatementWriter(Writer):
    """Draws statements as lines."""

    def line(self, text: str) -> str:
        return "    " * self.scope.depth + text

    def block(self, scope: Scope, count: int) -> list[str]:
        """Return the statements of a block."""
        outer, self.scope = self.scope, scope
        lines = [line for _ in range(count) for line in self.statement()]
        self.scope = outer
        return lines or ["    " * scope.depth + "pass"]

    def statement(self) -> list[str]:
        """Return the lines of a statement."""
        simple = self.scope.depth > 3 or self.scope.loops > 1 or self.chance(0.5)
        writers = SIMPLE if simple else COMPOUND
        for _ in range(5):
            lines = self.random.choice(writers)(self)
            if lines is not None:
                return lines
        return [self.line(f"print({self.expression(INT)})")]

    def new_variable(self, kind: Kind, prefix: str = "x") -> list[str]:
        """Return the definition of a new variable."""
        name = self.name(prefix)
        if self.chance(0.2) and kind.name in ("list", "dict", "set"):
            value = {"list": "[]", "dict": "{}", "set": "set()"}[kind.name]
        elif kind.name == "optional" and self.chance(0.4):
            value = "None"
        else:
            value = self.expression(kind)
        has_type = kind.name in ("list", "dict", "set", "optional", "union", "object", "function")
        note = f": {kind.annotation}" if has_type or self.chance(0.3) else ""
        self.scope.variables[name] = kind
        return [self.line(f"{name}{note} = {value}")]

    def writable(self, *names: str) -> list[tuple[str, Kind]]:
        """Return the variables that a statement may change, of kinds of these names."""
        found = self.scope.variables.items()
        return [(n, k) for n, k in found if n not in self.scope.fixed and k.name in names]

    def wholly(self, make: "Callable[[StatementWriter], list[str]]", *fixed: str) -> list[str]:
        outer = self.scope
        self.scope = outer.inside(*fixed)
        lines = make(self)
        self.scope = outer
        return lines


Lines = list[str] | None
_Statement = Callable[[StatementWriter], Lines]


# ----------------------------------------------------------------------------------------- simple


def _define(w: StatementWriter) -> Lines:
    return w.new_variable(random_kind(w.random, w.declared))


def _assign(w: StatementWriter) -> Lines:
    found = w.writable("int", "float", "bool", "str", "list", "dict", "set", "tuple", "optional")
    if not found:
        return None
    name, kind = w.random.choice(found)
    if w.scope.loops and kind.name in ("list", "str", "tuple"):
        value = w.expression(kind)
        return [w.line(f"{name} = {value}{'' if kind.name == 'tuple' else '[:20]'}")]
    return [w.line(f"{name} = {w.expression(kind)}")]


def _augment(w: StatementWriter) -> Lines:
    found = w.writable("int", "float", "str", "list", "set", "dict", "bool")
    if not found:
        return None
    name, kind = w.random.choice(found)
    value = w.expression(kind)
    match kind.name:
        case "int":
            symbol = w.random.choice(("+", "-", "*", "//", "%", "|", "&", "^"))
        case "float":
            symbol = w.random.choice("+-*/")
        case "set":
            symbol = w.random.choice("|&-^")
        case "bool":
            symbol = w.random.choice("|&^")
        case "dict":
            symbol = "|"
        case _:
            symbol, value = "+", f"{value}[:4]"
    return [w.line(f"{name} {symbol}= {value}")]


def _put(w: StatementWriter) -> Lines:
    """A store to an item or to a slice."""
    found = w.writable("list", "dict")
    if not found:
        return None
    name, kind = w.random.choice(found)
    if kind.name == "list" and w.chance(0.3):
        if w.chance(0.5):
            return [w.line(f"{name}[{w.expression(INT, 0)}:2] = {w.expression(kind, 1)}[:3]")]
        return [w.line(f"del {name}[{slice_text(w, 0)}]")]
    key = w.expression(INT if kind.name == "list" else kind.parts[0], 1)
    if kind.parts[-1] == INT and w.chance(0.4):
        return [w.line(f"{name}[{key}] {w.random.choice('+-*')}= {w.expression(INT)}")]
    if w.chance(0.1):
        return [w.line(f"del {name}[{key}]")]
    return [w.line(f"{name}[{key}] = {w.expression(kind.parts[-1])}")]


_MUTATIONS: Mapping[str, tuple[str, ...]] = {
    "list": (
        *("append({item})", "append({item})", "insert({int}, {item})", "extend({same}[:3])"),
        *("pop()", "pop({int})", "reverse()", "clear()"),
    ),
    "set": ("add({item})", "discard({item})", "remove({item})", "update({same})"),
    "dict": (
        *("setdefault({item}, {value})", "pop({item})", "update({same})", "clear()", "popitem()"),
    ),
}


def _mutate(w: StatementWriter) -> Lines:
    found = w.writable("list", "set", "dict")
    if not found:
        return None
    name, kind = w.random.choice(found)
    form = w.random.choice(_MUTATIONS[kind.name])
    drawn = {"item": kind.parts[0], "value": kind.parts[-1], "same": kind, "int": INT}
    texts = {p: w.expression(k, 1) for p, k in drawn.items() if f"{{{p}}}" in form}
    return [w.line(f"{name}.{form.format(**texts)}")]


def _sort(w: StatementWriter) -> Lines:
    found = [(n, k) for n, k in w.writable("list") if is_ordered(k.parts[0])]
    if not found:
        return None
    name = w.random.choice(found)[0]
    return [w.line(f"{name}.sort({w.random.choice(('', 'reverse=True'))})")]


def _show(w: StatementWriter) -> Lines:
    kinds = [k for k in w.scope.variables.values() if k.name not in ("function", "object")]
    shown = [w.expression(w.random.choice([INT, STR, *kinds]), 1) for _ in range(2)]
    return [w.line(f"print({', '.join(shown)})")]


def _unpack(w: StatementWriter) -> Lines:
    kinds = [random_kind(w.random, w.declared, 0) for _ in range(2)]
    value = w.expression(tuple_of(*kinds))
    names = [w.name("u"), w.name("u")]
    w.scope.variables.update(zip(names, kinds, strict=True))
    return [w.line(f"{names[0]}, {names[1]} = {value}")]


def _swap(w: StatementWriter) -> Lines:
    found = w.writable("int", "str", "list")
    pairs = [(a, b) for a, k in found for b, m in found if a != b and k == m]
    if not pairs:
        return None
    first, second = w.random.choice(pairs)
    return [w.line(f"{first}, {second} = {second}, {first}")]


def _starred(w: StatementWriter) -> Lines:
    item = w.random.choice((INT, STR))
    value = w.expression(list_of(item))
    first, rest = w.name("u"), w.name("u")
    w.scope.variables.update({first: item, rest: list_of(item)})
    return [w.line(w.random.choice((f"{first}, *{rest} = {value}", f"*{rest}, {first} = {value}")))]


def _raise(w: StatementWriter) -> Lines:
    if w.scope.depth < 2:
        return None
    errors = w.declared.errors
    if errors and w.chance(0.6):
        chosen = w.random.choice(errors)
        return [w.line(f"raise {chosen.name}({w.arguments(chosen.parameters, 1)})")]
    return [w.line(f"raise {w.random.choice(_BUILT_IN)}({w.expression(STR, 1)})")]


def _leave(w: StatementWriter) -> Lines:
    scope = w.scope
    if scope.depth < 2 or scope.result is None:
        return None
    if scope.can_break and w.chance(0.6):
        return [w.line(w.random.choice(("break", "continue")))]
    if scope.is_generator:
        return [w.line("return")]
    return [w.line(f"return {w.expression(scope.result)}")]


def _yield(w: StatementWriter) -> Lines:
    if not w.scope.can_yield or w.scope.result is None:
        return None
    return [w.line(f"yield {w.expression(w.scope.result)}")]


def _assert(w: StatementWriter) -> Lines:
    return [w.line(f"assert {w.expression(BOOL)}, {w.expression(STR, 1)}")]


def _set_field(w: StatementWriter) -> Lines:
    found = [
        (name, field, held)
        for name, kind in w.scope.variables.items()
        if kind.name == "object" and not w.declared.classes[kind.owner].is_frozen
        for field, held in w.declared.classes[kind.owner].fields.items()
        if held.name != "object"
    ]
    if not found:
        return None
    name, field, held = w.random.choice(found)
    if held in (INT, FLOAT) and w.chance(0.5):
        return [w.line(f"{name}.{field} {w.random.choice('+-*')}= {w.expression(held)}")]
    if held.name == "list" and w.chance(0.7):
        return [w.line(f"{name}.{field}.append({w.expression(held.parts[0])})")]
    return [w.line(f"{name}.{field} = {w.expression(held)}{'[:20]' if held == STR else ''}")]


def _alias(w: StatementWriter) -> Lines:
    found = w.writable("list", "dict", "set")
    if not found:
        return None
    held, kind = w.random.choice(found)
    name = w.name("alias")
    w.scope.variables[name] = kind
    return [w.line(f"{name} = {held}")]


def _call_method(w: StatementWriter) -> Lines:
    for name, kind in w.scope.variables.items():
        methods = w.declared.classes[kind.owner].methods if kind.name == "object" else {}
        if methods and w.chance(0.6):
            call = w.call(w.random.choice(list(methods.values())), 1, f"{name}.")
            return None if call is None else [w.line(call)]
    return None


# --------------------------------------------------------------------------------------- compound


def _if(w: StatementWriter) -> Lines:
    lines = [w.line(f"if {w.expression(BOOL)}:"), *w.block(w.scope.inside(), 2)]
    if w.chance(0.3):
        lines += [w.line(f"elif {w.expression(BOOL)}:"), *w.block(w.scope.inside(), 1)]
    if w.chance(0.5):
        lines += [w.line("else:"), *w.block(w.scope.inside(), w.random.randint(1, 2))]
    return lines


def _narrow(w: StatementWriter) -> Lines:
    """A test of what may be absent, or of a union, and what is known behind it."""
    found = w.writable("optional", "union")
    if not found:
        return None
    name, kind = w.random.choice(found)
    inside, other = w.scope.inside(name), w.scope.inside(name)
    inside.variables[name] = kind.parts[0]
    other.variables.pop(name)
    test = f"isinstance({name}, {kind.parts[0].annotation})"
    if kind.name == "optional" and w.chance(0.7):
        test = f"{name} is not None"
    elif kind.name == "union":
        other.variables[name] = kind.parts[1]
    lines = [w.line(f"if {test}:"), *w.block(inside, 2)]
    return [*lines, w.line("else:"), *w.block(other, 1)] if w.chance(0.6) else lines


def _looping(w: StatementWriter, *fixed: str) -> Scope:
    scope = w.scope.inside(*fixed)
    scope.loops += 1
    scope.can_break = True
    return scope


def _with_else(w: StatementWriter, lines: list[str]) -> list[str]:
    if not w.chance(0.2):
        return lines
    return [*lines, w.line("else:"), *w.block(w.scope.inside(), 1)]


def _for(w: StatementWriter) -> Lines:
    source, kind = iterable(w, 1)
    if kind.name == "tuple" and w.chance(0.8):
        names = [w.name("i"), w.name("i")]
        target, bound = ", ".join(names), dict(zip(names, kind.parts, strict=True))
    else:
        target = w.name("i")
        bound = {target: kind}
    # What is looped over must not grow meanwhile.
    scope = _looping(w, *bound, *(n for n in w.scope.variables if n in source))
    held = {n for n, k in w.scope.variables.items() if k.name in ("list", "dict", "set")}
    if source.isidentifier():
        scope.fixed |= held  # which may be names of the same one
    scope.variables.update(bound)
    lines = [w.line(f"for {target} in {source}:"), *w.block(scope, w.random.randint(1, 3))]
    return _with_else(w, lines)


def _for_generated(w: StatementWriter) -> Lines:
    found = [f for f in w.declared.functions if f.is_generator]
    if not found:
        return None
    chosen = w.random.choice(found)
    call = w.call(chosen, 1)
    if call is None:
        return None
    name = w.name("i")
    scope = _looping(w, name)
    scope.variables[name] = chosen.result
    return _with_else(w, [w.line(f"for {name} in {call}:"), *w.block(scope, 2)])


def _while(w: StatementWriter) -> Lines:
    count = w.name("n")
    scope = _looping(w, count)
    scope.variables[count] = INT
    test = f"{count} < {w.random.randint(1, 4)}"
    if w.chance(0.5):
        test += f" and {w.expression(BOOL)}"
    lines = [w.line(f"{count} = 0"), w.line(f"while {test}:")]
    lines += [w.line(f"    {count} += 1"), *w.block(scope, 2)]
    return _with_else(w, lines)


def _try(w: StatementWriter) -> Lines:
    could_yield, w.scope.can_yield = w.scope.can_yield, False
    lines = _try_lines(w)
    w.scope.can_yield = could_yield
    return lines


def _try_lines(w: StatementWriter) -> list[str]:
    lines = [w.line("try:"), *w.block(w.scope.inside(), 2)]
    own = [c.name for c in w.declared.errors]
    has_handler = w.chance(0.85)
    if has_handler:
        caught = w.random.sample([*own, *own, *_CAUGHT], 2)
        form = f"({', '.join(caught)})" if w.chance(0.3) else caught[0]
        error = w.name("e")
        lines += _handler(w, form, error, caught[0] if form == caught[0] else "")
        if w.chance(0.3):
            lines += _handler(w, "Exception", w.name("e"), "")
        if w.chance(0.3):
            lines += [w.line("else:"), *w.block(w.scope.inside(), 1)]
    if not has_handler or w.chance(0.3):
        lines += [w.line("finally:"), *_finally(w)]
    return lines


def _finally(w: StatementWriter) -> list[str]:
    scope = w.scope.inside()
    if w.chance(0.8):
        scope.can_break, scope.result = False, None
    return w.block(scope, 1)


def _handler(w: StatementWriter, form: str, name: str, owner: str) -> list[str]:
    scope = w.scope.inside(name)
    lines = [w.line(f"except {form} as {name}:")]
    indent = w.line("    ")
    fields = w.declared.classes[owner].fields if owner in w.declared.classes else {}
    for field in list(fields)[:1]:
        lines.append(f"{indent}print({name}.{field})")
    lines.append(f"{indent}print(type({name}).__name__, {name})")
    lines += w.block(scope, 1)
    if w.chance(0.15):
        lines.append(
            indent + w.random.choice(("raise", f"raise RuntimeError(str({name})) from {name}"))
        )
    return lines


def _match(w: StatementWriter) -> Lines:
    kind = w.random.choice((INT, STR, tuple_of(INT, STR), list_of(INT)))
    lines = [w.line(f"match {w.expression(kind)}:")]
    outer = w.scope
    for _ in range(w.random.randint(1, 3)):
        w.scope = _sealed_in(outer)
        pattern, bound = _pattern(w, kind)
        w.scope.variables.update(bound)
        guard = f" if {w.expression(BOOL, 1)}" if w.chance(0.3) else ""
        lines.append(w.line(f"case {pattern}{guard}:"))
        lines += w.block(w.scope.inside(), 1)
    w.scope = _sealed_in(outer)
    lines += [w.line("case _:"), *w.block(w.scope.inside(), 1)]
    w.scope = outer
    return lines


_Pattern = tuple[str, dict[str, Kind]]


def _pattern(w: StatementWriter, kind: Kind) -> _Pattern:
    """Draw a pattern for values of a type, and the variables that it binds."""
    name = w.name("m")
    choices: list[_Pattern]
    match kind.name:
        case "int":
            choices = [("0 | 1", {}), ("-1", {}), (f"int({name})", {name: INT}), ("2 | 5", {})]
        case "str":
            choices = [('"a" | "abc"', {}), ('""', {}), (f"str() as {name}", {name: STR})]
        case "tuple":
            choices = [(f"({name}, 'a')", {name: INT}), (f"(0, {name})", {name: STR})]
        case _:
            choices = [
                ("[]", {}),
                (f"[{name}]", {name: INT}),
                (f"[1, *{name}]", {name: list_of(INT)}),
                (f"[{name}, _, *_]", {name: INT}),
            ]
    return w.random.choice(choices)


def _closure(w: StatementWriter) -> Lines:
    """A nested function, which may change variables of the enclosing one."""
    if w.scope.depth > 2 or w.scope.loops:
        return None
    name = w.name("inner")
    kinds = [random_kind(w.random, w.declared, 0) for _ in range(w.random.randint(0, 2))]
    result = random_kind(w.random, w.declared, 1)
    parameters = [w.name("q") for _ in kinds]
    outer, w.scope = w.scope, w.scope.inside()
    changed = [n for n, _ in w.writable("int", "str", "list") if w.chance(0.4)]
    scope = w.scope
    scope.fixed = {n for n in outer.variables if n not in changed}
    scope.variables.update(zip(parameters, kinds, strict=True))
    scope.result, scope.is_generator, scope.can_break = result, False, False
    scope.can_yield = False
    lines = [w.line(f"nonlocal {', '.join(changed)}")] if changed else []
    for _ in range(w.random.randint(0, 2)):
        lines += w.statement()
    lines.append(w.line(f"return {w.expression(result)}"))
    w.scope = outer
    typed = ", ".join(f"{n}: {k.annotation}" for n, k in zip(parameters, kinds, strict=True))
    w.scope.variables[name] = function_of(result, *kinds)
    w.scope.fixed.add(name)
    return [w.line(f"def {name}({typed}) -> {result.annotation}:"), *lines]


def _sealed(w: StatementWriter, *fixed: str) -> Scope:
    return _sealed_in(w.scope, *fixed)


def _sealed_in(outer: Scope, *fixed: str) -> Scope:
    """Return the scope of a block in which generators do not yield."""
    scope = outer.inside(*fixed)
    scope.can_yield = False
    return scope


def _with(w: StatementWriter) -> Lines:
    managers = [c.name for c in w.declared.plain if "__exit__" in c.methods]
    if w.chance(0.4) or not managers:
        text = f"contextlib.suppress({w.random.choice(_CAUGHT)})"
        return [w.line(f"with {text}:"), *w.block(_sealed(w), 2)]
    owner = w.declared.classes[w.random.choice(managers)]
    name = w.name("c")
    text = f"{owner.name}({w.arguments(owner.parameters, 1)})"
    scope = _sealed(w, name)
    scope.variables[name] = Kind("object", owner=owner.name)
    return [w.line(f"with {text} as {name}:"), *w.block(scope, 2)]


def _function_value(w: StatementWriter) -> Lines:
    kind = function_of(w.random.choice((INT, STR, BOOL)), w.random.choice((INT, STR)))
    name = w.name("f")
    value = w.lambda_of(kind, 1)
    found: list[Function] = [
        f
        for f in w.declared.functions
        if not f.is_generator and (f.result, *(k for _, k in f.parameters)) == kind.parts
    ]
    if found and w.chance(0.5):
        value = w.random.choice(found).name
    w.scope.variables[name] = kind
    w.scope.fixed.add(name)
    return [w.line(f"{name} = {value}")]


SIMPLE: tuple[_Statement, ...] = (
    *(_define, _define, _assign, _assign, _augment, _augment, _put, _put, _mutate, _mutate),
    *(_show, _unpack, _swap, _starred, _raise, _leave, _yield, _yield, _assert, _set_field),
    *(_set_field, _alias, _call_method, _sort, _function_value),
)
COMPOUND: tuple[_Statement, ...] = (
    *(_if, _if, _narrow, _narrow, _for, _for, _for, _for_generated, _while, _try, _try, _match),
    *(_closure, _with),
)
