"""Classes of exceptions: with fields, methods and texts, caught by class or base, as they leave."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic
# ruff: noqa: B904

import numpy as np

from tests.programs import Case


class BankError(Exception):
    pass


class TooMuch(BankError):
    def __init__(self, needed: int, balance: int):
        super().__init__(f"{needed} is more than {balance}")
        self.needed = needed
        self.balance = balance

    def missing(self):
        return self.needed - self.balance


class Frozen(BankError, ValueError):
    pass


class Plain(LookupError):
    def __init__(self, key: str):
        self.key = key


class Told(RuntimeError):
    def __init__(self, n: int):
        super().__init__()
        self.n = n

    def __str__(self):
        return f"told {self.n}"


def fails(k):
    if k == 1:
        raise BankError("bank", 3)
    if k == 2:
        raise TooMuch(10, 4)
    if k == 3:
        raise Frozen("frozen")
    if k == 4:
        raise Plain("key")
    if k == 5:
        raise Told(7)
    if k == 6:
        raise BankError
    if k == 7:
        raise ValueError("plain")
    if k == 8:
        e = TooMuch(1, 0)
        e.needed = 5
        raise e
    return k


def leaves(k):
    return fails(k)


def caught_by_class(k):
    try:
        return str(fails(k))
    except TooMuch as e:
        return f"{e.needed} {e.balance} {e.missing()} {e} {e.args} {type(e).__name__} {e!r}"
    except BankError as e:
        return f"bank {e} {e!r} {e.args}"
    except (Plain, Told) as e:
        return f"{e} {e!r} {type(e).__name__}"
    except Exception as e:
        return f"other {e!r}"


def caught_by_base(k):
    try:
        fails(k)
    except Exception as e:
        tests = isinstance(e, BankError), isinstance(e, (ValueError, Told))
        return f"{e}|{e!r}|{type(e).__name__}|{e.args}" + str(tests)
    return ""


def raised_again(k):
    try:
        fails(k)
    except TooMuch as e:
        raise BankError("again") from e
    except Plain as e:
        raise e
    except Told:
        raise
    except BankError:
        raise Told(k) from None
    return ""


def returned(k):
    try:
        fails(k)
    except Exception as e:
        return e
    return None


def counted(k):
    n = 0
    for i in range(k):
        try:
            fails(i)
        except TooMuch as e:
            n += e.missing()
        except BankError:
            n += 100
        except LookupError:
            n += 1000
        except Exception:
            n += 10000
    return n


class Deep(TooMuch):
    def __init__(self, n: int, name: str):
        super().__init__(n, n - 1)
        self.name = name
        self.history = [n, n + 1]
        self.pair = (name, 1.5)
        self.none = None
        self.history.append(3)


class Deeper(Deep):
    def missing(self):
        return 100

    def __repr__(self):
        return "deeper!"


def fails_deep(k):
    if k == 0:
        raise Deep(3, "deep")
    if k == 1:
        raise Deeper(4, "deeper")
    if k == 2:
        raise TooMuch(5, 1)
    return 0


def asked(k):
    try:
        fails_deep(k)
    except TooMuch as e:
        return e.missing(), str(e), repr(e), type(e).__name__, type(e) is Deep, isinstance(e, Deep)
    return None


def changed(k):
    try:
        fails_deep(k)
    except Deep as e:
        e.history.append(9)
        e.name += "!"
        raise


def as_cause(k):
    try:
        try:
            fails_deep(k)
        except TooMuch as e:
            raise KeyError("k") from e
    except KeyError as e:
        c = e.__cause__
        return repr(c) + str(e.__context__ is not None)
    return ""


def fields(k):
    try:
        fails_deep(k)
    except Deep as e:
        return e.history, e.pair, e.name
    except TooMuch as e:
        return [e.needed], ("", 0.0), "much"
    return [0], ("", 0.0), ""


class Guard:
    def __enter__(self):
        return self

    def __exit__(self, a, b, c):
        return a is not None and issubclass(a, Deep)


def left_by(k):
    with Guard():
        fails_deep(k)
    return "ok"


class Matrix(ArithmeticError):
    """A docstring is no statement."""

    limit = 3

    def __init__(self, x):
        super().__init__("singular", x.shape[0])
        self.x = x * 2.0

    @property
    def size(self):
        return self.x.shape[0]


def with_array(x):
    if x[0] == 0.0:
        raise Matrix(x)
    return x


def caught_array(x):
    try:
        return with_array(x)
    except Matrix as e:
        return e.x + e.size + e.limit


class Linked(np.linalg.LinAlgError):
    pass


class Unsaid(Exception):
    def __init__(self, code: int, text: str = "none"):
        self.code = code
        self.text = text

    def __str__(self):
        return f"{self.code}: {self.text} {self.args}"


def odd_ones(k):
    if k == 0:
        raise Linked("linked")
    if k == 1:
        raise Unsaid(3, "three")
    raise Unsaid(4, "x") from Linked


def caught_odd(k):
    try:
        odd_ones(k)
    except ValueError as e:
        return "value " + repr(e)
    except Unsaid as e:
        return str(e) + repr(e)


def through(k):
    try:
        return caught_by_class(k)
    finally:
        fails(0)


class Stack:
    def __init__(self):
        self.items: list[int] = []

    def pop(self):
        if not self.items:
            raise Empty(len(self.items))
        return self.items.pop()


class Empty(Exception):
    def __init__(self, size: int):
        super().__init__()
        self.size = size


def popped(k):
    stack = Stack()
    for i in range(k):
        stack.items.append(i)
    total = 0
    try:
        while True:
            total += stack.pop()
    except Empty as e:
        return total, e.size


class AppError(Exception):
    code = 1

    def __init__(self, message: str, code: int = 5):
        super().__init__(message)
        self.message = message
        self.status = code

    def describe(self) -> str:
        return f"{type(self).__name__}: {self.message} ({self.status})"


class NotFound(AppError):
    def __init__(self, what: str):
        super().__init__(f"{what} not found", 404)
        self.what = what


class Denied(AppError):
    def describe(self) -> str:
        return "denied"


def described_by(e: Exception) -> str:
    return f"{type(e).__name__}:{e}"


def described_as_base(e: AppError) -> str:
    return e.describe()


def serves(k):
    if k == 0:
        raise NotFound("page")
    if k == 1:
        raise Denied("no", 403)
    if k == 2:
        raise AppError("base")
    if k == 3:
        raise AppError(message="kw", code=7)
    return k


def described(k):
    try:
        return str(serves(k))
    except AppError as e:
        return e.describe()


def handed_on(k):
    try:
        return str(serves(k))
    except AppError as e:
        return described_by(e)


def handed_on_as_base(k):
    try:
        return str(serves(k))
    except AppError as e:
        return described_as_base(e)


def collected(k):
    errors: list[AppError] = []
    for i in range(k):
        try:
            serves(i)
        except AppError as e:
            errors.append(e)
    return [e.status for e in errors], [e.describe() for e in errors]


def last_of_all(k):
    last: AppError | None = None
    for i in range(k):
        try:
            serves(i)
        except AppError as e:
            last = e
    if last is None:
        return "none"
    return last.describe()


def same_object(k):
    err = NotFound("x") if k else NotFound("y")
    try:
        raise err
    except NotFound as e:
        return e is err, e.what


def by_several(k):
    try:
        serves(k)
    except NotFound as e:
        return e.what
    except (Denied, AppError) as e:
        return e.message + str(e.status)
    return ""


def cause_narrowed(k):
    try:
        try:
            serves(k)
        except AppError as e:
            raise RuntimeError(str(e)) from e
    except RuntimeError as e:
        c = e.__cause__
        if c is not None and isinstance(c, AppError):
            return described_by(c)
    return "-"


def summed(k):
    total = 0
    for i in range(4):
        try:
            serves(i)
        except AppError as e:
            total += e.status
            if isinstance(e, Denied):
                total += 1000
        finally:
            total += 1
    return total, k


def narrowed(k):
    try:
        serves(k)
    except Exception as e:
        if isinstance(e, AppError):
            return e.describe()
        return "x"
    return ""


class Node:
    def __init__(self, n: int):
        self.n = n


class E(Exception):
    def __init__(self, node: Node):
        super().__init__("node")
        self.node = node


def with_object(k):
    try:
        if k:
            raise E(Node(k))
    except E as e:
        return e.node.n
    return 0


class F(Exception):
    def __init__(self, xs: list[str], d: dict[str, int], t: tuple[int, float], o: int):
        super().__init__()
        self.xs = xs.copy()
        self.d = d.copy()
        self.t = t
        self.o = o


def with_containers(k):
    if k == 1:
        raise F(["a", "b"], {"x": 1}, (1, 2.0), 4)
    if k == 2:
        raise F(["a"], {"y": 1}, (1, 2.0), 3)
    return 0


def containers_caught(k):
    try:
        with_containers(k)
    except F as e:
        return e.xs, e.t, e.o
    return [""], (0, 0.0), 0


class Chain(Exception):
    def __init__(self, inner: Exception, n: int):
        super().__init__(f"chain {n}")
        self.inner = inner
        self.n = n


def with_exception(k):
    try:
        1 // k  # pyright: ignore[reportUnusedExpression]
        if k == 1:
            raise KeyError("k")
    except Exception as e:
        raise Chain(e, k)
    return k


class ParseError(SyntaxError):
    pass


class Missing(KeyError):
    pass


class Done(StopIteration):
    pass


def of_odd_bases(k):
    if k == 0:
        raise Missing("a'b")
    if k == 1:
        raise ParseError("line 1")
    if k == 2:
        raise Done(3)
    return k


def caught_odd_bases(k):
    try:
        of_odd_bases(k)
    except KeyError as e:
        return f"{e} {e!r}"
    except Exception as e:
        return f"{e} {e!r} {e.args}"
    return ""


def any_of_several(k):
    errors = [ValueError("a", 1), KeyError("b"), OSError(2, "c")]
    try:
        if k == 3:
            raise ValueError("a") if k else KeyError("b")
        raise errors[k]
    except LookupError as e:
        return "l" + str(e)
    except OSError as e:
        return type(e).__name__
    except Exception as e:
        return repr(e)


K = [(k,) for k in range(9)]
FEW = [(k,) for k in range(4)]

CASES: list[Case] = [
    (leaves, K),
    (caught_by_class, K),
    (caught_by_base, K),
    (raised_again, K),
    (returned, K),
    (counted, K),
    (fails_deep, FEW),
    (asked, FEW),
    (changed, FEW),
    (as_cause, FEW),
    (fields, FEW),
    (left_by, FEW),
    (with_array, [(np.array([0.0, 1.0]),), (np.array([1.0]),)]),
    (caught_array, [(np.array([0.0, 1.0]),), (np.array([1.0]),)]),
    (odd_ones, [(0,), (1,), (3,)]),
    (caught_odd, [(0,), (1,), (3,)]),
    (through, K),
    (popped, FEW),
    (of_odd_bases, FEW),
    (caught_odd_bases, FEW),
    (any_of_several, FEW),
    (serves, FEW),
    (described, FEW),
    (handed_on, FEW),
    (handed_on_as_base, FEW),
    (collected, FEW),
    (last_of_all, FEW),
    (same_object, FEW),
    (by_several, FEW),
    (cause_narrowed, FEW),
    (summed, FEW),
    (narrowed, FEW),
    (with_object, FEW),
    (with_containers, FEW),
    (containers_caught, FEW),
    (with_exception, FEW),
]
