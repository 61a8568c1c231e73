"""Attributes whose names are computed: visitors, dispatchers, sort keys, `setattr` by name."""

# Without annotations the types come from the call, which is what these programs are about.
# pyright: basic

from dataclasses import dataclass

from tests.programs import Case


class Num:
    def __init__(self, value):
        self.value = value


class Add:
    def __init__(self, left, right):
        self.left = left
        self.right = right


class Neg:
    def __init__(self, inner):
        self.inner = inner


class Positive(Num):
    pass


class Text:
    def __init__(self, text):
        self.text = text


class Visitor:
    """The visitor is found by the class of the node, and by that of `self`."""

    def visit(self, node):
        method = "visit_" + type(node).__name__
        visitor = getattr(self, method, self.generic)
        return visitor(node)

    def generic(self, node):
        raise TypeError(f"no {type(node).__name__}")


class Evaluator(Visitor):
    def visit_Num(self, node):
        return node.value

    def visit_Add(self, node):
        return self.visit(node.left) + self.visit(node.right)

    def visit_Neg(self, node):
        return -self.visit(node.inner)


class Printer(Visitor):
    def visit_Num(self, node):
        return str(node.value)

    def visit_Positive(self, node):
        return f"+{node.value}"

    def visit_Add(self, node):
        return f"({self.visit(node.left)} {self.visit(node.right)})"

    def generic(self, node):
        return "?"


class Lister:
    """A call at once, and AttributeError for classes that have no method."""

    def __init__(self):
        self.found = []

    def visit(self, node):
        getattr(self, f"visit_{node.__class__.__name__.lower()}")(node)

    def visit_num(self, node):
        self.found.append(node.value)

    def visit_add(self, node):
        self.visit(node.left)
        self.visit(node.right)


def made(n):
    return Add(Num(n), Neg(Add(Positive(2), Num(3))))


def evaluated(n):
    return Evaluator().visit(made(n))


def printed(n):
    return Printer().visit(made(n)), Printer().visit(Add(Positive(n), Num(n)))


def generic(n):
    evaluator = Evaluator()
    first = evaluator.visit(Add(Num(n), Num(1)))
    return evaluator.visit(Add(Num(first), Text("x")))


def listed(n):
    lister = Lister()
    lister.visit(Add(Num(n), Num(2)))
    try:
        lister.visit(Add(Num(7), made(n)))
    except AttributeError as error:
        return lister.found, str(error)
    return lister.found, ""


class Machine:
    def __init__(self, step=1):
        self.stack = []
        self.steps = 0
        self.step = step

    def op_push(self, argument):
        self.stack.append(argument)

    def op_add(self, argument):
        self.stack.append(self.stack.pop() + self.stack.pop())

    def op_skip(self, argument=None):
        self.steps += self.step

    def run(self, code):
        """Keep the method, and test it."""
        for op, argument in code:
            if op == "halt":
                self.steps += 100
            else:
                handler = getattr(self, f"op_{op}", None)
                if handler is None:
                    raise ValueError(f"bad {op}")
                handler(argument)

    def do(self, line):
        """Go on in each arm."""
        words = line.split()
        method = getattr(self, "do_%s" % words[0], None)  # noqa: UP031 -- as older programs have it
        if method is None:
            return f"unknown {words[0]}"
        return method(*words[1:])

    def do_sum(self, *words):
        return sum(map(int, words)) + self.step

    def do_join(self, *words):
        return "-".join(words)


def run(op):
    machine = Machine(2)
    machine.run([("push", 1), ("push", 5), ("add", 0), ("skip", 0), ("halt", 0)])
    try:
        machine.run([(op, 4)])
    except ValueError as error:
        return machine.stack, machine.steps, str(error)
    return machine.stack, machine.steps, ""


def done(line):
    return Machine().do(line)


@dataclass
class User:
    id: int
    name: str
    score: float = 0.5
    kind = "user"

    @property
    def label(self):
        return f"{self.id}{self.name}"

    @property
    def risky(self):
        if self.id > 2:
            raise AttributeError("too large")
        return self.id

    def upper(self):
        return self.name.upper()


def users():
    return [User(3, "b"), User(1, "c", 2.5), User(2, "a", -1.0)]


def ordered(key):
    rows = users()
    rows.sort(key=lambda user: getattr(user, key.lstrip("-")), reverse=key.startswith("-"))
    first = min(users(), key=lambda user: getattr(user, key.lstrip("-")))
    return [row.id for row in rows], first.id


def read(key):
    return [getattr(user, key) for user in users()]


def read_or(key):
    return [getattr(user, key, -1) for user in users()], getattr(users()[0], "na" + key, None)


def called(key):
    """Names of methods are called; of what is none the run says that."""
    return [getattr(user, key)() for user in users()]


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y
        self.name = ""

    @property
    def size(self):
        return self.x + self.y

    @property
    def both(self):
        return self.x, self.y

    @both.setter
    def both(self, value):
        self.x = self.y = value


def stored(key, value):
    point = Point(1, 2)
    setattr(point, "na" + "me", "b")
    setattr(point, key, value)
    return point.x, point.y, point.name, point.size


def have(key):
    found = [k for k in ("id", key, "x", "risky") if hasattr(users()[0], k)]
    return (
        hasattr(users()[0], key),
        found,
        hasattr(users()[0], "risky"),
        hasattr(User(1, ""), "risky"),
    )


class Shape:
    def __init__(self, name):
        self.name = name


class Circle(Shape):
    def __init__(self, radius):
        super().__init__("circle")
        self.radius = radius

    def size(self):
        return 3 * self.radius


class Box(Shape):
    def __init__(self, width, depth):
        super().__init__("box")
        self.width = width
        self.depth = depth

    def size(self):
        return self.width * self.depth


def of_several(key):
    """Some classes alone have the attribute."""
    shapes = [Circle(2), Box(3, 4), Shape("none")]
    found = [str(getattr(shape, key, "-")) for shape in shapes]
    has = [hasattr(shape, key) for shape in shapes]
    return found, has, getattr(shapes[0], "si" + "ze" * (key != ""))(), getattr(shapes[1], key)


class Buttons:
    """Some methods take other arguments."""

    names = ("width", "height")

    def __init__(self):
        self.log = []
        self.width = 2
        self.height = 3.5

    def on_start(self):
        self.log.append("start")

    def on_error(self, what):
        self.log.append(what)

    @staticmethod
    def on_stop(code=1):
        """Be no method."""

    def fire(self, event):
        handler = getattr(self, f"on_{event}", None)
        if handler:
            handler()
        return len(self.log)

    def fire_with(self, event, *, what):
        return getattr(self, "on_" + event)(what)

    def text(self):
        """Name the fields by a constant, in a loop that is unrolled."""
        return ", ".join(f"{name}={getattr(self, name)}" for name in self.names)

    def doubled(self):
        for name in ("width", "height"):
            setattr(self, name, getattr(self, name) * 2)
        return self.width, self.height, [hasattr(self, name) for name in ("x", "log")]


def fired(event):
    buttons = Buttons()
    counts = buttons.fire("start"), buttons.fire("none"), buttons.fire("stop")
    said = []
    for fire in (buttons.fire, lambda event: buttons.fire_with(event, what="w")):
        try:
            fire(event)
        except (TypeError, AttributeError) as error:
            said.append(str(error))
    return counts, said, buttons.log


def named_in_turn(n):
    buttons = Buttons()
    buttons.width += n
    return buttons.text(), buttons.doubled(), buttons.text()


class Late:
    def __init__(self):
        self.first = 1

    def set(self):
        self.last = 2


def late(key):
    thing = Late()
    before = getattr(thing, key, 0)
    thing.set()
    has = hasattr(Late(), key), hasattr(thing, key), hasattr(thing, "last"), hasattr(Late(), "last")
    return before, getattr(thing, key, 0), has


def side_effects(n):
    """Object, name and arguments are computed once, in this order."""
    said = []

    def tell(text, value):
        said.append(text)
        return value

    first = getattr(tell("object", Machine(n)), tell("name", "do_" + "sum"))(tell("arg", "4"))
    second = getattr(tell("object", Machine(n)), tell("name", "no"), tell("other", 9))
    return first, second, said


CASES: list[Case] = [
    (evaluated, [(3,), (-1,)]),
    (printed, [(3,)]),
    (generic, [(3,)]),
    (listed, [(3,)]),
    (run, [("push",), ("skip",), ("nope",), ("",)]),
    (done, [("sum 1 2",), ("join a b c",), ("x y",)]),
    (ordered, [("id",), ("-name",), ("score",), ("label",), ("x",), ("risky",)]),
    (read, [("id",), ("kind",), ("label",), ("risky",), ("x",)]),
    (read_or, [("id",), ("me",), ("risky",), ("x",)]),
    (called, [("upper",), ("x",), ("id",)]),
    (stored, [("x", 7), ("both", 5), ("size", 5), ("y", -1)]),
    (have, [("id",), ("label",), ("upper",), ("risky",), ("",)]),
    (of_several, [("name",), ("radius",), ("width",)]),
    (fired, [("error",), ("start",), ("stop",), ("x",)]),
    (named_in_turn, [(1,)]),
    (late, [("first",), ("last",), ("x",)]),
    (side_effects, [(3,)]),
]
