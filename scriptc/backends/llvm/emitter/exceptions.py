"""How code hands an exception to Python: its components stand in memory, as in a context."""

from scriptc.backends.llvm.emitter.function import Components, Emitter
from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import CONTEXT_SIZE


def stored(e: Emitter, components: Components) -> str:
    """Return where an exception stands in memory."""
    context = e.alloca(f"[{CONTEXT_SIZE} x i8], align 8")
    for component, type_, offset in zip(
        components, abi.EXCEPTION_COMPONENTS, abi.EXCEPTION_OFFSETS, strict=True
    ):
        at = e.let(f"getelementptr i8, ptr {context}, i64 {offset}")
        e.write(f"store {type_} {component}, ptr {at}")
    return context


def asked_of(e: Emitter, question: str, components: Components) -> str:
    """Return the object with which Python answers about an exception, null where it raises."""
    e.state.routines.add("call_with_address")
    context = stored(e, components)
    function = e.python_object(question)
    return e.let(f"call ptr @sc.call_with_address(ptr {function}, ptr {context})")
