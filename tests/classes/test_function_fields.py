"""Scripted classes whose fields hold functions: their objects stay in the call that makes them."""

# Without annotations the types come from the call, which is what some of this is about.
# pyright: basic, reportAttributeAccessIssue=false

import pytest

from scriptc import ScriptError, script

BACKENDS = pytest.mark.parametrize("backend", ["interp", "llvm"])
KEPT = "is a function, which scripts do not give to Python|holds a function, which scripts"


def _classes(backend: str):
    @script(backend=backend)
    class Value:
        def __init__(self, data):
            self.data = data
            self.backward = lambda: None

        def plus(self, other):
            out = Value(self.data + other.data)

            def backward():
                self.data += out.data

            out.backward = backward
            return out

        def times(self, other):
            out = Value(self.data * other.data)

            def backward():
                self.data += 2 * out.data

            out.backward = backward
            return out

    @script(backend=backend)
    class Later:
        def __init__(self, data):
            self.data = data
            self.call = None

        def called(self):
            return -1 if self.call is None else self.call()

    return Value, Later


@BACKENDS
def test_each_program_has_functions_of_its_own_in_fields(backend: str) -> None:
    Value, _ = _classes(backend)

    def first(x):
        value = Value(x).times(Value(3)).plus(Value(4))
        value.backward()
        return value.data

    def second(x):
        value = Value(x).plus(Value(3))
        value.backward()
        return value.data

    assert script(first, backend=backend)(2) == 10
    assert script(second, backend=backend)(2) == 5
    assert script(first, backend=backend)(2.5) == 11.5
    with pytest.raises(ScriptError, match=KEPT):
        Value(2)


@BACKENDS
def test_objects_of_python_are_as_they_were_where_a_program_keeps_functions_in_its_own(
    backend: str,
) -> None:
    _, Later = _classes(backend)
    made = Later(3)

    def inside(x):
        other = Later(x)
        other.call = lambda: x * 2
        return other.called(), Later(1).called()

    def into_given(later):
        later.call = lambda: 1
        return later.data

    def into_outside():
        made.call = lambda: 1
        return made.data

    assert script(inside, backend=backend)(4) == (8, -1)
    assert (made.data, made.call, made.called(), Later(5).called()) == (3, None, -1, -1)
    with pytest.raises(ScriptError, match=KEPT):
        script(into_given, backend=backend)(made)
    with pytest.raises(ScriptError, match=KEPT):
        script(into_outside, backend=backend)()
    assert (made.data, made.call) == (3, None)


@BACKENDS
def test_an_heir_that_keeps_functions_is_not_given_as_its_base(backend: str) -> None:
    @script(backend=backend)
    class Base:
        def __init__(self):
            self.x = 1

        def run(self):
            return self.x

    @script(backend=backend)
    class Heir(Base):
        def __init__(self):
            super().__init__()
            self.f = lambda: 5

        def run(self):
            return self.f()

    def run(k):
        made = Base() if k else Heir()
        return made.run()

    def make(k):
        return Base() if k else Heir()

    assert [script(run, backend=backend)(k) for k in (0, 1)] == [5, 1]
    with pytest.raises(ScriptError, match=KEPT):
        script(make, backend=backend)(1)
    assert script(lambda base: base.run(), backend=backend)(Base()) == 1


def test_scripted_functions_in_lists_are_refused_as_others_are() -> None:
    @script
    def last(xs):
        return xs[-1]

    called = script(lambda functions, xs: [f(xs) for f in functions])
    for functions in ([last], (last, last), [last.python]):
        with pytest.raises(ScriptError, match="is a function or class, which cannot be passed in"):
            called(functions, [1, 2])
