"""Corners: order of evaluation, narrowing in loops, variables across exits, views and aliases."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic, reportOperatorIssue=false
# ruff: noqa: SIM108, B007, PT018

import numpy as np

from scriptc.types import N, f64
from tests.programs import Case

WEIGHTS = np.array([1.0, 10.0, 100.0])
SCALE = 3


def noisy(log, x):
    log[0] = log[0] * 10 + x
    return x


def order_of_operands(log):
    y = noisy(log, 1) - noisy(log, 2) * noisy(log, 3)
    return y


def order_of_assignment(log, a):
    a[noisy(log, 1)] = noisy(log, 2) * 1.0
    a[noisy(log, 0)] += noisy(log, 3)
    return a


def order_of_comparison(log):
    p = noisy(log, 1) < noisy(log, 2) < noisy(log, 2) < noisy(log, 4)
    q = noisy(log, 1) > noisy(log, 3) or noisy(log, 5) > 1
    return p, q


def order_of_slices(log, a):
    return a[noisy(log, 0) : noisy(log, 3) : noisy(log, 1)]


def order_of_arguments(log):
    return three(c=noisy(log, 1), a=noisy(log, 2), b=noisy(log, 3))


def three(a, b, c):
    return a * 100 + b * 10 + c


def order_of_tuple(log):
    a, b = noisy(log, 1), noisy(log, 2)
    a, b = b, noisy(log, a + b)
    return (noisy(log, a), b)


def assert_message_only_on_failure(log, x):
    assert x > 0, f"{noisy(log, 7)}"
    return x


def index_after_value(a, i):
    i, a[i] = 2, 5.0
    return i, a


def several_targets(a):
    b = a[0] = c = 7
    return b, c, a


def captured_in_recursion(n):
    if n == 0:
        return WEIGHTS[0] * SCALE
    return captured_in_recursion(n - 1) + WEIGHTS[n % 3]


def captured_shadowed(weights):
    total = 0.0
    for weight in weights:
        total += weight * helper_with_capture(0)
    return total


def helper_with_capture(i):
    return WEIGHTS[i] + second_capture(i)


def second_capture(i):
    return np.sum(WEIGHTS[i:])


def make_closures(scale, weights):
    def scaled(x):
        return np.sum(weights * x) * scale

    return scaled


first_closure = make_closures(2, np.array([1.0, 2.0]))
second_closure = make_closures(3, np.array([5.0, 7.0, 9.0]))


def two_closures(x):
    return first_closure(x) + second_closure(x) * 10


def narrowing_in_loop(n):
    previous = None
    total = 0
    for i in range(n):
        if previous is not None:
            total += previous * i
            if i % 3 == 0:
                previous = None
                continue
        previous = i
    return total, previous


def narrowing_through_break(n):
    found = None
    i = 0
    while found is None:
        if i * i > n:
            found = i
        i += 1
    return found + 1


def narrowing_else(x: float | None, p: bool):
    if x is None or p:
        y = -1.0
    else:
        y = x * 2
    if not (x is None or y > 3):
        y += x
    return y


def optional_array(n):
    best = None
    for i in range(n):
        row = np.zeros(2) + i
        if best is None or row[0] > best[0]:
            best = row
    if best is None:
        return -1.0
    return best[1]


def widening(n):
    a = 0
    b = 0
    for i in range(n):
        b = a + 0.5
        a = b * i
    return a, b


def widening_nested(n, x):
    total = 0
    for _ in range(n):
        inner = 0
        for _ in range(n):
            inner += x
        total += inner
    return total


def unbound_after_branches(n):
    if n > 2:
        x = 1
    elif n > 1:
        y = 2.5
    if n > 2:
        return x + 0.5
    if n > 1:
        return y
    return 0.0


def loop_carried_views(a):
    view = a
    for _ in range(2):
        view = view[1:]
        view[0] = -1
    return a, view


def swap_rows(a):
    first = a[0].copy()
    a[0] = a[1]
    a[1] = first
    return a


def view_of_view(a):
    b = a[::-1]
    c = b[1::2]
    c += 100
    b[:2] = 0
    return a, c


def negative_steps(a, n):
    return a[n::-1], a[:n:-1], a[-1:-n:-2], a[::-n]


def break_in_else(n):
    out = 0
    for i in range(n):
        for j in range(i):
            if j == 3:
                break
        else:
            if i > 4:
                break
            out += 1
            continue
        out += 100
    return out


def continue_in_while_else(n):
    out = 0
    i = 0
    while i < n:
        i += 1
        j = 0
        while j < i:
            j += 1
            if j == 4:
                break
        else:
            out += j
            continue
        out -= 1
    else:
        out += 1000
    return out


def try_in_loops(n):
    out = 0
    for i in range(n):
        j = i
        while True:
            try:
                if j % 3 == 0:
                    break
                if j % 5 == 0:
                    raise ValueError("five")
                j += 1
                if j > 20:
                    return out, -1
                continue
            except ValueError:
                j += 7
            finally:
                out += 1
        out += j * 10
    return out, n


def try_keeps_types(n):
    x = 0
    try:
        x = n / (n - 1)
    except ZeroDivisionError:
        x = x + 1
    return x


def finally_changes_variable(n):
    x = 1
    try:
        x = 2
        y = 10 // n
    except ZeroDivisionError:
        y = 0
    finally:
        x = x * 10
    return x, y


def nested_functions_raise(n):
    total = 0
    for i in range(n):
        try:
            total += risky(i)
        except ValueError as e:
            total += len(str(e))
    return total


def risky(i):
    if i % 2:
        raise ValueError(f"odd {i}")
    return i


def tuple_of_arrays(a):
    pair = (a, a[1:])
    pair[1][0] = 9
    x, y = pair
    x += 1
    return pair[0], y


def tuples_in_loop(n):
    state = (0, 1.0)
    for i in range(n):
        state = (state[0] + i, state[1] * 2)
    return state


def unrolled_views(a, b):
    total = 0.0
    for x in (a, b[0], a[1:]):
        x += 1
        for y in x:
            total += y
    return total, a, b


def bool_results(a, x):
    p = x > 0 and a[0] > 0
    q = not a[0] > 0
    r = bool(a[0] > 0) or x > 0
    return p, q, r


def int_and_numpy_int(a):
    n = 1
    for x in a:
        n = n + int(x)
    m = len(a) * a[0]
    return n, m, a[0] + 1, int(a[0]) // 2, a[0] // 2, a[0] ** 2


def while_with_walrus(n):
    total = 0
    while (half := n // 2) > 0:
        total += half
        n = half
    return total, half


def same_size(a: f64[N], b: f64[N]):
    return a + b


def sizes_checked(n, m):
    return same_size(np.ones(n), np.ones(m))


def list_of_lists_parameter(rows):
    total = 0
    for row in rows:
        for x in row:
            total += x
    return total, len(rows[0])


def formatted_specials(x):
    return f"{x}|{x:.1f}|{x:g}|{x!r:>10}|{-x}"


def empty_ranges(n):
    out = 0
    for i in range(n, n - 3):
        out += i
    for i in range(0):
        out += 1
    for _ in range(-5):
        out += 1
    return out


def half_constant_tests(x):
    a = 1 if x > 0 and 3 < 1 else 2
    b = 1.5 if x > 0 or 1 < 3 else "never"
    if x > 1 and 3 < 1:
        a = "never"
    else:
        a += 1
    if x > 1 or 1 < 3:
        b += 1
    else:
        b = "never"
    while x > 1 and 3 < 1:
        x = "never"
    while x > 100 or 1 < 3:
        x += 1
        if x > 3:
            break
    assert x > 100 or 1 < 3, "never"
    c = (x > 100 and 3 < 1) or x > 2
    if x > 4:
        assert x > 0 and 3 < 1, f"{x}"
        a = "never"
    return a, b, c, x


def deep_expression(x):
    return ((((x + 1) * 2 - 3) / 4) ** 2 + ((x - 1) % 3) // 2) * (1 if x > 0 else -1)


LOG = np.zeros(1, dtype=np.int64)
V = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
M = np.arange(6.0).reshape(2, 3)
SIZES = [(0,), (1,), (2,), (3,), (7,)]
CASES: list[Case] = [
    (order_of_operands, [(LOG,)]),
    (order_of_assignment, [(LOG, V)]),
    (order_of_comparison, [(LOG,)]),
    (order_of_slices, [(LOG, V)]),
    (order_of_arguments, [(LOG,)]),
    (order_of_tuple, [(LOG,)]),
    (assert_message_only_on_failure, [(LOG, 1), (LOG, 0)]),
    (index_after_value, [(V, 0)]),
    (several_targets, [(V,)]),
    (captured_in_recursion, SIZES),
    (captured_shadowed, [(V,)]),
    (two_closures, [(1.0,), (0.5,)]),
    (narrowing_in_loop, SIZES),
    (narrowing_through_break, SIZES),
    (narrowing_else, [(None, True), (1.0, False), (1.0, True), (5.0, False)]),
    (optional_array, SIZES[1:]),
    (widening, [(1,), (3,)]),
    (widening_nested, [(2, 1.5), (2, 3), (2, np.int64(3))]),
    (unbound_after_branches, SIZES),
    (loop_carried_views, [(V,)]),
    (swap_rows, [(M,)]),
    (view_of_view, [(V,)]),
    (negative_steps, [(V, 1), (V, 2), (V, 4)]),
    (break_in_else, SIZES),
    (continue_in_while_else, SIZES),
    (try_in_loops, SIZES),
    (try_keeps_types, [(2,), (5,)]),
    (finally_changes_variable, SIZES),
    (nested_functions_raise, SIZES),
    (tuple_of_arrays, [(V,)]),
    (tuples_in_loop, SIZES),
    (unrolled_views, [(V, M)]),
    (bool_results, [(V, 1)]),
    (int_and_numpy_int, [(np.array([3, 4, 5]),)]),
    (while_with_walrus, SIZES),
    (sizes_checked, [(3, 3)]),
    (list_of_lists_parameter, [([[1, 2], [3]],)]),
    (formatted_specials, [(0.0,), (-0.0,), (float("inf"),), (1e300,), (123456789.0,), (5,)]),
    (empty_ranges, SIZES),
    (half_constant_tests, [(0,), (2,), (9,), (1.5,)]),
    (deep_expression, [(1,), (-2,), (0.5,), (np.float64(2.5),)]),
]
# A literal takes the type it is merged with: equal in value to what CPython has.
MERGED: list[Case] = [
    (widening, [(0,)]),
    (try_keeps_types, [(1,)]),
    (optional_array, [(0,)]),
    (bool_results, [(V, -1), (-V, 1)]),
]
