"""What `print` writes to, and built-in functions that are written for types."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import sys

from tests.programs import Case


class Written:
    def __init__(self, limit: int):
        self.parts = []
        self.limit = limit

    def write(self, text):
        if len(self.parts) == self.limit:
            raise OSError("full")
        self.parts.append(text)
        return len(text)


def streams(n):
    print("x", n, sep="-", end="!\n", file=sys.stderr)
    print("y", flush=True)
    print("z", file=sys.stdout, flush=n > 2)
    print("w", file=None, flush=False)
    print(file=sys.stderr)


def objects(n, limit):
    out = Written(limit)
    try:
        print("a", n, file=out)
        print("b", 2.5, None, sep="", end="", file=out)
        print(file=out)
        print(*[1, 2], file=out, sep=", ")
    except OSError as error:
        return out.parts, str(error)
    return out.parts, ""


def applied(f: callable, x: any):  # pyright: ignore
    return f(x)


def by_builtins(n):
    return applied(lambda x: x + n, 2), applied(str, 2.5)


def written(words):
    size = sys.stdout.write("a" + words[0] + "\n")
    sys.stdout.write("".join(words))
    sys.stdout.writelines(word + "\n" for word in words)
    sys.stdout.writelines(["x", "y"])
    sys.stdout.flush()
    return size, sys.stdout.write("é")


CASES: list[Case] = [
    (written, [(["b", "c"],)]),
    (streams, [(3,), (2,)]),
    (objects, [(3, 99), (3, 2), (3, 0)]),
    (by_builtins, [(3,)]),
]
