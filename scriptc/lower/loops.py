"""Loops: `for` over what it runs over, `while`, and the iterations of unrolled loops."""

from collections.abc import Callable, Sequence

from scriptc.check.checked import (
    ArraySource,
    EnumerateSource,
    Facts,
    Joined,
    ListSource,
    Literal,
    LongRangeSource,
    LoopSource,
    RangeSource,
    ReversedSource,
    TupleSource,
    ZipSource,
)
from scriptc.lower.computations import Computer, require
from scriptc.lower.context import Lowering, Values
from scriptc.lower.expressions import evaluate
from scriptc.syntax import nodes as n
from scriptc.syntax.blocks import Labelled, LeaveTo
from scriptc.syntax.leaves import leaves
from scriptc_runtime.ir import Block, Label, Value
from scriptc_runtime.ops import arrays, bigints, byte_strings, control, data, elementwise, texts
from scriptc_runtime.ops.opdef import Attrs
from scriptc_runtime.record import record
from scriptc_runtime.types import BYTES, INT, STR, TEXTS, DType, TensorType, Type
from scriptc_runtime.values import INT_MAX

# An item of a loop: a value, or the items of a tuple that is taken apart at once.
Item = Value | tuple["Item", ...]


def lower_while(low: Lowering, node: n.While) -> None:
    """Lower `while`: the test stands in the block, and its failure leaves."""
    arms = low.facts.arms[node]
    if not arms.body_runs:
        if node.test not in low.facts.tests:
            low.condition(node.test)
        low.block(node.orelse)
        return

    def start() -> None:
        if node.test in low.facts.tests:
            return
        condition = low.condition(node.test)
        if arms.orelse_runs:
            _leave_unless(low, node, condition, frame)

    frame = _Frame(Label("while"), low.facts.heads[node], low.facts.joins[node])
    _while(low, node, frame, [], lambda _: start(), lambda: [])


def lower_labelled(low: Lowering, node: Labelled) -> None:
    """Lower statements that are left through their label: a block."""
    joined, label, outer = low.facts.joins[node], Label("block"), dict(low.env)
    low.builder.open()
    low.labels[node.label] = lambda: low.exit(label, *low.carried(joined, node))
    low.block(node.body)
    if low.reachable:
        low.labels[node.label]()
    del low.labels[node.label]
    low.env, low.reachable = outer, True
    results = low.builder.region(
        control.BLOCK, [], [low.builder.close()], label, list(joined.values()), low.loc(node)
    )
    low.rebind(joined, results)
    if not low.facts.arms[node].goes_on:
        low.unreachable(node)


def lower_leave(low: Lowering, node: LeaveTo) -> None:
    """Lower a way out of the statements of a label."""
    low.labels[node.label]()


@record(frozen=False)
class _Frame:
    """A loop: its label and what its next iteration, and what follows it, get."""

    label: Label
    head: Joined
    joined: Joined


def _while(
    low: Lowering,
    node: n.For | n.While,
    frame: _Frame,
    counters: Sequence[Value],
    start: Callable[[Sequence[Value]], None],
    advance: Callable[[], Sequence[Value]],
) -> None:
    """Lower a loop as `while`; `counters` are carried before the variables."""
    carried = [*counters, *low.carried(frame.head, node)]
    params = [Value(v.type) for v in counters]
    params += [Value(type_, name) for name, type_ in frame.head.items()]
    outer = dict(low.env)
    exits = low.leave_loop, low.next_round
    low.builder.open(*params)
    low.rebind(frame.head, params[len(counters) :])
    start(params[: len(counters)])

    def go_on() -> None:
        values = [*advance(), *low.carried(frame.head, node)]
        low.exit(frame.label, *values, next=True)

    low.leave_loop = lambda: low.exit(frame.label, *low.carried(frame.joined, node))
    low.next_round = go_on
    low.block(node.body)
    if low.reachable:
        go_on()
    low.leave_loop, low.next_round = exits
    body = low.builder.close()
    low.env, low.reachable = outer, True
    types = list(frame.joined.values())
    results = low.builder.region(control.WHILE, carried, [body], frame.label, types, low.loc(node))
    low.rebind(frame.joined, results)
    if not low.facts.arms[node].goes_on:
        low.unreachable(node)


def _leave_unless(low: Lowering, node: n.For | n.While, condition: Value, frame: _Frame) -> None:
    """Leave the loop, after its `else`, unless `condition` holds."""
    label = Label("if")
    env = dict(low.env)
    low.builder.open()
    low.builder.exit(label)
    stay = low.builder.close()
    low.builder.open()
    low.block(node.orelse)
    if low.reachable:
        low.exit(frame.label, *low.carried(frame.joined, node))
    leave = low.builder.close()
    low.env, low.reachable = env, True
    low.builder.region(control.IF, [condition], [stay, leave], label, [], low.loc(node))


def lower_for(low: Lowering, node: n.For) -> None:
    """Lower `for`."""
    if node in low.facts.expanded:
        low.begin(low.facts.expanded[node].names, node)
        low.block(low.facts.expanded[node].body)
        return
    loop = low.facts.loops[node]
    values: Values = {}
    evaluate(low, loop.parts, values)
    computer = Computer(low, values, node)
    if isinstance(loop.source, TupleSource):
        _unrolled(low, node, [computer.value(r) for r in loop.source.iterations])
        return
    if isinstance(loop.source, RangeSource):
        source = loop.source
        bounds = [computer.value(c) for c in (source.start, source.stop, source.step)]
        _for(low, node, bounds, lambda index: index)
        return
    items = _items(low, node, loop.source, computer)
    if items.length is None:
        _list_loop(low, node, items)
        return
    zero, one = (low.emit(data.CONST, at=node, value=v) for v in (0, 1))
    _for(low, node, [zero, items.length, one], items.item)


def _for(
    low: Lowering, node: n.For, bounds: Sequence[Value], item: Callable[[Value], Item]
) -> None:
    head, joined = low.facts.heads[node], low.facts.joins[node]
    # A break carries what the end of the range does; if not, it leaves a block around the loop.
    simple = not node.orelse and dict(head) == dict(joined)
    block = Label("block")
    if not simple:
        low.builder.open()
    outer = dict(low.env)
    label = Label("for")
    carried = low.carried(head, node)
    index = Value(INT)
    params = [Value(type_, name) for name, type_ in head.items()]
    exits = low.leave_loop, low.next_round
    target = label if simple else block
    low.builder.open(index, *params)
    low.rebind(head, params)
    low.leave_loop = lambda: low.exit(target, *low.carried(joined, node))
    low.next_round = lambda: low.exit(label, *low.carried(head, node), next=True)
    assign_item(low, node.target, item(index))
    low.block(node.body)
    if low.reachable:
        low.next_round()
    low.leave_loop, low.next_round = exits
    body = low.builder.close()
    low.env, low.reachable = dict(outer), True
    grows = low.facts.loops[node].grows
    # No more is said of a plain loop: how its variables grow is nobody's business.
    attrs: Attrs = {} if grows is None else {"grows": tuple(grows[name] for name in head)}
    types = list(head.values())
    results = low.builder.region(
        control.FOR, [*bounds, *carried], [body], label, types, low.loc(node), **attrs
    )
    low.rebind(head, results)
    if simple:
        return
    low.block(node.orelse)
    _close_around(low, node, block, outer)


def _close_around(low: Lowering, node: n.For, block: Label, outer: dict[str, Value]) -> None:
    """Close the block around a loop and its `else`, which `break` leaves."""
    joined = low.facts.joins[node]
    if low.reachable:
        low.exit(block, *low.carried(joined, node))
    low.env, low.reachable = outer, True
    results = low.builder.region(
        control.BLOCK, [], [low.builder.close()], block, list(joined.values()), low.loc(node)
    )
    low.rebind(joined, results)
    if not low.facts.arms[node].goes_on:
        low.unreachable(node)


def _list_loop(low: Lowering, node: n.For, items: "_Items") -> None:
    """Lower a loop whose length is asked again each iteration."""
    frame = _Frame(Label("while"), low.facts.heads[node], low.facts.joins[node])
    following: list[Value] = []

    def start(counters: Sequence[Value]) -> None:
        index = counters[0]
        _leave_unless(low, node, items.has(index), frame)
        item = items.item(index)
        one = low.emit(data.CONST, at=node, value=1)
        following.append(low.emit(elementwise.ADD, index, one, at=node))
        assign_item(low, node.target, item)

    zero = low.emit(data.CONST, at=node, value=0)
    _while(low, node, frame, [zero], start, lambda: following[:1])


def assign_item(low: Lowering, target: n.Expression, item: Item) -> None:
    """Assign an item of a loop; a tuple is taken apart without being built."""
    if isinstance(item, Value):
        low.assign(target, item)
    elif isinstance(target, n.Tuple):
        for elt, part in zip(target.elts, item, strict=True):
            assign_item(low, elt, part)
    else:
        low.assign(target, _built(low, target, item))


def _built(low: Lowering, at: n.Node, item: Item) -> Value:
    if isinstance(item, Value):
        return item
    parts = [_built(low, at, part) for part in item]
    return low.emit(data.TUPLE, *parts, at=at)


@record
class _Items:
    """What a loop runs over: its items by index, and how many there are.

    `length` is None where it may change; `has` tells whether there is an item at an index.
    """

    item: Callable[[Value], Item]
    length: Value | None
    has: Callable[[Value], Value]


def _items(low: Lowering, node: n.For, source: LoopSource, computer: Computer) -> _Items:
    match source:
        case RangeSource():
            return _range(low, node, source, computer)
        case LongRangeSource():
            return _long_range(low, node, source, computer)
        case ArraySource(array, type_):
            return _array(low, node, computer.value(array), isinstance(type_, TensorType))
        case ListSource(items, type_):
            return _list(low, node, computer.value(items), type_)
        case EnumerateSource(start, inner):
            first = computer.value(start)
            items = _items(low, node, inner, computer)
            is_zero = isinstance(start, Literal)

            def pair(index: Value) -> Item:
                count = index if is_zero else low.emit(elementwise.ADD, first, index, at=node)
                return count, items.item(index)

            return _Items(pair, items.length, items.has)
        case ReversedSource(inner):
            items = _items(low, node, inner, computer)
            size = items.length
            if isinstance(inner, ListSource) and inner.items.type not in TEXTS:
                size = low.emit(data.LIST_LEN, computer.value(inner.items), at=node)
            assert size
            return _reversed(low, node, items, size)
        case ZipSource(inner, _, strict):
            parts = [_items(low, node, part, computer) for part in inner]
            return _strict_zip(low, node, parts) if strict else _zip(low, node, parts)


def _fixed(low: Lowering, node: n.Node, item: Callable[[Value], Item], length: Value) -> _Items:
    return _Items(item, length, lambda index: low.emit(elementwise.LT, index, length, at=node))


def _range(low: Lowering, node: n.Node, source: RangeSource, computer: Computer) -> _Items:
    start, stop, step = (computer.value(c) for c in (source.start, source.stop, source.step))
    zero = low.emit(data.CONST, at=node, value=0)
    valid = low.emit(elementwise.NE, step, zero, at=node)
    require(low, valid, "ValueError", "range() arg 3 must not be zero", node)
    if source.start == Literal(0, INT) and source.step == Literal(1, INT):
        return _fixed(low, node, lambda index: index, stop)

    def item(index: Value) -> Item:
        # As numbers that wrap: what is added to the start may not fit where the item does.
        first, times, by = (_wide(low, node, v) for v in (start, index, step))
        offset = low.emit(elementwise.MUL, times, by, at=node)
        return _to_int(low, node, low.emit(elementwise.ADD, first, offset, at=node))

    return _fixed(low, node, item, _range_length(low, node, start, stop, step))


def _long_range(low: Lowering, node: n.Node, source: LongRangeSource, computer: Computer) -> _Items:
    start, step, count = (computer.value(c) for c in (source.start, source.step, source.count))

    def item(index: Value) -> Item:
        times = low.emit(bigints.BIGINT_OF, index, at=node)
        offset = low.emit(bigints.BIGINT_MUL, times, step, at=node)
        return low.emit(bigints.BIGINT_ADD, start, offset, at=node)

    return _fixed(low, node, item, count)


def _range_length(low: Lowering, node: n.Node, start: Value, stop: Value, step: Value) -> Value:
    """Return how many items a range has; of more than 2**63 - 1 it has as many."""
    zero, one = (low.emit(data.CONST, at=node, value=value) for value in (0, 1))
    up = low.emit(elementwise.GT, step, zero, at=node)
    first = _either(low, node, up, lambda: start, lambda: stop)
    last = _either(low, node, up, lambda: stop, lambda: start)

    def count() -> Value:
        # Without a sign, as a distance may be one that does not fit, and so may the least step's.
        wide = _wide(low, node, step)
        pace = _either(
            low, node, up, lambda: wide, lambda: low.emit(elementwise.NEG, wide, at=node)
        )
        ends = (_wide(low, node, v) for v in (last, first))
        distance = low.emit(elementwise.SUB, *ends, at=node)
        gaps = low.emit(elementwise.SUB, distance, _wide(low, node, one), at=node)
        sizes = (low.emit(elementwise.CAST, v, at=node, to=DType.U64) for v in (gaps, pace))
        whole = low.emit(elementwise.FLOORDIV, *sizes, at=node)
        most = low.emit(data.CONST, at=node, value=INT_MAX - 1, dtype=DType.U64)
        whole = low.emit(elementwise.MINIMUM, whole, most, at=node)
        return low.emit(elementwise.ADD, _to_int(low, node, whole), one, at=node)

    some = low.emit(elementwise.LT, first, last, at=node)
    return _either(low, node, some, count, lambda: zero)


def _wide(low: Lowering, node: n.Node, value: Value) -> Value:
    return low.emit(elementwise.CAST, value, at=node, to=DType.I64)


def _to_int(low: Lowering, node: n.Node, value: Value) -> Value:
    return low.emit(elementwise.CAST, value, at=node, to=INT)


def _array(low: Lowering, node: n.Node, array: Value, has_rows: bool) -> _Items:
    length = low.emit(arrays.DIM, array, at=node, axis=0)

    def item(index: Value) -> Item:
        if has_rows:
            return low.emit(arrays.VIEW, array, index, at=node, axes="i")
        return low.emit(arrays.INDEX, array, index, at=node)

    return _fixed(low, node, item, length)


def _list(low: Lowering, node: n.Node, items: Value, type_: Type) -> _Items:
    if items.type is STR:
        length = low.emit(data.STR_LEN, items, at=node)
        return _fixed(low, node, lambda i: low.emit(texts.STR_GET, items, i, at=node), length)
    if items.type is BYTES:
        text = low.emit(byte_strings.BYTES_TEXT, items, at=node)
        length = low.emit(data.STR_LEN, text, at=node)
        return _fixed(low, node, lambda i: low.emit(texts.STR_CODE, text, i, at=node), length)

    def has(index: Value) -> Value:
        length = low.emit(data.LIST_LEN, items, at=node)
        return low.emit(elementwise.LT, index, length, at=node)

    def item(index: Value) -> Item:
        found = low.emit(data.LIST_GET, items, index, at=node)
        # The items of a bytearray are bytes of a list, and ints to the program.
        is_byte = found.type is DType.U8 and type_ is INT
        return low.emit(elementwise.CAST, found, at=node, to=INT) if is_byte else found

    return _Items(item, None, has)


def _reversed(low: Lowering, node: n.Node, items: _Items, length: Value) -> _Items:
    """Return items from the last one; a list that has become too short ends the loop."""
    one = low.emit(data.CONST, at=node, value=1)

    def place(index: Value) -> Value:
        # Not from the last one, which an empty range may not have among the ints.
        left = low.emit(elementwise.SUB, length, index, at=node)
        return low.emit(elementwise.SUB, left, one, at=node)

    def item(index: Value) -> Item:
        return items.item(place(index))

    if items.length is not None:
        return _fixed(low, node, item, length)

    def has(index: Value) -> Value:
        inside = low.emit(elementwise.LT, index, length, at=node)
        return low.emit(elementwise.AND, inside, items.has(place(index)), at=node)

    return _Items(item, None, has)


def _zip(low: Lowering, node: n.Node, parts: Sequence[_Items]) -> _Items:
    def item(index: Value) -> Item:
        return tuple(part.item(index) for part in parts)

    def has(index: Value) -> Value:
        tests = [part.has(index) for part in parts]
        result = tests[0]
        for test in tests[1:]:
            result = low.emit(elementwise.AND, result, test, at=node)
        return result

    lengths = [part.length for part in parts]
    known = [length for length in lengths if length is not None]
    if len(known) < len(lengths):
        return _Items(item, None, has)
    shortest = known[0]
    for length in known[1:]:
        shortest = _smaller(low, node, shortest, length)
    return _Items(item, shortest, has)


def _strict_zip(low: Lowering, node: n.Node, parts: Sequence[_Items]) -> _Items:
    """Return tuples of items; raises in the iteration where some parts have none."""

    def has(index: Value) -> Value:
        first, *others = (part.has(index) for part in parts)
        for count, other in enumerate(others, 1):
            before = "argument 1" if count == 1 else f"arguments 1-{count}"
            ends = low.emit(elementwise.NOT, first, at=node)
            fits = low.emit(elementwise.OR, ends, other, at=node)
            message = f"zip() argument {count + 1} is shorter than {before}"
            require(low, fits, "ValueError", message, node)
            ends = low.emit(elementwise.NOT, other, at=node)
            fits = low.emit(elementwise.OR, first, ends, at=node)
            message = f"zip() argument {count + 1} is longer than {before}"
            require(low, fits, "ValueError", message, node)
        return first

    return _Items(_zip(low, node, parts).item, None, has)


def _smaller(low: Lowering, node: n.Node, first: Value, second: Value) -> Value:
    less = low.emit(elementwise.LT, second, first, at=node)
    return _either(low, node, less, lambda: second, lambda: first)


def _either(
    low: Lowering,
    node: n.Node,
    condition: Value,
    first: Callable[[], Value],
    second: Callable[[], Value],
) -> Value:
    """Return the first of two values where the condition holds, else the second."""
    label = Label("if")
    blocks: list[Block] = []
    for arm in (first, second):
        low.builder.open()
        value = arm()
        low.builder.exit(label, value)
        blocks.append(low.builder.close())
    types = [value.type]
    (result,) = low.builder.region(control.IF, [condition], blocks, label, types, low.loc(node))
    return result


def _unrolled(low: Lowering, node: n.For, items: Sequence[Value]) -> None:
    """Lower each iteration by its own facts; blocks stand only where the body jumps."""
    found = leaves(node.body)
    joined = low.facts.joins[node]
    outer = dict(low.env)
    exits = low.leave_loop, low.next_round
    out = Label("block")
    if found["break"]:
        low.builder.open()
    iterations = zip(low.facts.iterations[node], low.facts.round_joins[node], items, strict=False)
    for facts, at_end, item in iterations:
        low.leave_loop = lambda: low.exit(out, *low.carried(joined, node))
        if low.reachable:
            _round(low, node, item, facts, at_end, found["continue"])
    low.leave_loop, low.next_round = exits
    if low.reachable:
        low.block(node.orelse)
    if not found["break"]:
        return
    _close_around(low, node, out, outer)


def _round(
    low: Lowering, node: n.For, item: Value, facts: Facts, at_end: Joined, jumps: bool
) -> None:
    if not jumps:
        with low.facts_of_round(facts):
            low.assign(node.target, item)
            low.block(node.body)
        return
    label = Label("block")
    env = dict(low.env)
    low.next_round = lambda: low.exit(label, *low.carried(at_end, node))
    low.builder.open()
    with low.facts_of_round(facts):
        low.assign(node.target, item)
        low.block(node.body)
    if low.reachable:
        low.exit(label, *low.carried(at_end, node))
    low.env, low.reachable = env, True
    results = low.builder.region(
        control.BLOCK, [], [low.builder.close()], label, list(at_end.values()), low.loc(node)
    )
    low.rebind(at_end, results)
