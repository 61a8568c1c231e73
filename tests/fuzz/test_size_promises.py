"""What is reported of random array programs that work are sizes that are equal by chance.

Each program is drawn so that it works for arguments of some sizes. A report names two sizes: if
they differed in that call, it would have failed, so they are equal, which the names do not say.
"""

import math
import re
from collections.abc import Mapping
from types import FunctionType

import numpy as np
import pytest

from scriptc.analysis.size_promises.forms import Form
from scriptc.analysis.size_promises.walk import meetings
from scriptc.check.program import check_program
from scriptc.check.roots import Root
from scriptc.lower.program import lower_program
from scriptc_runtime.dims import Dim
from scriptc_runtime.errors import ScriptError
from scriptc_runtime.types import TensorType
from tests.support.array_programs import ArrayProgram, draw_arguments, draw_program, module_text
from tests.support.array_rearranging import BEYOND
from tests.support.live_source import live_module

_PROGRAMS = 200


def sizes_of(function: FunctionType, program: ArrayProgram) -> Mapping[str, int] | None:
    """Return the names of sizes in a call, and the ints; None if the call raises, or one is 1."""
    arguments = draw_arguments(program, 0)
    values: dict[str, int] = {}
    for parameter, argument in zip(program.parameters, arguments, strict=True):
        if isinstance(argument, int):
            values[f"#{parameter.name}"] = argument
        declared: object = function.__annotations__[parameter.name]
        if isinstance(declared, TensorType):
            for dim, size in zip(declared.dims, np.shape(argument), strict=True):
                name = _name(dim)
                if size == 1 or (name and values.setdefault(name, size) != size):
                    return None
    try:
        with np.errstate(all="ignore"):
            function(*arguments)
    except Exception:
        return None
    return values


def _name(dim: Dim) -> str:
    return dim.terms[0][0] if dim.terms else ""


def _value(form: Form, values: dict[str, int]) -> int:
    """Return what a form is in a call; the atom of a quotient is its text."""
    return sum(
        c * math.prod(values[a] if a in values else eval(a.lstrip("?"), values) for a in monomial)
        for monomial, c in form.terms.items()
    )


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_no_size_that_fits_is_reported(thorough: bool) -> None:
    asked = 0
    for seed in range(_PROGRAMS * (10 if thorough else 1)):
        program = draw_program(seed)
        function: FunctionType = getattr(
            live_module(module_text([program]), f"sizes{seed}.py"), program.name
        )
        values = sizes_of(function, program)
        # Names of sizes stand for numbers that are larger than any that is written down.
        if values is None or re.search(rf"\b{BEYOND}\b", program.text):
            continue
        try:
            checked = check_program([Root(function, [None] * len(program.parameters))])
        except ScriptError:
            continue
        asked += 1
        root = checked.functions[checked.roots[0]]
        for found in meetings(lower_program(checked), root.name, root.size_names, {}):
            first, second = (_value(f, dict(values)) for f in (found.first, found.second))
            assert first == second, (found, program.text)
    assert asked > _PROGRAMS // 2
