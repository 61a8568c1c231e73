"""Runs modules of tests/programs as machine code and in CPython, and tells what differs.

    SCRIPTC_GUARD=end python -m tests.support.guard_programs stencils sweeps

In a process of its own, which dies where code leaves an array. `make guard` runs all of them.
"""

import sys

from tests.support.program_cases import PROGRAMS, outcome, scripted


def main(modules: list[str]) -> int:
    """Return the exit status: 1 where a program differs."""
    chosen = [p for p in PROGRAMS if p.name.partition(".")[0] in modules]
    calls = [(p, arguments) for p in chosen for arguments in p.calls]
    differ = 0
    for program, arguments in calls:
        print(program.name, flush=True)
        if outcome(scripted(program.function), arguments) != outcome(program.function, arguments):
            print(f"{program.name} differs")
            differ += 1
    print(f"{len(calls)} calls, {differ} differ")
    return 1 if differ or not calls else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
