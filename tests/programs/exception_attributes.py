"""Attributes of exceptions of which only the run knows the class, and the names of causes.

The types come from the calls.
"""

# pyright: basic, reportAttributeAccessIssue=false

from tests.programs import Case


class Err(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Sub(Err):
    @property
    def twice(self):
        return self.code * 2


class Guard:
    def __init__(self, out):
        self.out = out

    def __enter__(self):
        self.out.append("in")
        return self

    def __exit__(self, kind, value, tb):
        if kind is None:
            self.out.append("ok")
            return False
        if issubclass(kind, Err):
            self.out.append(f"{kind.__name__} {value.code} {value}")
            return True
        self.out.append(f"other {kind.__name__} {value}")
        return False


class Guard2:
    def __init__(self, out):
        self.out = out

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        if isinstance(exc, Sub):
            self.out.append(exc.code + 1)
            return True
        if exc is not None:
            self.out.append(0)
        return isinstance(exc, Err)


def managers(n):
    out = []
    with Guard(out):
        if n:
            raise Sub(n, "bad")
    nums = []
    with Guard2(nums):
        if n > 1:
            raise Err(n, "bad")
        raise Sub(n, "b")
    try:
        with Guard(out):
            raise ValueError("x")
    except ValueError as e:
        try:
            raise RuntimeError("y") from e
        except RuntimeError as f:
            out.append(f"{type(f.__cause__).__name__} {type(f).__name__}")
    try:
        try:
            if n:
                raise KeyError("k")
            raise RuntimeError("z")
        except KeyError as e:
            raise Err(1, "k") from e
    except Exception as e:
        out.append(f"{type(e).__name__} from {type(e.__cause__).__name__}")
    return out, nums


class Other(ValueError):
    code = "other"


class Plain(Exception):
    pass


def fail(n):
    if n == 0:
        raise Err(1, "a")
    if n == 1:
        raise Sub(2, "b")
    if n == 2:
        raise Other("c")
    if n == 3:
        raise Plain("d")
    if n == 4:
        raise ValueError("e")
    raise SystemExit(7)


def attributes(n):
    out = []
    try:
        fail(n)
    except Exception as e:
        try:
            out.append(f"{type(e).__name__} {e.code}")
            if isinstance(e, Sub):
                out.append(str(e.twice))
        except AttributeError as a:
            out.append(str(a))
    return out


def ended(n):
    found = []
    try:
        fail(n)
    except BaseException as e:
        try:
            found.append(e.code)
        except (AttributeError, TypeError) as wrong:
            found.append(type(wrong).__name__)
    return found


CASES: list[Case] = [
    (managers, [(0,), (1,), (2,)]),
    (attributes, [(n,) for n in range(5)]),
    (ended, [(n,) for n in range(5)]),
]
