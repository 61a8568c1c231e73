"""Arguments by name that a function takes by `**`, and passes on; functions that wrap others."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

import functools

from tests.programs import Case


def area(w, h, *, scale=1.0, shift=0.0):
    return w * h * scale + shift


def passing(*args, **kwargs):
    return area(*args, **kwargs)


def passes_on(x: float):
    return passing(x, 2.0), passing(x, 2.0, scale=3.0), passing(x, h=3.0, shift=1.0)


def with_options(x, **options):
    if "scale" in options:
        x = x * options["scale"]
    if not options:
        return x
    return x + options.get("shift", 0) + len(options)


def asks(x: float):
    return with_options(x), with_options(x, scale=2.0), with_options(x, shift=1.0, scale=3.0)


def total(**values: float):
    found = 0.0
    for name, value in values.items():
        found += value * len(name)
    for name in values:
        found += len(name)
    for value in values.values():
        found += value
    return found


def loops_over(x: float):
    return total(a=x, bc=2), total(a=x)


def written(**values):
    text = ""
    for name, value in values.items():
        text += f"{name}={value};"
    return text


def of_several_types(x: float):
    return written(a=x, b=2, c="d", d=(x, 1)), written()


def itself(**values):
    return values


def dict_of(**values):
    own = {name: value for name, value in values.items()}
    own["more"] = 1.0
    return own, sorted(values), sum(values.values()), list(values.items())


def is_a_dict(x: float):
    return itself(b=x, a=2.5), dict_of(b=x, a=2.5)


def without_h(x, **options):
    h = options.pop("h", 5)
    return area(x, h, **options)


def takes_out(x: float):
    return without_h(x), without_h(x, h=1.0, scale=3.0)


def by_position(a, /, **options):
    return a + options["a"]


def other_displays(x: float):
    return (
        by_position(x, a=3.0),
        area(**{"w": x, "h": 3.0}),
        area(x, **dict(h=2.0), scale=2.0),
        passing(x, **{"h": x}, **{"scale": 2.0}),
    )


def called(f, **kwargs):
    return f(**kwargs)


def gives_functions(x: float):
    def inner(**options):
        def more(y):
            return y + options["k"]

        return more(x) + called(lambda z: z * options["k"], z=x)

    return inner(k=3), called(lambda q: q - x, q=1.0), called(area, w=x, h=x)


def twice(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return 2 * function(*args, **kwargs)

    return wrapper


def scaled(k):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(x, **kwargs):
            return k * function(x, **kwargs)

        return wrapper

    return decorate


@twice
def plus(x, y=2, *, z=3):
    return x * y + z


@scaled(3)
@twice
def next_to(x, by=1):
    return x + by


@scaled(0.5)
def decorated(x: float) -> float:
    return x + 1.0


def are_wrapped(x: float):
    return plus(x), plus(x, 3.0, z=1), plus(y=2, x=x), next_to(x), next_to(x, by=7), decorated(x)  # pyright: ignore[reportArgumentType]


def numbered(n, *rest, step=2, **options):
    for i in range(n):
        found = dict(options)
        found["i"] = i
        yield sorted(found.items()), len(rest), step


def passing_on(n, **options):
    yield from numbered(n, **options)
    for _, rest, step in numbered(n, **options):
        yield [], rest, step
    for key, value in options.items():
        yield [(key, value)], 0, 0


def applied(n, **options):
    for i in range(n):
        yield options["function"](-i) + options["x"]


def of_generators(n):
    found = []
    for each in numbered(n, 1, a=1, b=2):
        found.append(each)
    for j in range(2):
        for each in numbered(n, step=j, a=j):
            found.append(each)
    for each in passing_on(1, z=n, y=4):
        found.append(each)
    return found, sum(applied(n, function=abs, x=2))


class Named:
    def __init__(self, x, **options):
        self.x = x
        self.count = len(options)
        self.y = options.get("y", 0)


class AlsoNamed(Named):
    def __init__(self, x, y):
        super().__init__(x, y=y)
        self.z = 1


def of_bases(x):
    first, second = Named(x, q=3), AlsoNamed(x, 2)
    return first.count, first.y, second.count, second.y, second.z


CASES: list[Case] = [
    (of_generators, [(2,), (0,)]),
    (of_bases, [(1,), (2.5,)]),
    (passes_on, [(6.5,)]),
    (asks, [(6.5,)]),
    (loops_over, [(6.5,)]),
    (of_several_types, [(6.5,)]),
    (is_a_dict, [(6.5,)]),
    (takes_out, [(6.5,)]),
    (other_displays, [(6.5,)]),
    (gives_functions, [(6.5,)]),
    (are_wrapped, [(6.5,)]),
]
