"""Concatenations and rolls are read through: a nest for each of their parts, and no copy of them.

    np.exp(np.concatenate((x * 2, y + 1)))      r[:n] = exp(x * 2)
                                                r[n:] = exp(y + 1)

    x - np.roll(x, 1)                           for each of two spans from `low` to `high`:
                                                    r[low:high] = x[low:high] - x[start:..]

A root is cut along the axis that its concatenation is read along. A cut says of each node what
stands there, so a part is a root like any other: it may be cut along another axis, and has the nest
that it would have alone. The parts of a concatenation are computed in different ways, and have
nests of their own. The spans that rolls cut an axis in differ by numbers alone: there is one
nest, in a loop over them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence, Set
from itertools import pairwise

from scriptc.analysis.remarks import Kind, Message, Topic, remark
from scriptc.kernels.builder import I64, Code
from scriptc.kernels.fusion import cutter as fusion_cutter
from scriptc.kernels.fusion.index_paths import reads
from scriptc.kernels.fusion.nests import Root
from scriptc.kernels.fusion.nodes import (
    Axis,
    Fold,
    Joined,
    Node,
    Pick,
    Ramp,
    Rolled,
    Split,
    children,
    is_costly,
    same_space,
    topological,
)
from scriptc_runtime.dims import ONE, UNKNOWN
from scriptc_runtime.ir import Value
from scriptc_runtime.ops import elementwise as e

READ_THROUGH = Message(
    "fuse", Topic.FUSION, Kind.DONE, "the {kind} is not stored: its parts are read where they are"
)

Cut = Joined | Rolled

# Nodes that are computed in all nests of a root together: with more of them a copy is less code.
_MOST_NODES = 64
# Rolls by different numbers that cut one axis: each pair of them is compared.
_MOST_ROLLS = 4
# Roots in one nest: each of the spans runs all of them.
_MOST_ROOTS = 8


def unreadable(nodes: Sequence[Node]) -> list[Node]:
    """Return what has to be in memory before `nodes` are computed, arguments first.

    These are concatenations and rolls that no cut goes through, what is folded across a cut, and
    what no cut divides.
    """
    order = topological(nodes)
    if not any(isinstance(n, Cut) for n in order):
        return []
    cut = [n for n in nodes if has_cuts(n, ())]
    found: set[Node] = set()
    users: dict[Node, int] = {}
    for root in nodes:
        # What is cut itself is in memory when others are computed from it.
        stored = {n for n in cut if n is not root}
        below = topological([root], stored)
        found |= _unreadable(root, stored)
        found |= stored.intersection(child for n in below for child in children(n))
        for node in below:
            users[node] = users.get(node, 0) + 1
    found |= {n for n in order if isinstance(n, Cut) and _is_dear(n) and users.get(n, 0) > 1}
    return [n for n in order if n in found]


def _unreadable(root: Node, stored: Set[Node]) -> set[Node]:
    """Return what has to be in memory before one root is computed; `stored` is there by then.

    Of what is left, each node is read along one axis of the root, with the cuts that others along
    that axis have; what is costly is computed once; and the nests of all parts are not too much.
    """
    folded = _folded_across(root, stored)
    known = stored | folded
    below = topological([root], known)
    inner = [n for n in below if isinstance(n, Cut) and n is not root]
    if not inner and not isinstance(root, Cut):
        return folded
    found = folded.union(filter(_is_whole, below))
    if root in found:
        return found.difference([root]).union(inner)
    known = stored | found
    below = topological([root], known)
    steps, first = _steps(root, known), dict[int, Cut]()
    rolls: dict[int, set[Value]] = {}
    parts = 1  # that have nests of their own; those of a stack are of one space, and share one
    for node in reversed([n for n in below if isinstance(n, Cut)]):
        step = steps[node]
        if step is None:
            found.add(node)
            continue
        lead = first.setdefault(step, node)
        if isinstance(node, Rolled):
            rolls.setdefault(step, set()).add(node.first)
        elif lead is node:
            parts *= 1 if node.new else len(node.parts)
        if (
            not _goes_with(lead, node)
            or len(rolls.get(step, ())) > _MOST_ROLLS
            or (parts > 1 and len(below) * parts > _MOST_NODES)
            or (_is_dear(node) and len(node.axes) + _picked(first, step) < len(root.axes))
        ):
            found.add(node)
    return found - {root}


def _picked(first: Mapping[int, Cut], step: int) -> int:
    """Return how many other axes are those of stacks: each of their parts is read at one place."""
    return sum(isinstance(n, Joined) and n.new and s != step for s, n in first.items())


def _is_whole(node: Node) -> bool:
    """Whether nothing cuts a node, so it is stored where others beside it are cut.

    A ramp of floats is its start and so many steps: a cut would round it otherwise. What lists of
    places pick and what is split are read through one axis for several, and folds that keep
    several axes have one for each.
    """
    match node:
        case Ramp():
            return node.dtype is not I64
        case Fold():
            return node.kept and len(node.reduced) > 1
        case _:
            return isinstance(node, Pick | Split)


def _folded_across(root: Node, stored: Set[Node]) -> set[Node]:
    """Return the arguments of folds along an axis that a cut divides: they are stored as a whole.

    Where such an argument is broadcast from what is cut, that has fewer elements and is stored.
    """
    found: set[Node] = set()
    for fold in topological([root], stored):
        if not isinstance(fold, Fold):
            continue
        steps = _steps(fold, stored | found)
        across = [n for n, step in steps.items() if step is None or not fold.is_trailing]
        if any(len(n.axes) < len(fold.arg.axes) for n in across):
            found.update(across)
        elif across:
            found.add(fold.arg)
    return found


def _steps(root: Node, known: Container[Node] = ()) -> Mapping[Cut, int | None]:
    """Return the axis of a root along which each concatenation or roll is read, if it is one."""
    found: dict[Cut, int | None] = {}
    for node, path in reads(root, known):
        if isinstance(node, Cut) and node not in known:
            step = path[node.axis]
            is_known = isinstance(step, int) and found.get(node, step) == step
            found[node] = step if is_known and isinstance(step, int) else None
    return found


def _is_dear(node: Cut) -> bool:
    """Whether what a concatenation or a roll is made of is not computed twice."""
    parts = node.parts if isinstance(node, Joined) else (node.arg,)
    return any(map(is_costly, parts))


def _goes_with(first: Cut, node: Cut) -> bool:
    """Whether what cuts an axis for one node does so for another one."""
    if first is node:
        return True
    if isinstance(first, Joined) and isinstance(node, Joined):
        sizes, others = fusion_cutter.lengths(first), fusion_cutter.lengths(node)
        return len(sizes) == len(others) and all(map(Axis.same, sizes, others))
    return isinstance(first, Rolled) and isinstance(node, Rolled)


def has_cuts(node: Node, known: Container[Node]) -> bool:
    """Whether `node` is cut before there is a nest for it."""
    return any(isinstance(n, Cut) for n in topological([node], known))


def are_cut_together(members: Sequence[Node], other: Node, known: Container[Node]) -> bool:
    """Whether a root joins others over its space, all without folds, in the nests of their parts.

    One of them at least is cut.
    """
    nodes = (*members, other)
    if len(nodes) > _MOST_ROOTS or any(map(_is_whole, topological(nodes, known))):
        return False
    first, rolls = dict[int, Cut](), dict[int, set[Value]]()
    for root in nodes:
        for node, step in _steps(root, known).items():
            if step is None or not _goes_with(first.setdefault(step, node), node):
                return False
            if isinstance(node, Rolled):
                rolls.setdefault(step, set()).add(node.first)
    return all(len(found) <= _MOST_ROLLS for found in rolls.values())


Nest = Callable[[Sequence[Root]], Sequence[Value]]


def emit_cut(code: Code, roots: Sequence[Root], nest: Nest) -> Sequence[Value]:
    """Emit `nest` for each part that the roots are cut in; for all of them without any cut.

    Roots that are cut have targets, so no value is left of them.
    """
    found = [(n, step) for root in roots for n, step in _steps(root.node).items()]
    if not found:
        return nest(roots)
    lead, axis = next((pair for pair in found if isinstance(pair[0], Joined)), found[0])
    kind = "concatenation" if isinstance(lead, Joined) else "roll"
    remark(READ_THROUGH, lead.loc, kind=kind)
    assert axis is not None  # others are stored
    if isinstance(lead, Joined):
        _emit_parts(code, roots, lead, axis, nest)
    else:
        firsts = [n.first for n, step in found if isinstance(n, Rolled) and step == axis]
        _emit_spans(code, roots, list(dict.fromkeys(firsts)), axis, nest)
    return ()


def _emit_parts(code: Code, roots: Sequence[Root], lead: Joined, axis: int, nest: Nest) -> None:
    parts = _parts(code, roots, lead, axis)
    columns = [c for part in parts for c in _columns(code, part)] if lead.new else ()
    if columns and 0 < len(columns[0].node.axes) <= axis and _share(columns):
        nest(columns)
        return
    for part in parts:
        emit_cut(code, part, nest)


def _parts(code: Code, roots: Sequence[Root], lead: Joined, axis: int) -> Sequence[Sequence[Root]]:
    parts: list[Sequence[Root]] = []
    for number, (start, own) in enumerate(
        zip(lead.starts, fusion_cutter.lengths(lead), strict=True)
    ):
        # A loop of one iteration, inside of another one, takes as long as one of ten.
        is_row = lead.new or (own.dim == ONE and len(roots[0].node.axes) > 1)
        span = fusion_cutter.Span(start, None if is_row else own)
        parts.append(_cut(fusion_cutter.Cutter(code, number), roots, axis, span))
    return parts


def _columns(code: Code, roots: Sequence[Root]) -> Sequence[Root]:
    """Return the roots that are left where all stacks in some are cut; those that have others."""
    found = [(n, step) for root in roots for n, step in _steps(root.node).items()]
    if not found:
        return roots
    lead, axis = found[0]
    if not isinstance(lead, Joined) or not lead.new or not axis:
        return roots
    return [c for part in _parts(code, roots, lead, axis) for c in _columns(code, part)]


def _share(columns: Sequence[Root]) -> bool:
    """Whether parts of roots, which are columns of them, are computed in one nest."""
    nodes = [root.node for root in columns]
    return all(
        same_space(nodes[0].axes, node.axes)
        and not any(isinstance(n, Fold | Cut) for n in topological([node]))
        for node in nodes
    )


def _cut(
    cutter: fusion_cutter.Cutter, roots: Sequence[Root], axis: int, span: fusion_cutter.Span
) -> list[Root]:
    cut: list[Root] = []
    for root in roots:
        assert root.target is not None
        target = cutter.view(root.target, root.node.axes, axis, span)
        cut.append(Root(cutter.cut(root.node, axis, span), target))
    return cut


def _emit_spans(
    code: Code, roots: Sequence[Root], firsts: Sequence[Value], axis: int, nest: Nest
) -> None:
    """Emit a loop over the spans between the places where a rolled array has its first."""
    ends = [*_sorted(code, firsts), roots[0].node.axes[axis].size]

    def span(number: Value) -> None:
        low, high = code.number(0), ends[0]
        for place, (start, end) in enumerate(pairwise(ends), start=1):
            here = code.test(e.EQ, number, code.number(place))
            low, high = code.select(here, start, low), code.select(here, end, high)
        own = Axis(code.op(e.SUB, high, low), UNKNOWN)
        emit_cut(
            code,
            _cut(fusion_cutter.Cutter(code, 0), roots, axis, fusion_cutter.Span(low, own)),
            nest,
        )

    code.each(len(ends), span)


def _sorted(code: Code, numbers: Sequence[Value]) -> list[Value]:
    """Return a few numbers in their order."""
    found: list[Value] = []
    for number in numbers:
        for place, other in enumerate(found):
            found[place] = code.op(e.MINIMUM, other, number)
            number = code.op(e.MAXIMUM, other, number)
        found.append(number)
    return found
