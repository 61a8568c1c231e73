"""Generators that Python is given: which of them are refused."""

from scriptc.check.checked import CheckedFunction, CheckedProgram
from scriptc_runtime.errors import Diagnostic, Span, TypeCheckError


def refuse_generators(program: CheckedProgram, backend: str) -> None:
    """Refuse to give Python generators that would do something else there than in CPython."""
    for given in program.leaving.values():
        root = program.functions[given.root]
        if backend == "cuda":
            why, instead = "its code runs on a device", "return list(...) of it"
        elif given.writes:
            why = "it writes to a list, dict or set that it was given, of which it has a copy"
            instead = "let it write to a copy: xs = xs.copy()"
        elif root.made:
            why = "it calls what functools.cache keeps the results of, for one call from Python"
            instead = "return list(...) of it"
        elif root.captures:
            why = f"it reads the global {root.captures[0].name!r}, which may change meanwhile"
            instead = "make that a parameter of the function"
        else:
            continue
        message = f"the result of {root.name}() is a generator, which Python does not get here"
        raise TypeCheckError(Diagnostic("not-a-value", message, head_of(root), why, instead))


def head_of(root: CheckedFunction) -> Span:
    """Return where the head of a function stands."""
    return Span(root.source, root.node.lo, root.node.lo + len(f"def {root.name}"))
