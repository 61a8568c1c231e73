"""What a check of a program does once, though it goes over functions again and again."""

from collections import Counter

import pytest

from scriptc import script
from scriptc.check import live_values
from scriptc.check.checked import Specialisation
from scriptc.check.functions import FunctionPass
from scriptc.check.refusals import refuse
from scriptc.check.unfinished import unfinished
from scriptc.check.waiting_results import WaitingResults
from scriptc.driver import to_core
from scriptc.function_types import request_of
from scriptc.options import Options
from scriptc.specialise.specialise import root_of
from scriptc_runtime.errors import ScriptError, TypeCheckError
from scriptc_runtime.types import Type
from tests.support.live_source import live_module

# `values` turns out to hold more and more, and with each type all of this is checked again.
WIDENING = """
class Box:
    def __init__(self, value):
        self.value = value

def main(n):
    parts = "b a".split()
    boxes = [BOXES]
    texts = []
    for box in boxes:
        texts.append(str(box.value))
    return len(parts), texts
"""
TABLE = """
TABLE = {str(i): [i, i + 1] for i in range(500)}

def main(n):
    total = 0
    MENTIONS
    return total
"""


def checked(text: str, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how many passes there were over each function of a program, by name."""
    passes: Counter[str] = Counter()
    run = FunctionPass.run

    def counted(self: FunctionPass) -> None:
        passes[self.function.__code__.co_name] += 1
        run(self)

    monkeypatch.setattr(FunctionPass, "run", counted)
    main = vars(live_module(text, "checked again.py"))["main"]
    try:
        to_core([root_of(request_of(script(main), (5,)))], Options())
    except ScriptError:
        passes["refused"] = 1
    monkeypatch.undo()
    return passes


def test_a_function_whose_types_alternate_is_refused_in_the_end() -> None:
    def ring() -> None: ...

    waiting, key = WaitingResults({}), Specialisation(ring, ())
    for _ in range(500):
        waiting.begin(key, unfinished(None, "ring", None), unites=False)
    with pytest.raises(TypeCheckError, match=r"the types in .*ring and in functions .* alternate"):
        waiting.begin(key, unfinished(None, "ring", None), unites=False)


def test_what_is_refused_whatever_empty_lists_hold_is_told_and_nothing_else_tried() -> None:
    text = "\n".join([
        "from collections import Counter, defaultdict",
        "def main(n):",
        "    stats = defaultdict(lambda: {'n': 0, 'ms': 0.0, 'codes': Counter()})",
        "    for word in ['a', 'bb']:",
        "        stats[word]['n'] += 1",
        "        stats[word]['codes'][len(word)] += 1",
        "    out = []",
        "    for k, s in sorted(stats.items(), key=lambda item: item[1]['ms']):",
        "        out.append({'route': k, 'codes': dict(s['codes'].most_common())})",
        "        s['n'].as_integer_ratio()",
        "    return {'routes': out, 'bad': n}",
    ])  # fmt: skip
    with pytest.raises(ScriptError, match="as_integer_ratio") as refused:
        to_core(
            [root_of(request_of(script(vars(live_module(text, "refused.py"))["main"]), (5,)))],
            Options(),
        )
    assert refused.value.diagnostics[0].code == "unknown-method"


def test_functions_of_the_library_are_checked_once_where_fields_turn_out_wider(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def passes(boxes: str) -> Counter[str]:
        found = checked(WIDENING.replace("BOXES", boxes), monkeypatch)
        assert not found["refused"]
        return found

    few, many = passes("Box(n)"), passes('Box(n), Box("x"), Box(None), Box(1.5)')
    assert few["main"] < many["main"]
    assert few["split"] == many["split"]


def test_a_refusal_is_not_found_out_again_wherever_a_function_is_called() -> None:
    waiting = WaitingResults({})
    key = Specialisation(checked, ())  # pyright: ignore[reportArgumentType]
    count = 0

    def check() -> Type | None:
        nonlocal count
        count += 1
        raise refuse("recursion", "it has no end", "annotate it", None)

    for known, checks in (1, 1), (1, 1), (2, 2), (2, 2):
        with pytest.raises(TypeCheckError, match="no end"):
            waiting.of(key, (False, False, (known,)), check)
        assert count == checks


def test_the_type_of_a_large_table_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    find = live_values.type_of

    def counted(*args: object) -> object:
        nonlocal count
        count += 1
        return find(*args)  # pyright: ignore[reportArgumentType]

    def mentions(number: int) -> int:
        nonlocal count
        count = 0
        monkeypatch.setattr(live_values, "type_of", counted)
        lines = "\n    ".join(["total += TABLE[str(n)][0]"] * number)
        assert not checked(TABLE.replace("MENTIONS", lines), monkeypatch)["refused"]
        return count

    assert 500 <= mentions(16) == mentions(4)
