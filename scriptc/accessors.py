"""IR functions that read and write the fields of a class, for Python's view of its instances."""

from collections.abc import Sequence

from scriptc.backends.llvm.boundary.entry import EntrySpec, ParameterSpec
from scriptc.kinds import Parameter
from scriptc_runtime.ir import Builder, ClassDecl, Function, Label, Module, Value
from scriptc_runtime.ops import data
from scriptc_runtime.types import NONE, ClassType, holds_list


def accessors(
    name: str, fields: Sequence[Parameter], classes: Sequence[ClassDecl]
) -> tuple[Module, list[EntrySpec]]:
    """Return a module with a reader and a writer for each field, in order, and their entries."""
    functions: dict[str, Function] = {}
    specs: list[EntrySpec] = []
    for field in fields:
        reader, writer = _reader(name, field), _writer(name, field)
        functions |= {reader.name: reader, writer.name: writer}
        me = ParameterSpec("self", ClassType(name))
        # A method may write to an array that is kept here. A list is copied, and that one is kept.
        value = ParameterSpec(field.name, field.type, writes=not holds_list(field.type))
        specs += [EntrySpec(reader.name, (me,)), EntrySpec(writer.name, (me, value))]
    return Module(functions, {c.name: c for c in classes}), specs


def _reader(name: str, field: Parameter) -> Function:
    me, label, code = Value(ClassType(name), "self"), Label("return"), Builder()
    code.open()
    code.exit(label, code.emit(data.FIELD, me, name=field.name, type=field.type))
    return Function(f"{name}.{field.name}.get", (me,), field.type, code.close(), label)


def _writer(name: str, field: Parameter) -> Function:
    me, value = Value(ClassType(name), "self"), Value(field.type, field.name)
    label, code = Label("return"), Builder()
    code.open()
    code.effect(data.SET_FIELD, me, value, name=field.name)
    code.exit(label, code.emit(data.CONST, value=None))
    return Function(f"{name}.{field.name}.set", (me, value), NONE, code.close(), label)
