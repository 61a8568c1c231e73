"""Random array programs on a device, beside NumPy: the same bits, also for views of one memory."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from scriptc import script
from scriptc_runtime.errors import TypeCheckError, UnsupportedError
from tests.fuzz.test_array_programs import Way, differences, module_text, unannotated
from tests.support.array_programs import draw_program
from tests.support.live_source import module_in

FIRST = 5_000_000


@pytest.mark.sampled(12)
@pytest.mark.parametrize("seed", range(FIRST, FIRST + 240))
def test_an_array_program_does_what_numpy_does(seed: int, tmp_path: Path) -> None:
    program = draw_program(seed)
    python = vars(module_in(tmp_path / f"p_{seed}.py", module_text([program])))[program.name]
    compiled = script(unannotated(python), backend="cuda")
    way = Way("cuda", SimpleNamespace(**{program.name: compiled}))
    try:
        assert not list(differences(program, python, (way,)))
    except (UnsupportedError, TypeCheckError) as error:
        pytest.skip(f"refused: {error.diagnostics[0].code}")
