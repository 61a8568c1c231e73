"""The syntax of live functions, and what of Python the language does not have."""

from collections.abc import Set as AbstractSet
from types import FunctionType

from scriptc.check.closures import as_definition
from scriptc.check.desugar.abstract_calls import with_abstract_calls
from scriptc.check.desugar.caches import keeping, with_caches
from scriptc.check.desugar.generator_ends import with_ends
from scriptc.check.desugar.generator_stops import with_stops
from scriptc.check.global_places import with_globals
from scriptc.check.kept_captures import Place
from scriptc.check.kept_results import function_called
from scriptc.check.library.standard import is_standard, standard_definition
from scriptc.check.stopping_functions import StoppingFunctions
from scriptc.syntax import nodes as n
from scriptc.syntax.declining_choices import with_declining_choices
from scriptc.syntax.functions import FunctionSyntax, parse_function
from scriptc.syntax.list_targets import with_tuple_targets
from scriptc.syntax.subset import check as check_subset
from scriptc.timeline import stage
from scriptc_runtime.errors import Source, UnsupportedError


def parsed_function(
    function: FunctionType, ended: AbstractSet[Place], stopping: StoppingFunctions
) -> tuple[Source, n.FunctionDef]:
    """Parse a function, and refuse what the language does not have.

    `ended` are variables of functions that hold generators which end when the function does;
    `stopping` knows the functions that may raise StopIteration.
    """
    if (called := function_called(function)) is not None:
        source, node = parsed_function(called, ended, stopping)
        return source, keeping(node)
    with stage("parse"):
        if is_standard(function):
            return standard_definition(function)
        syntax: FunctionSyntax = parse_function(function)
    source, node = syntax.source, as_definition(syntax.node)
    refuse_foreign(source, node)
    node = with_declining_choices(with_tuple_targets(with_abstract_calls(function, node)))
    node = with_globals(source, function, node)
    node = with_stops(stopping, function, with_ends(function, node, ended))
    return source, with_caches(function, node)


def refuse_foreign(source: Source, node: n.FunctionDef) -> None:
    """Refuse what the language does not have; `...` is one only outside of subscripts."""
    try:
        check_subset(source, node)
    except UnsupportedError as error:
        others = [d for d in error.diagnostics if d.code != "ellipsis"]
        if others:
            raise UnsupportedError(*others) from None
