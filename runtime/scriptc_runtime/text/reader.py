"""IR text to IR: any text gives a module or a LoadError that names the line.

The form is that of `grammar/ir.lark`: what `writer` writes, with comments and blank lines.
Types of results are inferred and compared with the ones written; all other rules of a module are
for `verify`.  A file may come from a stranger, so its size, nesting and numbers have limits.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from scriptc_runtime.errors import Source
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
    Role,
    Target,
    Value,
    View,
    Weight,
    WeightRef,
)
from scriptc_runtime.ops import OPS
from scriptc_runtime.ops.control import EXIT
from scriptc_runtime.ops.opdef import Attr, OpDef, OpTypeError, Trait
from scriptc_runtime.ops.signature import result_types
from scriptc_runtime.text.tokens import MAX_LINE, MAX_TEXT, Cursor
from scriptc_runtime.text.type_names import read_attr, read_type
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.types import Type, assignable

MAX_DEPTH = 100
# What is read in a few seconds.
MAX_INSTRUCTIONS = 100_000
MAX_VALUE_DEPTH = 20
# Of lines and columns: tracebacks keep them as 32 bits, and add to them.
MAX_PLACE = 2**30
_Item = TypeVar("_Item")
_Declaration = TypeVar("_Declaration", Function, ClassDecl, Weight, ObjectDecl)


def read_module(text: str, file: str = "module.ir", *, most: int = MAX_INSTRUCTIONS) -> Module:
    """Return the module that `text` spells, of `most` instructions.  Raises LoadError."""
    return _Reader(Source(file, text), most).module()


class _Reader:
    def __init__(self, source: Source, most: int) -> None:
        self._source = source
        self._most = most
        self._offset = 0
        self._instructions = 0
        self._functions: dict[str, Function] = {}
        self._classes: dict[str, ClassDecl] = {}
        self._weights: dict[str, Weight] = {}
        self._objects: dict[str, ObjectDecl] = {}
        self._entries: list[Entry] = []

    def module(self) -> Module:
        if len(self._source.text) > MAX_TEXT:
            Cursor(self._source, 0, "").too_large(f"a text of over {MAX_TEXT} characters")
        rules: Mapping[str, Callable[[Cursor], None]] = {
            "enum": self._enum,
            "class": self._class,
            "weight": self._weight,
            "object": self._object,
            "func": self._func,
            "entry": self._entry,
        }
        while line := self._line():
            rule = rules.get(line.text)
            if rule is None:
                line.syntax_error("a declaration")
            line.take("name")
            rule(line)
            line.take("end")
        return Module(
            self._functions, self._classes, self._weights, self._objects, tuple(self._entries)
        )

    def _line(self) -> Cursor | None:
        """Return the next line that has tokens."""
        text = self._source.text
        while self._offset < len(text):
            start = self._offset
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            self._offset = end + 1
            if end - start > MAX_LINE:
                Cursor(self._source, start, "").too_large(f"a line of over {MAX_LINE} characters")
            cursor = Cursor(self._source, start, text[start:end])
            if cursor.kind != "end":
                return cursor
        return None

    def next_line(self, after: Cursor) -> Cursor:
        """Return the next line inside the block that `after` stands in."""
        line = self._line()
        if line is None:
            after.syntax_error("a line, and `}` after it,")
        return line

    def count_instruction(self, line: Cursor) -> None:
        self._instructions += 1
        if self._instructions > self._most:
            line.too_large(f"more than {self._most} instructions")

    def _enum(self, line: Cursor) -> None:
        line.meaning_error("`enum` is a word kept for a later format")

    def _class(self, line: Cursor) -> None:
        name = line.symbol()
        base = line.symbol() if line.accept(":") else None
        line.expect("{")
        fields = _items(line, "}", _typed_name)
        _declare(self._classes, ClassDecl(name, fields, base), line)

    def _weight(self, line: Cursor) -> None:
        name = line.symbol()
        line.expect(":")
        type_ = read_type(line)
        view = _view(line) if line.accept("=") else None
        _declare(self._weights, Weight(name, type_, view), line)

    def _object(self, line: Cursor) -> None:
        name = line.symbol()
        for mark in (":", "class", "<"):
            line.expect(mark)
        class_name = line.dotted()
        for mark in (">", "("):
            line.expect(mark)
        fields = _items(line, ")", _object_field)
        _declare(self._objects, ObjectDecl(name, class_name, fields), line)

    def _entry(self, line: Cursor) -> None:
        name = line.string()
        line.expect("=")
        function = line.symbol()
        owner: str | None = None
        captures: tuple[str, ...] = ()
        if line.accept("object"):
            line.expect("=")
            owner = line.symbol()
        if line.accept("captures"):
            line.expect("=")
            line.expect("(")
            captures = _items(line, ")", Cursor.symbol)
        self._entries.append(Entry(name, function, owner, captures))

    def _func(self, line: Cursor) -> None:
        _declare(self._functions, _FunctionReader(self, line).function(), line)


class _FunctionReader:
    def __init__(self, reader: _Reader, line: Cursor) -> None:
        self._reader = reader
        self._head = line
        self._values: dict[str, Value] = {}
        self._labels: dict[str, Label] = {"return": Label()}

    def function(self) -> Function:
        line = self._head
        role = next((r for r in Role if r.value and line.accept(r.value)), Role.SCRIPT)
        name = line.symbol()
        line.expect("(")
        params = _items(line, ")", self._define)
        line.expect("->")
        result = read_type(line)
        given = self._given(line)
        file = ""
        if line.accept("file"):
            line.expect("=")
            file = line.string()
        loc = _loc(line)
        line.expect("{")
        body, end = self._block(line, (), 1)
        # The caller looks for the end of the head; the body's end is looked for here.
        end.take("end")
        label = self._labels["return"]
        return Function(name, params, result, body, label, loc, file, given, role)

    def _given(self, line: Cursor) -> Given:
        dense: tuple[Value, ...] = ()
        if line.accept("dense"):
            line.expect("(")
            dense = _items(line, ")", self._use)
        apart: list[tuple[Value, Value]] = []
        while line.accept("apart"):
            line.expect("(")
            first = self._use(line)
            line.expect(",")
            apart.append((first, self._use(line)))
            line.expect(")")
        several: list[tuple[Value, int]] = []
        while line.accept("several"):
            line.expect("(")
            array = self._use(line)
            line.expect(",")
            several.append((array, line.integer()))
            line.expect(")")
        return Given(dense, tuple(apart), tuple(several))

    def _block(self, head: Cursor, params: tuple[Value, ...], depth: int) -> tuple[Block, Cursor]:
        """Read lines up to a `}`; return the block and the rest of that line."""
        head.take("end")
        if depth > MAX_DEPTH:
            head.meaning_error(f"blocks are more than {MAX_DEPTH} deep")
        body: list[Instr] = []
        line = self._reader.next_line(head)
        while not line.accept("}"):
            self._reader.count_instruction(line)
            body.append(self._instr(line, depth))
            line = self._reader.next_line(line)
        return Block(params, tuple(body)), line

    def _instr(self, line: Cursor, depth: int) -> Instr:
        names = self._results(line)
        op = self._op(line)
        label, target = self._label(line, op)
        operands = self._operands(line)
        attrs = dict(_attrs(line))
        types: tuple[Type, ...] = ()
        if line.accept(":"):
            types = _list(line, read_type)
        cleanup: tuple[Value, ...] = ()
        if line.accept("cleanup"):
            line.expect("(")
            cleanup = _items(line, ")", self._use)
        loc = _loc(line)
        if len(types) != len(names):
            line.meaning_error(f"{len(names)} results and {len(types)} types")
        inferred = _infer(line, op, operands, attrs)
        # What a region's exits carry is for the verifier.
        if Trait.REGION not in op.traits:
            _compare(line, op, inferred, types)
        results = tuple(map(self._new, names, types, [line] * len(names)))
        blocks = self._blocks(line, depth)
        return Instr(op, operands, attrs, results, loc, blocks, label, target, cleanup)

    def _results(self, line: Cursor) -> tuple[str, ...]:
        if line.kind != "value":
            return ()
        names = _list(line, lambda cursor: cursor.take("value"))
        line.expect("=")
        return names

    def _op(self, line: Cursor) -> OpDef:
        name = line.take("name")
        op = OPS.get(name)
        if op is None:
            line.meaning_error(f"there is no op {name}", line.place - 1)
        return op

    def _label(self, line: Cursor, op: OpDef) -> tuple[Label | None, Target | None]:
        if line.kind != "symbol":
            return None, None
        name = line.symbol()
        if op is not EXIT:
            if name in self._labels:
                line.meaning_error(f"@{name} is there already", line.place - 1)
            self._labels[name] = Label()
            return self._labels[name], None
        base = name.removesuffix(".next")
        if base not in self._labels:
            line.meaning_error(f"there is no label @{base}", line.place - 1)
        return None, Target(self._labels[base], base != name)

    def _operands(self, line: Cursor) -> tuple[Value, ...]:
        return _list(line, self._use) if line.kind == "value" else ()

    def _blocks(self, line: Cursor, depth: int) -> tuple[Block, ...]:
        blocks: list[Block] = []
        while line.accept("{"):
            params = _items(line, ")", self._define) if line.accept("(") else ()
            block, line = self._block(line, params, depth + 1)
            blocks.append(block)
        line.take("end")
        return tuple(blocks)

    def _use(self, line: Cursor) -> Value:
        name = line.take("value")
        value = self._values.get(name)
        if value is None:
            line.meaning_error(f"{name} is not defined", line.place - 1)
        return value

    def _define(self, line: Cursor) -> Value:
        name = line.take("value")
        line.expect(":")
        return self._new(name, read_type(line), line)

    def _new(self, name: str, type_: Type, line: Cursor) -> Value:
        if name in self._values:
            line.meaning_error(f"{name} is defined already")
        plain = name[1:]
        self._values[name] = Value(type_, plain if plain.isidentifier() else "")
        return self._values[name]


def _infer(
    line: Cursor, op: OpDef, operands: tuple[Value, ...], attrs: Mapping[str, Attr]
) -> tuple[Type, ...]:
    try:
        return result_types(op, [v.type for v in operands], attrs)
    except OpTypeError as error:
        line.meaning_error(str(error))


def _compare(
    line: Cursor, op: OpDef, inferred: tuple[Type, ...], declared: tuple[Type, ...]
) -> None:
    """Refuse declared result types that the op's rule does not give."""
    fits = len(inferred) == len(declared) and all(map(assignable, inferred, declared))
    if not fits:
        found = ", ".join(map(ir_text, inferred)) or "nothing"
        line.meaning_error(f"{op.name} gives {found}")


def _declare(table: dict[str, _Declaration], item: _Declaration, line: Cursor) -> None:
    if item.name in table:
        line.meaning_error(f"@{item.name} is declared already")
    table[item.name] = item


def _list(line: Cursor, read: Callable[[Cursor], _Item]) -> tuple[_Item, ...]:
    """Take one item or more."""
    items = [read(line)]
    while line.accept(","):
        items.append(read(line))
    return tuple(items)


def _items(line: Cursor, end: str, read: Callable[[Cursor], _Item]) -> tuple[_Item, ...]:
    """Take items up to the mark `end`, and that."""
    items = () if line.at(end) else _list(line, read)
    line.expect(end)
    return items


def _typed_name(line: Cursor) -> tuple[str, Type]:
    name = line.take("name")
    line.expect(":")
    return name, read_type(line)


def _view(line: Cursor) -> View:
    weight = line.symbol()
    attrs = dict(_attrs(line))
    offset, strides = attrs.get("offset"), attrs.get("strides")
    if attrs.keys() != {"offset", "strides"} or not isinstance(strides, tuple):
        line.meaning_error("a view has an offset and strides")
    if not all(type(number) is int for number in (offset, *strides)):
        line.meaning_error("the offset and the strides of a view are ints")
    return View(weight, cast(int, offset), cast("tuple[int, ...]", strides))


def _object_field(line: Cursor) -> tuple[str, FieldValue]:
    name = line.take("name")
    line.expect("=")
    return name, _value(line, 0)


def _value(line: Cursor, depth: int) -> FieldValue:
    if depth > MAX_VALUE_DEPTH:
        line.meaning_error(f"more than {MAX_VALUE_DEPTH} levels inside one another")
    if line.kind == "symbol":
        return WeightRef(line.symbol())
    if line.accept("object"):
        return ObjectRef(line.symbol())
    if line.accept("["):
        return ListValue(_items(line, "]", lambda inner: _value(inner, depth + 1)))
    if line.accept("("):
        return _tuple(line, depth)
    value = read_attr(line)
    if value is None or isinstance(value, bool | int | float | complex | str):
        return value
    line.meaning_error("this is no constant")


def _tuple(line: Cursor, depth: int) -> tuple[FieldValue, ...]:
    items: list[FieldValue] = []
    while not line.accept(")"):
        items.append(_value(line, depth + 1))
        if not line.accept(","):
            line.expect(")")
            # A comma makes the tuple, as in Python.
            if len(items) == 1:
                line.meaning_error("a tuple of one item ends in a comma")
            break
    return tuple(items)


def _attrs(line: Cursor) -> tuple[tuple[str, Attr], ...]:
    if not line.accept("["):
        return ()
    pairs = _list(line, _attr)
    line.expect("]")
    if len({name for name, _ in pairs}) < len(pairs):
        line.meaning_error("an attribute stands twice")
    return pairs


def _attr(line: Cursor) -> tuple[str, Attr]:
    name = line.take("name")
    line.expect("=")
    return name, read_attr(line)


def _loc(line: Cursor) -> Loc:
    """Take `loc(line:column in @function at ...)`, innermost place first."""
    if not line.accept("loc"):
        return NOWHERE
    line.expect("(")
    places = [_place(line)]
    while line.accept("at"):
        if len(places) == MAX_DEPTH:
            line.meaning_error(f"a place of more than {MAX_DEPTH} calls")
        places.append(_place(line))
    line.expect(")")
    loc: Loc | None = None
    for row, column, function in reversed(places):
        loc = Loc(row, column, function, loc)
    assert loc is not None  # there is at least one place
    return loc


def _place(line: Cursor) -> tuple[int, int, str]:
    start = line.place
    row = line.integer()
    line.expect(":")
    column = line.integer()
    if not (0 <= row <= MAX_PLACE and 0 <= column <= MAX_PLACE):
        line.meaning_error(f"no line or column of a file is over {MAX_PLACE}", start)
    return row, column, line.symbol() if line.accept("in") else ""
