"""Runs modules of tests/programs as machine code and in CPython, and tells what differs.

    SCRIPTC_GUARD=end python -m tests.guard_programs stencils sweeps

In a process of its own, which dies where code leaves an array. `make guard` runs all of them.
"""

import sys

from tests.test_differential import scripted
from tests.test_lower_programs import CASES, outcome


def main(modules: list[str]) -> int:
    """Return the exit status: 1 where a program differs."""
    chosen = [case for case in CASES if case[0].partition(".")[0] in modules]
    differ = 0
    for name, function, arguments in chosen:
        print(name, flush=True)
        if outcome(scripted(function), arguments) != outcome(function, arguments):
            print(f"{name} differs")
            differ += 1
    print(f"{len(chosen)} programs, {differ} differ")
    return 1 if differ or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
