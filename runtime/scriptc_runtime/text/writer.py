"""IR to text, in the one canonical form that `reader` reads back.

One instruction per line; function parameters keep their names, other values are numbered in
order of definition, labels by the op they belong to.
"""

from collections.abc import Iterator

from scriptc_runtime.ir import (
    NOWHERE,
    Block,
    ClassDecl,
    Entry,
    FieldValue,
    Function,
    Given,
    Instr,
    Label,
    ListValue,
    Loc,
    Module,
    ObjectDecl,
    ObjectRef,
    Value,
    Weight,
    WeightRef,
)
from scriptc_runtime.plain_json import write_json
from scriptc_runtime.text.attributes import attr_text
from scriptc_runtime.text.type_text import ir_text

Names = dict[Value | Label, str]


def write_module(module: Module, *, locations: bool = True) -> str:
    """Return the whole module as text, ending in a newline."""
    declarations = [
        *map(_class_text, module.classes.values()),
        *map(_weight_text, module.weights.values()),
        *(_object_text(o) for o in module.objects.values()),
    ]
    functions = [write_function(f, locations=locations) for f in module.functions.values()]
    entries = [_entry_text(e) for e in module.entries]
    parts = ["\n".join(declarations), *functions, "\n".join(entries)]
    return "\n\n".join(part for part in parts if part) + "\n"


def write_function(
    function: Function, *, locations: bool = True, names: Names | None = None
) -> str:
    """Return one function as text.

    A caller that passes the same `names` again keeps the numbers of values it has seen, so a
    diff of two dumps shows only what changed.
    """
    writer = _Writer({} if names is None else names, locations)
    return "\n".join(writer.function(function))


def instr_text(instr: Instr, names: Names | None = None) -> str:
    """Return the line of one instruction, without its blocks."""
    writer = _Writer({} if names is None else names, False)
    return next(writer.instr(instr, ""))


def _symbol(name: str) -> str:
    return f"@{name}"


def _class_text(declared: ClassDecl) -> str:
    inner = ", ".join(f"{field}: {ir_text(type_)}" for field, type_ in declared.fields)
    base = f" : {_symbol(declared.base)}" if declared.base else ""
    return f"class {_symbol(declared.name)}{base} {{{inner}}}"


def _weight_text(weight: Weight) -> str:
    text = f"weight {_symbol(weight.name)} : {ir_text(weight.type)}"
    if weight.view is None:
        return text
    place = f"[offset={weight.view.offset}, strides={attr_text(weight.view.strides)}]"
    return f"{text} = {_symbol(weight.view.weight)} {place}"


def _object_text(decl: ObjectDecl) -> str:
    fields = ", ".join(f"{name}={_value_text(value)}" for name, value in decl.fields)
    return f"object {_symbol(decl.name)} : class<{decl.class_name}> ({fields})"


def _value_text(value: FieldValue) -> str:
    match value:
        case WeightRef(name):
            return _symbol(name)
        case ObjectRef(name):
            return f"object {_symbol(name)}"
        case ListValue(items):
            return f"[{', '.join(map(_value_text, items))}]"
        case tuple():
            return f"({', '.join(map(_value_text, value))}{',' if len(value) == 1 else ''})"
        case _:
            return attr_text(value)


def _entry_text(entry: Entry) -> str:
    owner = f" object={_symbol(entry.object)}" if entry.object else ""
    captures = ", ".join(map(_symbol, entry.captures))
    tail = f" captures=({captures})" if entry.captures else ""
    return f"entry {write_json(entry.name)} = {_symbol(entry.function)}{owner}{tail}"


class _Writer:
    def __init__(self, names: Names, locations: bool) -> None:
        self._names = names
        self._locations = locations
        self._values = sum(isinstance(key, Value) and n[1:].isdigit() for key, n in names.items())
        self._labels = sum(isinstance(key, Label) and n != "@return" for key, n in names.items())

    def function(self, function: Function) -> Iterator[str]:
        taken: set[str] = set()
        for param in function.params:
            # A parameter that a pass made up has no name, or one that another has already.
            if param.name.isidentifier() and param.name not in taken:
                self._names[param] = f"%{param.name}"
            taken.add(param.name)
        self._names[function.label] = "@return"
        params = ", ".join(f"{self._name(p)}: {ir_text(p.type)}" for p in function.params)
        file = f" file={write_json(function.file)}" if function.file and self._locations else ""
        loc = self._loc(function.loc)
        result = ir_text(function.result) + self._given(function.given)
        role = f"{function.role.value} " if function.role.value else ""
        yield f"func {role}{_symbol(function.name)}({params}) -> {result}{file}{loc} {{"
        yield from self._body(function.body, "  ")
        yield "}"

    def _given(self, given: Given) -> str:
        dense = f" dense({', '.join(map(self._name, given.dense))})" if given.dense else ""
        pairs = (f" apart({self._name(a)}, {self._name(b)})" for a, b in given.apart)
        axes = (f" several({self._name(array)}, {axis})" for array, axis in given.several)
        return "".join((dense, *pairs, *axes))

    def _body(self, block: Block, indent: str) -> Iterator[str]:
        for instr in block.body:
            yield from self.instr(instr, indent)

    def instr(self, instr: Instr, indent: str) -> Iterator[str]:
        # A region's label and results are named before its blocks, as they stand before them.
        results = ", ".join(self._name(v) for v in instr.results)
        line = f"{indent}{results} = {instr.op.name}" if results else indent + instr.op.name
        if instr.label:
            line += f" {self._label(instr.label)}"
        if instr.target:
            line += f" {self._label(instr.target.label)}{'.next' if instr.target.next else ''}"
        if instr.operands:
            line += f" {', '.join(map(self._name, instr.operands))}"
        if instr.attrs:
            line += f" [{', '.join(f'{k}={attr_text(v)}' for k, v in instr.attrs.items())}]"
        if instr.results:
            line += f" : {', '.join(ir_text(v.type) for v in instr.results)}"
        if instr.cleanup:
            line += f" cleanup({', '.join(map(self._name, instr.cleanup))})"
        line += self._loc(instr.loc)
        if not instr.blocks:
            yield line
            return
        for number, block in enumerate(instr.blocks):
            params = ", ".join(f"{self._name(p)}: {ir_text(p.type)}" for p in block.params)
            opening = f"{{({params})" if block.params else "{"
            yield f"{line} {opening}" if number == 0 else f"{indent}}} {opening}"
            yield from self._body(block, indent + "  ")
        yield f"{indent}}}"

    def _name(self, value: Value) -> str:
        if value not in self._names:
            self._names[value] = f"%{self._values}"
            self._values += 1
        return self._names[value]

    def _label(self, label: Label) -> str:
        if label not in self._names:
            self._names[label] = f"@L{self._labels}"
            self._labels += 1
        return self._names[label]

    def _loc(self, loc: Loc) -> str:
        return f" loc({_loc_text(loc)})" if self._locations and loc is not NOWHERE else ""


def _loc_text(loc: Loc) -> str:
    text = f"{loc.line}:{loc.column}"
    if loc.function:
        text += f" in @{loc.function}"
    return f"{text} at {_loc_text(loc.caller)}" if loc.caller else text
