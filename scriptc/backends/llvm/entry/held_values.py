"""Code that releases the values that exceptions hold, and gives them to Python."""

from scriptc.backends.llvm.emitter.box import Boxer
from scriptc.backends.llvm.emitter.function import Emitter, ModuleState
from scriptc.backends.llvm.emitter.layout import verify_layout
from scriptc.backends.llvm.entry.lists import list_out
from scriptc.backends.llvm.loading.machine_code import held_symbol
from scriptc.backends.llvm.rules.objects import load_cell
from scriptc_runtime.raised_objects import is_given
from scriptc_runtime.types import CellType, Type


def emit_held(state: ModuleState) -> dict[str, str]:
    """Return the functions for all types of which exceptions hold values, by their symbols."""
    return {
        held_symbol(number): _held(state, type_, held_symbol(number))
        for number, type_ in enumerate(state.held)
    }


def _held(state: ModuleState, type_: Type, symbol: str) -> str:
    """Return the function: it releases the block, or gives an object, as the second number says."""
    function = next(iter(state.module.functions.values()))
    e = Emitter(state, function, function.file)
    if is_given(type_):
        show, release = e.label(), e.label()
        e.branch(e.let("icmp ne i32 %shown, 0"), show, release)
        e.start(show)
        value = load_cell(e, CellType(type_), "%block")
        e.retain(type_, value)
        obj = Boxer(e, verify_layout(), list_out).box(type_, value)
        e.write(f"ret ptr {obj}")
        e.start(release)
    e.declare("declare void @sc_release(ptr)")
    e.write("call void @sc_release(ptr %block)")
    e.write("ret ptr null")
    head = f"define ptr @{symbol}(ptr %block, i32 %shown) {{"
    return "\n".join((head, "entry:", *e.allocas, *e.lines, *e.cold, "}", ""))
