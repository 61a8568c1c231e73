"""Where fields turn out to hold something else, the rest of the program is not checked again."""

from collections import Counter

import pytest

from scriptc import script
from scriptc.check.functions import FunctionPass
from scriptc.driver import check_and_lower
from scriptc.function_types import request_of
from scriptc.specialise.specialise import root_of
from tests.programs.fields_told_in_turn import CASES


def test_what_asks_for_no_class_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    passes = Counter[str]()
    run = FunctionPass.run

    def counted(self: FunctionPass) -> None:
        passes[self.function.__qualname__] += 1
        run(self)

    monkeypatch.setattr(FunctionPass, "run", counted)
    function, calls = CASES[0]
    check_and_lower([root_of(request_of(script(function), calls[0]))])
    assert passes["Centre.fit"] > 3  # its fields are told in several checks
    assert passes["spread"] <= 2
