"""Functions that raise while they handle exceptions; each ends with an exception."""

# ruff: noqa: B904, SIM105 -- what these advise against is what is tested
from typing import Any


def fail(n: int):
    if n > 2:
        raise ValueError(f"{n} is too large")
    return 1 // n


def swallowed(n: int):
    try:
        fail(n)
    except (ValueError, ZeroDivisionError):
        pass


def in_a_handler(n: int):
    try:
        fail(n)
    except ValueError:
        raise KeyError("handled")
    return 0


def through_a_handler(n: int):
    try:
        return fail(n)
    except KeyError:
        return 5


def again(n: int):
    try:
        fail(n)
    except ValueError:
        swallowed(0)
        raise
    return 0


def again_by_name(n: int):
    try:
        fail(n)
    except ValueError as e:
        swallowed(0)
        raise e
    return 0


def again_by_name_later(n: int):
    try:
        again_by_name(n)
    except ValueError as e:
        try:
            swallowed(4)
            raise e
        except ValueError:
            swallowed(0)
            raise


def in_finally(n: int):
    try:
        fail(n)
    finally:
        swallowed(0)
    return 0


def raising_finally(n: int):
    try:
        fail(n)
    finally:
        fail(0)
    return 0


def finally_after_return(n: int):
    try:
        return swallowed(n)
    finally:
        fail(n)


def finally_after_handler(n: int):
    try:
        fail(n)
    except ValueError:
        return 0
    finally:
        fail(0)
    return 1


def three(n: int):
    try:
        fail(n)
    except ValueError:
        try:
            fail(0)
        except ZeroDivisionError:
            raise KeyError(str(n))


def three_in_finally(n: int):
    try:
        try:
            try:
                fail(n)
            finally:
                swallowed(n)
                in_a_handler(n)
        finally:
            swallowed(0)
    except KeyError:
        fail(0)
    return 1


def caught_inside(n: int):
    try:
        fail(n)
    except ValueError:
        try:
            fail(0)
        except ZeroDivisionError:
            swallowed(n)
        fail(n + 1)


def ring(n: int):
    try:
        fail(n)
    except ValueError as first:
        try:
            fail(0)
        except ZeroDivisionError:
            raise first


def ring_of_three(n: int):
    try:
        fail(n)
    except ValueError as first:
        try:
            try:
                raise first
            except ValueError:
                raise KeyError("second")
        except KeyError:
            raise first


def last_of_loop(n: int):
    for i in range(n):
        try:
            fail(i)
        except ZeroDivisionError:
            swallowed(0)
        except ValueError:
            if i == n - 1:
                in_a_handler(i)
    return 0


def loop_in_handler(n: int):
    try:
        fail(n)
    except ValueError:
        for i in range(n):
            try:
                fail(i)
            except ZeroDivisionError:
                continue
            except ValueError:
                break
        while n > 0:
            n -= 1
            fail(n)
    return 0


def deep(n: int):
    try:
        if n == 0:
            fail(n)
        deep(n - 1)
    except ZeroDivisionError:
        swallowed(0)
        swallowed(5)
        if n % 2:
            raise
        raise KeyError(f"{n}")
    except KeyError as e:
        if n % 3 == 0:
            fail(n)
        raise e
    return 0


def deep_finally(n: int):
    try:
        if n == 0:
            fail(n)
        deep_finally(n - 1)
    finally:
        swallowed(0)
    return 0


def asserted(n: int):
    try:
        assert n < 2, f"n is {n}"
    except AssertionError as e:
        text = str(e)
        swallowed(0)
        raise RuntimeError(text + "!")


def orelse(n: int):
    try:
        swallowed(n)
    except ValueError:
        raise
    else:
        try:
            fail(n)
        finally:
            fail(0)


def after_handling(n: int):
    try:
        fail(n)
    except ValueError:
        swallowed(0)
    fail(0)


def items(n: int):
    numbers = [1, 2, 3]
    try:
        return numbers[n]
    except IndexError:
        try:
            return numbers[-n]
        except IndexError as e:
            raise LookupError(str(e))


CASES: list[tuple[Any, int]] = [
    (in_a_handler, 3),
    (in_a_handler, 0),
    (through_a_handler, 3),
    (again, 3),
    (again, 0),
    (again_by_name, 3),
    (again_by_name_later, 3),
    (in_finally, 3),
    (in_finally, 0),
    (raising_finally, 3),
    (raising_finally, 2),
    (finally_after_return, 3),
    (finally_after_handler, 3),
    (finally_after_handler, 0),
    (three, 3),
    (three_in_finally, 3),
    (three_in_finally, 0),
    (caught_inside, 3),
    (ring, 3),
    (ring_of_three, 3),
    (last_of_loop, 5),
    (loop_in_handler, 4),
    (deep, 0),
    (deep, 1),
    (deep, 2),
    (deep, 3),
    (deep, 12),
    (deep, 40),
    (deep_finally, 30),
    (asserted, 3),
    (orelse, 3),
    (after_handling, 3),
    (items, 7),
]

PLAIN: list[Any] = [in_a_handler, again, fail, three]
PRINTED: Any = in_finally
