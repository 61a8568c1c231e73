"""Exceptions: assert, raise, try with handlers, else and finally."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: SIM107, B012, E722

import numpy as np

from scriptc.types import N, f64
from tests.programs import Case

V = np.array([1.0, 2.0, 3.0])


def checked(x):
    assert x > 0, f"not positive: {x}"
    assert x < 100
    return x


def raises(kind):
    if kind == 0:
        raise ValueError("a value")
    if kind == 1:
        raise IndexError
    if kind == 2:
        raise KeyError("key")
    if kind == 3:
        raise RuntimeError()
    if kind == 4:
        raise ZeroDivisionError("zero")
    raise NotImplementedError(f"kind {kind}")


def catches(kind):
    try:
        raises(kind)
    except ValueError:
        return "value"
    except (IndexError, KeyError) as e:
        return "lookup:" + str(e)
    except ArithmeticError as e:
        return f"arithmetic {e}"
    return "none"


def divide(a, b):
    try:
        q = a // b
    except ZeroDivisionError:
        q = -1
    else:
        q += 1
    return q


def state_at_raise(a, n):
    count = 0
    try:
        for i in range(n):
            a[i] = 0.0
            count = i
    except IndexError:
        return count, a
    return -1, a


def finally_order(n):
    log = []
    try:
        log.append(1)
        if n == 1:
            log.append(10 // 0)
        if n == 2:
            raise KeyError("k")
        log.append(2)
    except ZeroDivisionError:
        log.append(3)
    else:
        log.append(4)
    finally:
        log.append(5)
    return log


def finally_return(n):
    out = np.zeros(3)
    r = finally_inner(out, n)
    return r, out


def finally_inner(out, n):
    try:
        if n == 0:
            return 1
        out[0] = 10 // n
    finally:
        out[1] += 1
    return 2


def finally_overrides(n):
    try:
        return 10 // n
    finally:
        return -1


def finally_loop(n):
    out = 0
    for i in range(n):
        try:
            if i == 2:
                continue
            if i == 4:
                break
            out += 1
        finally:
            out += 100
    return out


def finally_nested(n):
    out = 0
    try:
        try:
            out += 1
            if n == 1:
                return out
            if n == 2:
                raise ValueError("x")
            out += 10
        finally:
            out += 100
    except ValueError:
        out += 1000
    finally:
        out += 10000
    return out


def finally_raises(n):
    try:
        try:
            if n > 0:
                raise ValueError("first")
        finally:
            if n > 1:
                raise KeyError("second")
    except LookupError:
        return "lookup"
    return "none"


def reraise(n):
    try:
        try:
            if n > 0:
                raise ValueError(f"n is {n}")
        except ValueError:
            if n > 1:
                raise
            return "caught"
    except ValueError as e:
        return "outer " + str(e)
    return "none"


def reraise_named(n):
    try:
        return 10 // n
    except ZeroDivisionError as e:
        raise e


def bare_except(n):
    try:
        return 10 // n
    except:
        return -1


def in_loop(a):
    errors = 0
    total = 0
    for i in range(6):
        try:
            total += 60 // (i - 2)
            a[i] = total
        except ZeroDivisionError:
            errors += 1
        except IndexError:
            errors += 10
            break
    return errors, total


def while_retry(n):
    tries = 0
    while True:
        try:
            tries += 1
            if tries < n:
                raise ValueError("again")
            result = tries * 2
            break
        except ValueError:
            if tries > 5:
                return -1
    return result


def handler_variable(n):
    x = 0
    try:
        x = 1
        y = 10 // n
        x = 2
    except ZeroDivisionError:
        y = x
    return x, y


def unset_in_try(n):
    try:
        if n > 0:
            value = 10 // (n - 1)
    except ZeroDivisionError:
        pass
    return value


def message_texts(n):
    text = ""
    try:
        if n == 0:
            text = f"{V[7]}"
        elif n == 1:
            text = f"{1 % (n - 1)}"
        elif n == 2:
            raise KeyError("a'b")
        else:
            xs = [1]
            xs.pop(5)
    except Exception as e:
        text = f"<{e}>"
    return text


def try_in_function(n):
    return helper_try(n) + helper_try(n - 1)


def helper_try(n):
    try:
        if n % 2 == 0:
            raise ValueError("even")
        return n
    except ValueError:
        return -n


def raise_in_else(n):
    try:
        try:
            x = n
        except ValueError:
            x = -1
        else:
            raise ValueError("from else")
    except ValueError:
        return 5
    return x


def range_of_step_zero(n):
    for i in range(0, n, 0):
        n += i
    return n


def counted_by(n, step):
    total = 0
    for i in range(n, 0, step):
        total += i
    return total


def calls_with_step_zero(n):
    try:
        return counted_by(n, 0)
    except ValueError:
        return counted_by(n, -1)


# Functions that only raise, and say what they would return.


def no_int(n) -> int:
    raise ValueError(f"no {n}")


def no_list(n) -> list[int]:
    if n > 1:
        raise ValueError("large")
    raise IndexError("small")


def no_tuple(n) -> tuple[int, f64[N]]:
    raise KeyError("none")


def no_array(x: f64[N]) -> f64[N]:
    raise NotImplementedError("array")


class Abstract:
    def __init__(self, n: int):
        self.n = n

    def size(self, scale) -> float:
        raise NotImplementedError("size")

    def other(self) -> "Abstract":
        raise NotImplementedError("other")


def sum_of_none(n):
    total = 0
    for i in range(n):
        if i > 1:
            total += no_int(i)
        total += i
    return total


def length_of_none(n):
    found = no_list(n)
    return found[0] + len(found)


def parts_of_none(n):
    a, b = no_tuple(n)
    return b[a] * 2.0


def scaled_none(x):
    return no_array(x) * 2.0 + x


def caught_none(n):
    try:
        return no_int(n)
    except ValueError:
        return -n


def none_of_method(n):
    thing = Abstract(n)
    if n == 1:
        return thing.size(2) + 1.0
    return thing.other().n * 0.5


NUMBERS = [(0,), (1,), (2,), (3,)]


def asked_what_was_caught(kind):
    try:
        if kind == 0:
            raise ValueError("a value")
        if kind == 1:
            raise IndexError("an index")
        return 1 // (kind - 2)
    except (ValueError, LookupError, ArithmeticError) as error:
        if isinstance(error, ValueError):
            return 10
        if isinstance(error, (IndexError, KeyError)):
            return 11
        return 12 + isinstance(error, Exception) + isinstance(error, int)


def tried_again(n):
    """What is raised in the end may be None, as far as types tell."""
    calls = []

    def retry(f):
        def inner(x):
            last = None
            for _ in range(n):
                try:
                    return f(x)
                except ValueError as error:
                    last = error
            raise last  # pyright: ignore[reportGeneralTypeIssues]

        return inner

    @retry
    def flaky(x):
        calls.append(x)
        if len(calls) < 3:
            raise ValueError(f"call {len(calls)}")
        return x * 10

    return flaky(4), calls


CASES: list[Case] = [
    (tried_again, [(5,), (2,), (0,)]),
    (asked_what_was_caught, [(0,), (1,), (2,), (3,)]),
    (checked, [(5,), (-1,), (200,), (0.5,)]),
    (raises, [(k,) for k in range(6)]),
    (catches, [(k,) for k in range(6)]),
    (divide, [(10, 3), (1, 0)]),
    (state_at_raise, [(V, 2), (V, 5)]),
    (finally_order, NUMBERS),
    (finally_return, [(0,), (5,)]),
    (finally_overrides, [(0,), (5,)]),
    (finally_loop, [(0,), (3,), (8,)]),
    (finally_nested, NUMBERS),
    (finally_raises, NUMBERS),
    (reraise, NUMBERS),
    (reraise_named, [(0,), (5,)]),
    (bare_except, [(0,), (5,)]),
    (in_loop, [(np.zeros(6),), (np.zeros(4),)]),
    (while_retry, [(1,), (3,), (9,)]),
    (handler_variable, [(0,), (5,)]),
    (unset_in_try, [(0,), (1,), (5,)]),
    (message_texts, NUMBERS),
    (try_in_function, NUMBERS),
    (raise_in_else, NUMBERS),
    (range_of_step_zero, NUMBERS),
    (counted_by, [(3, 0), (3, -2), (3, 2)]),
    (calls_with_step_zero, NUMBERS),
    (no_int, NUMBERS),
    (sum_of_none, [*NUMBERS, (6,)]),
    (length_of_none, NUMBERS),
    (parts_of_none, NUMBERS),
    (scaled_none, [(V,)]),
    (caught_none, NUMBERS),
    (none_of_method, NUMBERS),
]
