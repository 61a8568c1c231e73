"""Functions that return empty lists, dicts and sets alone: what calls do with them says the rest.

    class Layer:
        def params(self): return []         list[f64[N]], as that of Linear gives these

    def made(): return {}                   dict[str, int], as who calls it puts such in
    counts = made()
    counts["a"] = 1

What is told makes the whole program be checked again, as if the function declared that result.
"""

from collections.abc import Container, Iterable, Sequence
from typing import Protocol

from scriptc.check import outside
from scriptc.check.bindings import Typed
from scriptc.check.checked import Computation, Invoke, Specialisation
from scriptc.check.context import Context, UnknownTypeError
from scriptc.check.open_parameters import leave_to_others, type_told
from scriptc.check.open_types import is_open
from scriptc.check.size_names import without_sizes
from scriptc.check.told_fields import tell_open_fields
from scriptc_runtime.types import NONE, Type


class _Returning(Protocol):
    @property
    def problems(self) -> Sequence[object]: ...

    def merged_result(self) -> Typed | None: ...


def left_to_callers(context: Context, value: Typed) -> bool:
    """Note that a function returns a value; whether those who call it may say what that holds."""
    if not is_open(value.type):
        return False
    context.empty_returns.append(value)
    if context.declared_result is not None:
        context.learn_items(value, Typed(context.declared_result, value.span))
    elif not context.is_root:
        context.env = None
        return True
    return False


def result_known(function: "_Returning") -> Typed | None:
    """Return what all ways out of a function have in common, None where none is known yet."""
    if function.problems:
        return None
    try:
        return function.merged_result()
    except UnknownTypeError:
        return None  # it holds more in the next pass


def result_without_values(context: Context) -> Type | None:
    """Return the type of the result where no way out of a function tells it.

    Of the empty list that it returns, those who call it may say what it holds.
    """
    empty = context.empty_returns
    if context.problems or context.unknown:
        # What is done with the `[]` that calls of itself give tells what it holds.
        return empty[0].type if empty else None
    if empty:
        for value in empty:
            leave_to_others(context, value)
        return empty[0].type
    # A function that always raises returns what it says.
    declared = context.declared_result
    return without_sizes(declared) if declared else NONE


def tell_what_is_open(context: Context, unfinished: Container[Specialisation]) -> None:
    """Say what a function has put into what others gave it empty, for the next check.

    `unfinished` are functions being checked, whose
    next pass learns by itself.
    """
    if not context.learned.open_parameters:
        return
    tell_open_fields(context)
    if context.fields_are_outdated:
        return  # the next check may say something else
    outside.tell_outside(context)
    for name, (callee, empty) in context.open_results.items():
        told = type_told(context, (context.learned.open_parameters[name], ()), empty)
        if callee in unfinished:
            continue
        if is_open(told):
            context.rounds.results.note_open(callee, told)
        else:
            context.rounds.results.tell(callee, told)


def tell_others(context: Context, results: Iterable[Computation]) -> None:
    """Say of methods that give empty lists what the same ones of other classes give."""
    if context.fields_are_outdated:
        return
    made = list(results)
    told = next((result.type for result in made if not is_open(result.type)), None)
    for result in made:
        if told is not None and is_open(result.type) and isinstance(result, Invoke):
            context.rounds.results.tell(result.callee, without_sizes(told))


def refuse_open_results(context: Context) -> None:
    """Refuse what needs to know what a result holds into which nothing is put."""
    if not (context.unknown or context.skipped):
        return
    for name, (callee, empty) in context.open_results.items():
        node = context.learned.open_parameters[name]
        if is_open(type_told(context, (node, ()), empty)):
            context.fail(
                "empty-list",
                f"nothing says what the result of {callee.function.__qualname__} holds",
                node,
                why="it returns what is empty; what is put in tells the type of its items",
                instead="annotate the result: def f(...) -> list[float]",
            )
