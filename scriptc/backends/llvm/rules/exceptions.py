"""LLVM code for exceptions as values: what they are made of, say, and were raised from."""

from collections.abc import Mapping, Sequence
from typing import cast

from scriptc.backends.llvm.emitter import class_tags
from scriptc.backends.llvm.emitter import exceptions as emitter_exceptions
from scriptc.backends.llvm.emitter.box import Boxer
from scriptc.backends.llvm.emitter.function import SELDOM, Emitter, Rule
from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import CONTEXT_SIZE, Caused, Context, Trace
from scriptc.backends.llvm.loading.machine_code import HELD_KIND, held_symbol
from scriptc.backends.llvm.rules import objects
from scriptc.backends.llvm.rules.text import checked, drop, pointers, routine
from scriptc_runtime import raised_objects
from scriptc_runtime.ir import Instr, Value
from scriptc_runtime.ops import exceptions
from scriptc_runtime.ops.opdef import OpDef
from scriptc_runtime.types import FLOAT, INT, STR, CellType, TupleType, Type

_TRACE = abi.EXCEPTION_OFFSETS.index(Context.TRACE)
_INSTANCE = abi.EXCEPTION_OFFSETS.index(Context.INSTANCE)
_NONE = ("0", "0", "0", "0", "0", "0", "null", "null", "null")


def _new(e: Emitter, instr: Instr) -> None:
    """Call the class: the message of the exception is the object that it makes."""
    kind = str(instr.attrs["kind"])
    types = TupleType(tuple(v.type for v in instr.operands))
    parts = tuple(c for v in instr.operands for c in e.components(v))
    args = checked(e, instr, Boxer(e, verify_layout(), e.state.list_out).box(types, parts))
    e.declare(f"@PyExc_{kind} = external global ptr")
    cls = e.let(f"load ptr, ptr @PyExc_{kind}")
    made = e.intrinsic("ptr", "@PyObject_CallObject", f"ptr {cls}", f"ptr {args}")
    drop(e, args)
    checked(e, instr, made)
    number = str(abi.KIND[kind])
    if kind == "OSError" and len(instr.operands) > 1:
        # The number of the error decides which class it is.
        e.state.routines.add("kind_of")
        at = e.let(f"getelementptr i8, ptr {made}, i64 {verify_layout().ob_type}")
        own = e.let(f"load ptr, ptr {at}")
        number = e.let(f"call i32 @sc.kind_of(ptr {own})")
    e.state.routines.add("new_trace")
    trace = e.let("call ptr @sc.new_trace()")
    e.bind(instr, number, str(e.site(instr.loc)), "0", "0", "0", "0", made, trace, "null")


def _is(e: Emitter, instr: Instr) -> None:
    first, count = abi.kind_range(str(instr.attrs["kind"]))
    place = e.let(f"sub i32 {e.components(instr.operands[0])[0]}, {first}")
    e.bind(instr, e.let(f"icmp ult i32 {place}, {count}"))


def _text(e: Emitter, instr: Instr) -> None:
    """Ask Python, which knows the messages of the sites."""
    found = emitter_exceptions.asked_of(
        e, f"exception_text.{instr.attrs['kind']}", e.components(instr.operands[0])
    )
    e.bind(instr, _taken(e, instr, found))


def _taken(e: Emitter, instr: Instr, obj: str) -> str:
    """Return the text that Python has made."""
    return checked(e, instr, routine(e, "text_taken", f"ptr {obj}"))


def _args(e: Emitter, instr: Instr) -> str:
    return checked(
        e, instr, emitter_exceptions.asked_of(e, "exception_args", e.components(instr.operands[0]))
    )


def _args_text(e: Emitter, instr: Instr) -> None:
    args = _args(e, instr)
    text = e.intrinsic("ptr", "@PyObject_Str", f"ptr {args}")
    drop(e, args)
    e.bind(instr, _taken(e, instr, text))


def _count(e: Emitter, instr: Instr) -> None:
    args = _args(e, instr)
    e.bind(instr, e.intrinsic("i64", "@PyTuple_Size", f"ptr {args}"))
    drop(e, args)


def _argument(e: Emitter, instr: Instr) -> None:
    found = _asked(e, instr, "read")
    type_ = instr.results[0].type
    if type_ is STR:
        e.bind(instr, _taken(e, instr, found))
        return
    checked(e, instr, found)
    if type_ is FLOAT:
        e.bind(instr, e.intrinsic("double", "@PyFloat_AsDouble", f"ptr {found}"))
    elif type_ is INT:
        e.bind(instr, e.intrinsic("i64", "@PyLong_AsLongLong", f"ptr {found}"))
    else:
        e.bind(instr, _truth(e, found))
    drop(e, found)


def _is_argument(e: Emitter, instr: Instr) -> None:
    found = checked(e, instr, _asked(e, instr, "is"))
    e.bind(instr, _truth(e, found))
    drop(e, found)


def _truth(e: Emitter, found: str) -> str:
    number = e.intrinsic("i64", "@PyLong_AsLongLong", f"ptr {found}")
    return e.let(f"icmp ne i64 {number}, 0")


def _hold(e: Emitter, instr: Instr) -> None:
    """Put the value into a block, and have Python make an object that owns it."""
    type_ = cast(Type, instr.attrs["type"])
    if type_ not in e.state.held:
        e.state.held.append(type_)
    symbol = held_symbol(e.state.held.index(type_))
    maker = e.python_object(f"{HELD_KIND}{symbol} {raised_objects.is_given(type_):d} {type_}")
    cell = CellType(type_)
    block = objects.new_cell(e, instr, cell, ("true", *e.components(instr.operands[0])))
    e.state.routines.add("call_with_address")
    made = e.let(f"call ptr @sc.call_with_address(ptr {maker}, ptr {block})")
    failed, done = e.label(), e.label()
    e.branch(e.let(f"icmp eq ptr {made}, null"), failed, done, SELDOM)
    e.start(failed)
    e.release(cell, (block,))
    e.jump(done)
    e.start(done)
    e.bind(instr, checked(e, instr, made))


def _held_argument(e: Emitter, instr: Instr) -> None:
    """Read the block, which the exception owns meanwhile."""
    type_ = cast(Type, instr.attrs["type"])
    found = checked(e, instr, _asked_by(e, instr, f"held_block.{type_}", instr.operands[1]))
    number = e.intrinsic("i64", "@PyLong_AsLongLong", f"ptr {found}")
    drop(e, found)
    value = objects.load_cell(e, CellType(type_), e.let(f"inttoptr i64 {number} to ptr"))
    e.retain(type_, value)
    e.bind(instr, *value)


def _holds_values(e: Emitter, instr: Instr) -> None:
    found = checked(e, instr, _asked_by(e, instr, "holds_any", None))
    e.bind(instr, _truth(e, found))
    drop(e, found)


def _argument_text(e: Emitter, instr: Instr) -> None:
    question = f"text.{instr.attrs['kind']}"
    e.bind(instr, _taken(e, instr, _asked_by(e, instr, question, instr.operands[1])))


def _asked(e: Emitter, instr: Instr, question: str) -> str:
    """Have Python look for the argument, and say what is wrong with it."""
    path = cast("tuple[int, ...]", instr.attrs["path"])
    type_ = instr.attrs["type"]
    asked = (question, exceptions.label_of(type_), *map(str, path))
    if not isinstance(type_, TupleType) and exceptions.is_held(type_):
        asked = ("is_held", str(type_))
    return _asked_by(e, instr, ".".join(asked), instr.operands[1])


def _asked_by(e: Emitter, instr: Instr, question: str, place: Value | None) -> str:
    function = e.python_object(f"argument.{question}")
    number = "0" if place is None else e.one(place)
    index = e.intrinsic("ptr", "@PyLong_FromLongLong", f"i64 {number}")
    given = pointers(e, [_args(e, instr), index])
    return routine(e, "text_call", f"ptr {function}", f"ptr {given}", "i64 2")


def _about(e: Emitter, instr: Instr) -> None:
    e.bind(instr, *e.components(instr.operands[0]))


def _traceback(e: Emitter, instr: Instr) -> None:
    e.bind(instr)


def _set_cause(e: Emitter, instr: Instr) -> None:
    e.state.routines.add("set_cause")
    exception, *cause = instr.operands
    said = Caused.BY_OTHER if cause else Caused.BY_NONE
    parts = e.components(cause[0]) if cause else _NONE
    listed = abi.exception_text(parts)
    trace = e.components(exception)[_TRACE]
    e.write(f"call void @sc.set_cause(ptr {trace}, i32 {said}, {listed})")


def _older(e: Emitter, instr: Instr) -> None:
    """Read from the trace; without memory for a trace there is nothing to be read."""
    of_cause = instr.attrs["kind"] == "cause"
    flag, place = (Trace.CAUSED, Trace.CAUSE) if of_cause else (Trace.HANDLED, Trace.CONTEXT)
    own = e.components(instr.operands[0])
    e.state.routines.add("older")
    at = e.alloca(f"[{CONTEXT_SIZE} x i8], align 8")
    itself = emitter_exceptions.stored(e, own)
    given = f"ptr {itself}, i64 {flag}, i64 {place}, ptr {at}"
    found = e.let(f"call i1 @sc.older({given})")
    parts: list[str] = []
    for type_, offset in zip(abi.EXCEPTION_COMPONENTS, abi.EXCEPTION_OFFSETS, strict=True):
        there = e.let(f"getelementptr i8, ptr {at}, i64 {offset}")
        parts.append(e.let(f"load {type_}, ptr {there}"))
    e.bind(instr, found, *parts)


def _exception_of(e: Emitter, instr: Instr) -> None:
    exception, owner = instr.operands
    e.bind(instr, *e.components(exception)[:_INSTANCE], e.one(owner))


def _is_object(e: Emitter, instr: Instr) -> None:
    block = e.components(instr.operands[0])[_INSTANCE]
    e.bind(instr, _is_one_of(e, block, cast("tuple[str, ...]", instr.attrs["classes"])))


def _object_of(e: Emitter, instr: Instr) -> None:
    block = e.components(instr.operands[0])[_INSTANCE]
    found = _is_one_of(e, block, cast("tuple[str, ...]", instr.attrs["classes"]))
    other = e.let(f"xor i1 {found}, true")
    e.raise_if(other, "TypeError", exceptions.OTHER_CLASS, instr)
    e.bind(instr, block)


def _is_one_of(e: Emitter, block: str, names: Sequence[str]) -> str:
    """Return whether there is an object, and one of these classes."""
    e.state.routines.add("class_of")
    tag, found = e.let(f"call i64 @sc.class_of(ptr {block})"), "false"
    for name in names:
        same = e.let(f"icmp eq i64 {tag}, {class_tags.class_tag(e.state, name)}")
        found = same if found == "false" else e.let(f"or i1 {found}, {same}")
    return found


RULES: Mapping[OpDef, Rule] = {
    exceptions.NEW_EXCEPTION: _new,
    exceptions.HOLD: _hold,
    exceptions.HELD_ARGUMENT: _held_argument,
    exceptions.ARGUMENT_TEXT: _argument_text,
    exceptions.HOLDS_VALUES: _holds_values,
    exceptions.IS_EXCEPTION: _is,
    exceptions.EXCEPTION_TEXT: _text,
    exceptions.ABOUT_EXCEPTION: _about,
    exceptions.ARGUMENTS_TEXT: _args_text,
    exceptions.ARGUMENT_COUNT: _count,
    exceptions.EXCEPTION_ARGUMENT: _argument,
    exceptions.ARGUMENT_IS: _is_argument,
    exceptions.EXCEPTION_TRACEBACK: _traceback,
    exceptions.SET_CAUSE: _set_cause,
    exceptions.OLDER_EXCEPTION: _older,
    exceptions.EXCEPTION_OF: _exception_of,
    exceptions.IS_OBJECT: _is_object,
    exceptions.OBJECT_OF: _object_of,
}
