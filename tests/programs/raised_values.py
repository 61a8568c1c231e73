"""Exceptions as values: their arguments, texts, classes, causes and contexts."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: C901, E721

from tests.programs import Case


def raised(kind):
    if kind == 0:
        raise ValueError("x", 3)
    if kind == 1:
        raise OSError(2, "no such")
    if kind == 2:
        raise KeyError((1, 2))
    if kind == 3:
        raise UnicodeError
    if kind == 4:
        raise FileNotFoundError("f")
    if kind == 5:
        raise StopIteration(7)
    if kind == 6:
        raise OSError(2, "no such", "file.txt")
    if kind == 7:
        raise BrokenPipeError(True, 1.5, None)
    if kind == 8:
        raise EOFError()
    if kind == 9:
        raise KeyError("a'b")
    if kind == 10:
        raise KeyError("a", "b")
    return 1 // (kind - 11)


def told(kind):
    try:
        raised(kind)
    except ConnectionError as e:
        return f"connection {e.args}"
    except OSError as e:
        return f"os {e} {e!r} {e.args} {type(e).__name__} {len(e.args)}"
    except ValueError as e:
        if type(e) is ValueError:
            return "exactly " + str(e) + repr(e) + str(type(e)) + e.args[0]
        return f"{e}|{e!r}|{type(e).__name__}|{e.__class__.__name__}"
    except Exception as e:
        same = type(e) == KeyError, type(e) != KeyError, issubclass(type(e), LookupError)
        return repr(e) + str(e) + str(isinstance(e, LookupError)) + str(same)
    return "none"


def arguments(kind):
    try:
        raised(kind)
    except Exception as e:
        return e.args, len(e.args), str(e.args)
    return None


def argument(kind, index):
    try:
        raised(kind)
    except Exception as e:
        return e.args[index]
    return ""


def all_bases(kind):
    try:
        raised(kind)
    except BaseException as e:
        return isinstance(e, BaseException), isinstance(e, (OSError, ArithmeticError))
    return False, False


def exits(kind):
    try:
        try:
            if kind == 0:
                raise SystemExit(3)
            if kind == 1:
                raise KeyboardInterrupt("stop")
            raised(8)
        except Exception as e:
            return repr(e)
    except BaseException as e:
        return "no Exception: " + repr(e)
    return ""


def caused(kind):
    try:
        return raised(kind)
    except ZeroDivisionError as e:
        raise ValueError("bad", kind) from e
    except KeyError as e:
        raise RuntimeError from e
    except OSError:
        raise KeyError("hidden") from None
    except UnicodeError:
        raise TypeError("t") from LookupError("made")
    except StopIteration as e:
        raise e from e
    except EOFError as e:
        raise e from None
    except ValueError:
        raise TypeError from MemoryError


def causes(kind):
    try:
        caused(kind)
    except Exception as e:
        cause, context = e.__cause__, e.__context__
        text = repr(e)
        if cause is not None:
            text += " cause " + repr(cause)
        if context is not None:
            text += " context " + repr(context)
        return text
    return "none"


def made(kind):
    error = ValueError("made", 1)
    if kind == 0:
        raise error
    return error


def kept(count):
    out = []
    last = ValueError("none")
    errors = []
    for kind in range(count):
        try:
            raised(kind)
        except Exception as e:
            out.append(described(e))
            last = e
            errors.append(e)
    return out, repr(last), [str(e) for e in errors], len(errors)


def described(e: Exception) -> str:
    return f"{type(e).__name__}:{e}"


def returned(kind):
    try:
        raised(kind)
    except Exception as e:
        return e
    return None


def again(kind):
    error = returned(kind)
    if error is None:
        return "none"
    raise error


def given_again(error: Exception, kind):
    if kind:
        raise error from ValueError("cause")
    return str(error)


def handed_on(kind):
    return given_again(RuntimeError("r", kind), kind)


def in_a_row(count):
    if count == 0:
        raise ValueError("first")
    try:
        in_a_row(count - 1)
    except ValueError as e:
        raise ValueError(f"at {count}") from e


def how_deep(count):
    depth = 0
    try:
        in_a_row(count)
    except ValueError as e:
        cause = e.__cause__
        while cause is not None:
            depth += 1
            cause = cause.__cause__
    return depth


def steps(kind):
    log = ""
    try:
        try:
            try:
                raised(kind)
                log += "a"
            except ValueError as e:
                log += "b"
                raise TypeError("t") from e
            else:
                log += "c"
            finally:
                log += "d"
        except TypeError as e:
            cause = e.__cause__
            if cause is not None:
                log += repr(cause)
            raise RuntimeError(log) from None
        finally:
            log += "e"
    except Exception as e:
        log += repr(e)
    return log


def part_of_a_tuple(kind):
    pair = ("a", str(kind))
    if kind:
        raise ValueError(pair[1])
    return pair


def as_condition(kind):
    error = returned(kind)
    if error and type(error) is not KeyError:
        return "other"
    return "true" if error is not None and isinstance(error, KeyError) else "false"


def in_comprehension(kind):
    return [10 // (i - kind) for i in range(4)]


def from_comprehension(kind):
    try:
        return in_comprehension(kind)
    except ZeroDivisionError as e:
        return [len(str(e))]


class Positive:
    def __init__(self, n: int):
        if n <= 0:
            raise ValueError(f"not positive: {n}", n)
        self.n = n


def constructed(n):
    try:
        return Positive(n).n
    except ValueError as e:
        return -len(e.args)


KINDS = [(kind,) for kind in range(13)]

CASES: list[Case] = [
    (told, KINDS),
    (arguments, KINDS),
    (argument, [(0, 0), (1, 1), (1, -1), (8, 0), (9, 0), (9, 1), (10, 1)]),
    (all_bases, KINDS),
    (exits, [(0,), (1,), (2,)]),
    (caused, KINDS),
    (causes, KINDS),
    (made, [(0,), (1,)]),
    (kept, [(0,), (13,)]),
    (returned, KINDS),
    (again, KINDS),
    (handed_on, [(0,), (1,)]),
    (in_a_row, [(0,), (1,), (3,)]),
    (how_deep, [(0,), (1,), (60,)]),
    (steps, KINDS),
    (part_of_a_tuple, [(0,), (1,)]),
    (as_condition, [(0,), (2,), (12,)]),
    (from_comprehension, [(1,), (9,)]),
    (constructed, [(1,), (0,)]),
]
