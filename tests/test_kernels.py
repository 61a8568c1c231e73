"""Passes and kernels keep what a program computes, writes and raises: random programs say so.

Many more programs than a test run has time for: `python -m tests.test_kernels 5000`.
"""

import random
import sys

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scriptc_runtime.text_write import write_module
from tests.outcomes import first_difference
from tests.programs_ir import make_program


def check(rng: random.Random) -> None:
    program = make_program(rng)
    difference = first_difference(program.module, program.make_arguments)
    assert difference is None, f"{write_module(program.module)}\n{program.arguments}\n{difference}"


@settings(max_examples=250, deadline=None, suppress_health_check=(HealthCheck.too_slow,))
@given(st.integers(0, 2**63).map(random.Random))
def test_every_stage_computes_what_core_ir_computes(rng: random.Random) -> None:
    check(rng)


def main(count: int) -> None:
    """Check `count` programs, the same ones each time."""
    for seed in range(count):
        try:
            check(random.Random(seed))
        except Exception:
            print(f"program {seed}", file=sys.stderr)
            raise


if __name__ == "__main__":
    main(int(sys.argv[1]))
