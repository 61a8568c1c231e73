"""The object of a generator: its fields, and code that reads and writes them."""

from collections.abc import Mapping, Sequence

from scriptc.check.generator_classes import FRESH, OVER, STATE, field_of
from scriptc.check.size_names import without_sizes
from scriptc_runtime.ir import NOWHERE, Block, Builder, Label, Loc, Value, make
from scriptc_runtime.ops import control, data, elementwise
from scriptc_runtime.ops.opdef import Attr, OpDef
from scriptc_runtime.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    STR,
    CellType,
    ClassType,
    DType,
    OptionalType,
    Type,
    assignable,
)

_ZEROS: Mapping[Type, object] = {INT: 0, FLOAT: 0.0, BOOL: False, COMPLEX: 0j, STR: ""}


class FieldError(Exception):
    """What a generator cannot keep while it waits."""


class Frame:
    """The object of a generator while its functions are written."""

    def __init__(self, class_name: str) -> None:
        self.object = Value(ClassType(class_name), "generator")
        self.builder = Builder()
        self.loc: Loc = NOWHERE
        self._class_name = class_name
        self._names: dict[Value, str] = {}
        self._types: dict[str, Type] = {STATE: INT}

    def types(self) -> Mapping[str, Type]:
        """Return the fields, with their types."""
        return self._types

    def field(self, value: Value) -> None:
        """Give a value a field of its own."""
        if value in self._names:
            return
        kept = without_sizes(value.type)
        if not assignable(kept, value.type):
            raise FieldError("an array that is no variable")
        name = f"kept{len(self._names)}"
        self._names[value] = name
        self._types[name] = field_of(kept)

    def named(self, name: str, type_: Type) -> Value:
        """Return what stands for the value of a field with a name of its own."""
        value = Value(type_, name)
        self._names[value] = name
        self._types[name] = field_of(without_sizes(type_))
        return value

    def has(self, value: Value) -> bool:
        """Whether a value has a field."""
        return value in self._names

    def emit(self, op: OpDef, *operands: Value, **attrs: Attr) -> Value:
        """Write an instruction with one result."""
        return self.builder.append(make(op, operands, attrs, self.loc)).result

    def load(self, value: Value) -> Value:
        """Read the field of a value."""
        name = self._names[value]
        type_ = self._types[name]
        found = self.emit(data.FIELD, self.object, name=name, type=type_)
        if type_ == without_sizes(value.type):
            return found
        found = self.emit(data.UNWRAP, found)
        return (
            found
            if found.type == without_sizes(value.type)
            else self.emit(data.ITEM, found, index=0)
        )

    def keep(self, value: Value, given: Value) -> None:
        """Write the field of a value."""
        name = self._names[value]
        self._set(name, self._wrapped(given, self._types[name], without_sizes(value.type)))

    def _wrapped(self, value: Value, field: Type, kept: Type) -> Value:
        if field == kept:
            return value
        assert isinstance(field, OptionalType)
        if field.item != kept:
            value = self.emit(data.TUPLE, value)
        return self.emit(data.SOME, value)

    def _set(self, name: str, value: Value) -> None:
        self.builder.effect(data.SET_FIELD, self.object, value, loc=self.loc, name=name)

    def _nothing(self, type_: Type) -> Value:
        """Return what a field holds where nothing is kept in it."""
        match type_:
            case OptionalType(item):
                return self.emit(data.NOTHING, item=item)
            case CellType(item):
                return self.emit(control.CELL_UNSET, item=item)
            case DType():
                return self.emit(data.CONST, value=type_.numpy.type(0).item(), dtype=type_)
            case _:
                return self.emit(data.CONST, value=_ZEROS[type_])  # pyright: ignore[reportArgumentType]

    def clear(self) -> None:
        """Say that the generator has come to its end, and let go of what it kept."""
        self.set_state(OVER)
        names = set(self._names.values())
        for name, type_ in self._types.items():
            if name in names and name.startswith("kept") and isinstance(type_, OptionalType):
                self._set(name, self._nothing(type_))

    def made(self, params: Sequence[Value], label: Label, loc: Loc) -> Block:
        """Return the block that makes a generator of its parameters."""
        self.loc = loc
        given = {self._names[param]: param for param in params if param in self._names}
        self.builder.open()
        values: list[Value] = []
        for name, type_ in self._types.items():
            if name == STATE:
                values.append(self.emit(data.CONST, value=FRESH))
            elif name in given:
                param = given[name]
                values.append(self._wrapped(param, type_, without_sizes(param.type)))
            else:
                values.append(self._nothing(type_))
        new = self.emit(data.NEW, *values, cls=self._class_name, fields=tuple(self._types))
        self.builder.exit(label, new, loc=loc)
        return self.builder.close()

    # ------------------------------------------------------------------------------------ state

    def set_state(self, number: int) -> None:
        """Say which `yield` the generator waits at."""
        self._set(STATE, self.emit(data.CONST, value=number))

    def _compared(self, op: OpDef, number: int) -> Value:
        state = self.emit(data.FIELD, self.object, name=STATE, type=INT)
        return self.emit(op, state, self.emit(data.CONST, value=number))

    def state_is(self, number: int) -> Value:
        """Return whether the state is a number."""
        return self._compared(elementwise.EQ, number)

    def state_up_to(self, number: int) -> Value:
        """Return whether the state is a number or less."""
        return self._compared(elementwise.LE, number)

    def state_from(self, number: int) -> Value:
        """Return whether the state is a number or more."""
        return self._compared(elementwise.GE, number)
