"""Random classes: plain ones with bases, dataclasses, enumerations, exceptions, managers."""

from tests.support.language.kinds import (
    BOOL,
    FLOAT,
    INT,
    STR,
    Class,
    Function,
    Kind,
    Scope,
    list_of,
    object_of,
    random_kind,
)
from tests.support.language.statements import StatementWriter


def write_classes(w: StatementWriter) -> list[str]:
    """Return the texts of a few classes, and declare them."""
    parts: list[str] = []
    if w.chance(0.3):
        parts.append(_enumeration(w))
    if w.chance(0.5):
        parts += _errors(w)
    for _ in range(w.random.randint(0, 2)):
        parts.append(w.random.choice((_dataclass, _plain, _plain))(w, None))
        if w.chance(0.5) and not w.declared.plain[-1].is_frozen:
            parts.append(_derived(w, w.declared.plain[-1]))
    if w.chance(0.25):
        parts.append(_manager(w))
    return parts


def _enumeration(w: StatementWriter) -> str:
    name = w.name("Color")
    members = ["RED", "GREEN", "BLUE"][: w.random.randint(1, 3)]
    w.declared.enums[name] = members
    base = w.random.choice(("enum.Enum", "enum.IntEnum"))
    lines = [f"class {name}({base}):"]
    lines += [f"    {member} = {number + 1}" for number, member in enumerate(members)]
    return "\n".join([*lines, ""])


def _errors(w: StatementWriter) -> list[str]:
    name = w.name("Failure")
    built_in = w.random.choice(("Exception", "ValueError", "LookupError", "RuntimeError"))
    if w.chance(0.5):
        parameters = (("code", INT), ("note", STR))
        text = (
            f"class {name}({built_in}):\n"
            "    def __init__(self, code: int, note: str):\n"
            '        super().__init__(f"{note}: {code}")\n'
            "        self.code = code\n"
        )
        base = Class(name, {"code": INT}, parameters, is_error=True)
    else:
        text = f"class {name}({built_in}):\n    pass\n"
        base = Class(name, {}, (("note", STR),), is_error=True)
    # Arguments of exceptions have no names of their own where there is no `__init__`.
    base.parameters = base.parameters if base.fields else ()
    w.declared.classes[name] = base
    if not w.chance(0.6):
        return [text]
    derived = w.name("Failure")
    w.declared.classes[derived] = Class(
        derived, base.fields, base.parameters, base=base, is_error=True
    )
    return [text, f"class {derived}({name}):\n    pass\n"]


def _fields(w: StatementWriter) -> dict[str, Kind]:
    kinds = (INT, INT, FLOAT, STR, BOOL, list_of(INT), list_of(STR))
    return {w.name("f"): w.random.choice(kinds) for _ in range(w.random.randint(1, 3))}


def _method(w: StatementWriter, owner: Class, name: str = "", like: Function | None = None) -> str:
    """A method of a class; `like` is the one that it overrides."""
    if like is None:
        parameters = tuple((w.name("a"), random_kind(w.random, w.declared, 1)) for _ in range(1))
        like = Function(name or w.name("method"), parameters, random_kind(w.random, w.declared, 1))
    w.budget = 0  # methods that override one another would call each other without end
    w.scope = Scope(
        {**dict(like.parameters), "self": object_of(owner.name)}, {"self"}, 2, result=like.result
    )
    typed = "".join(f", {n}: {k.annotation}" for n, k in like.parameters)
    lines = [f"    def {like.name}(self{typed}) -> {like.result.annotation}:"]
    lines += [line for _ in range(w.random.randint(0, 2)) for line in w.statement()]
    base = owner.base
    if base is not None and like.name in base.methods and w.chance(0.5):
        again = w.name("s")
        names = ", ".join(n for n, _ in like.parameters)
        lines.append(f"        {again} = super().{like.name}({names})")
        w.scope.variables[again] = like.result
    lines.append(f"        return {w.expression(like.result)}")
    owner.methods[like.name] = like
    return "\n".join([*lines, ""])


def _plain(w: StatementWriter, base: Class | None) -> str:
    name = w.name("Thing")
    own = _fields(w)
    inherited = dict(base.parameters) if base is not None else {}
    fields = {**(base.fields if base is not None else {}), **own}
    owner = Class(name, fields, tuple({**inherited, **own}.items()), base=base)
    owner.methods = dict(base.methods) if base is not None else {}
    lines = [f"class {name}({base.name}):" if base is not None else f"class {name}:"]
    typed = "".join(f", {n}: {k.annotation}" for n, k in owner.parameters)
    lines.append(f"    def __init__(self{typed}):")
    if base is not None:
        lines.append(f"        super().__init__({', '.join(inherited)})")
    lines += [f"        self.{n}: {k.annotation} = {n}" for n, k in own.items()]
    parts = ["\n".join([*lines, ""])]
    overridden = [m for m in owner.methods.values() if w.chance(0.6) and m.name[0] != "_"]
    # The methods are compiled with the class, so it is declared before they are drawn.
    w.declared.classes[name] = owner
    parts += [_method(w, owner, like=method) for method in overridden]
    parts += [_method(w, owner) for _ in range(w.random.randint(0, 2))]
    if base is None and w.chance(0.4):
        parts.append(_shown(w, owner))
    return "\n".join(parts)


def _shown(w: StatementWriter, owner: Class) -> str:
    names = " ".join(f"{{self.{n}}}" for n in owner.fields)
    return f'    def __repr__(self) -> str:\n        return f"{owner.name}({names})"\n'


def _derived(w: StatementWriter, base: Class) -> str:
    return _plain(w, base)


def _dataclass(w: StatementWriter, base: Class | None) -> str:
    name = w.name("Data")
    fields = _fields(w)
    is_frozen, has_order = w.chance(0.3), w.chance(0.3)
    owner = Class(name, fields, tuple(fields.items()), is_frozen=True, has_order=has_order)
    options = [o for o, is_on in (("frozen", is_frozen), ("order", has_order)) if is_on]
    owner.is_frozen = is_frozen
    settings = f"({', '.join(f'{o}=True' for o in options)})" if options else ""
    lines = [f"@dataclass{settings}", f"class {name}:"]
    lines += [f"    {n}: {k.annotation}" for n, k in fields.items()]
    w.declared.classes[name] = owner
    parts = ["\n".join([*lines, ""])]
    parts += [_method(w, owner) for _ in range(w.random.randint(0, 1))]
    owner.is_frozen = True if base is None and is_frozen else owner.is_frozen
    return "\n".join(parts)


def _manager(w: StatementWriter) -> str:
    name = w.name("Manager")
    owner = Class(name, {"entered": INT}, (("entered", INT),))
    owner.methods["__exit__"] = Function("__enter__", (), object_of(name))
    w.declared.classes[name] = owner
    drops = w.random.choice(("False", "True", "self.entered > 2", "kind is not None"))
    return (
        f"class {name}:\n"
        "    def __init__(self, entered: int):\n"
        "        self.entered = entered\n\n"
        f'    def __enter__(self) -> "{name}":\n'
        '        print("in", self.entered)\n'
        "        self.entered += 1\n"
        "        return self\n\n"
        "    def __exit__(self, kind, error, traceback) -> bool:\n"
        '        print("out", self.entered, kind is None)\n'
        f"        return {drops}\n"
    )
