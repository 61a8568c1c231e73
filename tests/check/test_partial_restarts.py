"""Where fields turn out to hold something else, the rest of the program is not checked again."""

from collections import Counter

import pytest

from scriptc import script
from scriptc.check.functions import FunctionPass
from scriptc.driver import check_and_lower
from scriptc.function_types import request_of
from scriptc.specialise.specialise import root_of
from tests.programs.fields_told_in_turn import CASES
from tests.support.live_source import live_module


def estimators(count: int) -> str:
    """Return a program of so many classes, each of which is fitted to what the one before gives."""
    classes = "".join(
        f"class Step{k}:\n"
        f"    def fit(self, rows):\n"
        f"        self.lowest, self.names = min(rows), [str(r + {k}) for r in rows]\n"
        f"        self.widths = [len(name) for name in self.names]\n"
        f"        return self\n\n"
        f"    def apply(self, rows):\n"
        f"        return [r - self.lowest + w for r, w in zip(rows, self.widths)]\n\n\n"
        for k in range(count)
    )
    steps = "".join(f"    rows = Step{k}().fit(rows).apply(rows)\n" for k in range(count))
    return f"{classes}def main(n):\n    rows = [n, n + 1]\n{steps}    return rows\n"


def test_fields_that_follow_from_each_other_are_told_in_one_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def passes(count: int) -> int:
        found = Counter[str]()
        run = FunctionPass.run

        def counted(self: FunctionPass) -> None:
            found[self.function.__qualname__] += 1
            run(self)

        monkeypatch.setattr(FunctionPass, "run", counted)
        main = vars(live_module(estimators(count), "steps.py"))["main"]
        check_and_lower([root_of(request_of(script(main), (5,)))])
        monkeypatch.undo()
        return found["main"]

    assert passes(12) == passes(3)


def test_what_asks_for_no_class_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    passes = Counter[str]()
    run = FunctionPass.run

    def counted(self: FunctionPass) -> None:
        passes[self.function.__qualname__] += 1
        run(self)

    monkeypatch.setattr(FunctionPass, "run", counted)
    function, calls = CASES[0]
    check_and_lower([root_of(request_of(script(function), calls[0]))])
    assert passes["Centre.fit"] > 2  # its fields are told in several checks
    assert passes["spread"] <= 2
