"""`with` in Python over objects of scripted classes, whose bodies exceptions leave."""

# Types come from the calls.
# pyright: basic

import traceback
from functools import partial

import pytest

from scriptc import ScriptError, script


class Own(Exception):
    pass


class Coded(Exception):
    def __init__(self, code: int):
        super().__init__(code)
        self.code = code


class Worded(Exception):
    def __init__(self, code):
        super().__init__(f"code {code}")


def managers(decorate):  # noqa: C901
    """Return classes of context managers."""

    @decorate
    class Log:
        def __init__(self):
            self.seen = []

        def __enter__(self):
            self.seen.append("enter")
            return self

        def __exit__(self, kind, error, where):
            if kind is not None:
                self.seen.append(kind.__name__)
                self.seen.append(str(error))
            if where is not None:
                self.seen.append("where")
            self.seen.append("exit")
            return False

    @decorate
    class Suppressing:
        def __init__(self):
            self.seen = 0

        def __enter__(self):
            return 5

        def __exit__(self, *told):
            self.seen += 1
            kind = told[0]
            return kind is ValueError or (kind is not None and issubclass(kind, KeyError))

    @decorate
    class Failing:
        def __init__(self, how):
            self.how = how

        def __enter__(self):
            return self

        def __exit__(self, kind, error, where):
            if self.how == "new":
                raise LookupError("exit")
            if self.how == "same":
                raise error
            if self.how == "from":
                raise LookupError("from") from error
            if self.how == "like":
                raise ValueError("body") from None
            return isinstance(error, OSError) or self.how == "true"

    class Heir(Failing):
        def __exit__(self, kind, error, where):
            if isinstance(error, (Own, Coded)):
                return True
            return super().__exit__(kind, error, where)

    made = [Log, Suppressing]
    for how in ("new", "same", "from", "like", "", "true"):
        made += [partial(Failing, how), partial(Heir, how)]
    return made


def chain(error):
    """Return what is told of an exception and of those that were handled when it was raised."""
    while error is not None:
        yield type(error), error.args, type(error.__cause__), error.__suppress_context__
        error = error.__context__


def left(make, error):
    """Return what becomes of an exception that leaves a `with`, and of the object."""
    manager, error = make(), error()
    try:
        with manager:
            raise error
    except BaseException as raised:
        names = [frame.name for frame in traceback.extract_tb(raised.__traceback__)]
        told = [*chain(raised)], raised is error, raised.__context__ is error, names
    else:
        told = None
    return told, list(chain(error)), getattr(manager, "seen", None)


@pytest.mark.parametrize(
    "error",
    [
        partial(ValueError, "body"),
        partial(KeyError, 1),
        partial(Own, "own", 2.5),
        partial(Coded, 3),
        partial(OSError, 2, "no file"),
        KeyboardInterrupt,
        partial(SystemExit, 3),
    ],
    ids=lambda error: getattr(error, "func", error).__name__,
)
@pytest.mark.parametrize("backend", ["interp", "llvm"])
def test_what_leaves_by_an_exception_is_what_leaves_in_python(backend, error):
    scripted, plain = managers(script(backend=backend)), managers(lambda cls: cls)
    for make, make_plain in zip(scripted, plain, strict=True):
        assert left(make, error) == left(make_plain, error)


def test_what_no_script_can_make_once_more_is_refused():
    log = managers(script)[0]
    with pytest.raises(ScriptError, match="do not make it once more") as caught, log():
        raise Worded(3)
    assert isinstance(caught.value.__cause__, Worded)
    with pytest.raises(ScriptError, match=r"Log\.__exit__\(\) is of class object"), log():
        raise ValueError(object())


def test_a_body_that_ends_leaves_without_one():
    log = managers(script)[0]()
    with log as entered:
        assert entered is log
    assert log.seen == ["enter", "exit"]
