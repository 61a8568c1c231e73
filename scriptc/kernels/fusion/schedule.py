"""Which roots share a nest, and which versions of it there are.

Every nest that reads arrays of unknown layout has two versions behind one test: a fast one for
operands with contiguous rows whose broadcasting is trivial, and one for everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from scriptc.analysis.costs import scalar_cost
from scriptc.analysis.instr_kinds import VECTORISED
from scriptc.analysis.remarks import (
    VERSIONS,
    Kind,
    Message,
    Named,
    PartOf,
    Reason,
    Topic,
    listed,
    made_at,
    place_near,
    remark,
    remarks_wanted,
)
from scriptc.kernels.builder import Code
from scriptc.kernels.fusion import nests, shapes
from scriptc.kernels.fusion.cuts import are_cut_together, emit_cut, has_cuts, unreadable
from scriptc.kernels.fusion.fortran_order import AlongMemory, along_memory, reads_copies, turned
from scriptc.kernels.fusion.index_paths import reads
from scriptc.kernels.fusion.nodes import (
    Axes,
    Fold,
    Joined,
    Map,
    Node,
    Part,
    Pick,
    Rolled,
    Scalar,
    Source,
    children,
    is_costly,
    same_space,
    sources,
    substitute,
    topological,
    uncertain_axes,
)
from scriptc.kernels.fusion.reductions import leading_axes
from scriptc.kernels.fusion.reductions import moments as reductions_moments
from scriptc.kernels.fusion.spaced_arrays import PACKED, arrays_to_pack, packed
from scriptc_runtime.ir import NOWHERE, Loc, Value
from scriptc_runtime.ops import elementwise as e
from scriptc_runtime.ops import low
from scriptc_runtime.record import replace
from scriptc_runtime.types import TensorType

FUSED = Message("fuse", Topic.FUSION, Kind.DONE, "one loop for this line and {lines}")
ONE_LOOP = Message(
    "fuse", Topic.FUSION, Kind.DONE, "one loop for its {count} operations, without temporaries"
)
APART = Message(
    "fuse",
    Topic.FUSION,
    Kind.MISSED,
    "the {kind} has a loop of its own, before what uses it: {why}",
)
TWO_VERSIONS = Message(
    "fuse",
    Topic.VERSIONS,
    Kind.NOTE,
    "two versions; a guard chooses the fast one: {conditions}",
)
ONE_VERSION = Message(
    "fuse", Topic.VERSIONS, Kind.NOTE, "one version, for any layout of {arrays}: {why}"
)

# What follows from folds of rows, in the units of `costs.py`, from where on it has an own loop.
_MUCH_BEHIND = 9

Known = dict[Node, Node]  # what is in memory or in a register already


def materialise(
    code: Code,
    nodes: Sequence[Node],
    targets: Mapping[Node, Value] | None = None,
    *,
    versions: bool = True,
) -> list[Value]:
    """Emit nests that compute `nodes` and return their values: arrays, or scalars of full folds.

    `targets` names existing arrays to compute into; others are new.  Without `versions` there
    is only the code for any layout: for work too small, or too rare, to be worth two.
    """
    known: Known = {}
    for node in unreadable(nodes):
        rewritten = substitute(node, known, {})
        into = {rewritten: targets[node]} if targets and node in targets else {}
        known |= _all_in_memory(code, [node], materialise(code, [rewritten], into))
    later = {n: folds for n in nodes if (folds := _folds_before(n))}
    first = [fold for folds in later.values() for fold in folds]
    waiting = [n for n in dict.fromkeys([*first, *nodes]) if n not in known]
    while waiting:
        ready = [n for n in waiting if all(fold in known for fold in later.get(n, ()))]
        group_nodes = _next_group(code, ready, known, targets or {})
        if group_nodes:
            memo: dict[Node, Node] = {}  # of all, so that what they share stays one node
            roots = [_root(code, n, known, memo, (targets or {}).get(n)) for n in group_nodes]
            scalars = iter(emit_cut(code, roots, partial(_nest, code, versions=versions)))
            for node, root in zip(group_nodes, roots, strict=True):
                value = next(scalars) if root.target is None else root.target
                known[node] = _in_memory(code, node, value)
        waiting = [n for n in waiting if n not in known]
    return [_value(known[n]) for n in nodes]


def _nest(code: Code, roots: Sequence[nests.Root], *, versions: bool) -> Sequence[Value]:
    """Emit the nest of roots that are not cut, and return the scalars of those without targets."""
    group = _group(_gathered(code, roots) if versions else roots)
    if remarks_wanted():
        _say(group)
    run, copies = nests.NestEmitter.emit, reads_copies(code, group)
    nest = partial(emit_versions, code, group, run, versions=versions, copies=copies)
    return _or_along_columns(code, group, nest) if versions else nest()


def _folds_before(node: Node) -> Sequence[Fold]:
    """Return the folds of rows that are stored before what follows from one number of each row.

    np.log(np.sum(x, axis=1))       the sums, and then the logarithms, several at a time

    In the loop over rows these would be computed alone: it pays for functions, and for much else.
    """
    rows, misfit = _row_space(node, {})
    if not isinstance(node, Map) or misfit is not None or not rows:
        return ()
    if any(not axis.is_one for axis in node.axes[len(rows) :]):
        return ()
    above, found = set[Node](), dict[Fold, None]()
    is_costly_above, work, todo = False, 0, [(node, False)]
    while todo:
        each, costly = todo.pop()
        if isinstance(each, Fold):
            found[each] = None
            is_costly_above = is_costly_above or costly
        elif each not in above:
            above.add(each)
            if isinstance(each, Map) and each.op is not None:
                costly = costly or each.op in VECTORISED
                work += scalar_cost(each.op)
            todo += [(child, costly) for child in children(each)]
    return tuple(found) if is_costly_above or work >= _MUCH_BEHIND else ()


def _say(group: nests.Group) -> None:
    """Leave remarks on what is computed in one loop."""
    nodes = [n for n in topological([r.node for r in group.roots]) if isinstance(n, Map | Fold)]
    computed = [n for n in nodes if isinstance(n, Fold) or n.op is not None]
    places = list({(n.loc.line, n.loc.function, n.loc.caller): n.loc for n in computed}.values())
    several = False
    for loc in places:
        others = [p for p in (place_near(p, loc) for p in places) if p.line != loc.line]
        several = several or bool(others)
        # The number of a line in another file would be taken for one of this file.
        known = [p for p in others if p.file == loc.file]
        if known:
            numbers = sorted({p.line for p in known})
            text = f"line{'s' if len(numbers) > 1 else ''} {listed(list(map(str, numbers)))}"
            remark(FUSED, loc, lines=text)
    if len(computed) > 1 and not several:
        remark(ONE_LOOP, computed[-1].loc, count=len(computed))


def _value(node: Node) -> Value:
    match node:
        case Source(array):
            return array
        case Scalar(value):
            return value
        case _:
            raise TypeError(node)


def _in_memory(code: Code, node: Node, value: Value) -> Node:
    if isinstance(value.type, TensorType):
        return Source(value, shapes.axes_of(code, value))
    return Scalar(value, node.dtype)


def _gathered(code: Code, roots: Sequence[nests.Root]) -> Sequence[nests.Root]:
    """Return the roots with rows that are met again and again copied, where they lie scattered.

    x[:, 0:1].T - x[:, 0:1]         one row of the first for all rows of the result
    """
    rows: dict[Value, Value] = {}
    for node in topological([r.node for r in roots]):
        if not isinstance(node, Map):
            continue
        for arg in node.args:
            if isinstance(arg, Source) and _is_scattered_row(code, arg, node):
                rows[arg.array] = rows.get(arg.array) or _in_a_row(code, arg)
    read = sources([r.node for r in roots])
    known: Known = {s: Source(rows[s.array], s.axes) for s in read if s.array in rows}
    if not known:
        return roots
    memo: dict[Node, Node] = {}
    return [replace(r, node=substitute(r.node, known, memo)) for r in roots]


def _is_scattered_row(code: Code, source: Source, user: Map) -> bool:
    """Whether an array is scattered, and has one row for many of the user's."""
    own, axes = source.axes, user.axes
    if not (own and source.place is None and code.is_scattered(source.array)):
        return False
    pairs = [o.is_repeated(a) for o, a in zip(own, axes[-len(own) :], strict=True)]
    return not pairs[-1] and (len(own) < len(axes) or any(pairs))


def _in_a_row(code: Code, source: Source) -> Value:
    """Return the array itself where its rows are contiguous, a copy elsewhere."""

    def itself() -> Sequence[Value]:
        return (source.array,)

    def copy() -> Sequence[Value]:
        # By its own sizes: those of the user may go by other names.
        own = shapes.axes_of(code, source.array)
        node = Map(None, {}, (Source(source.array, own),), source.dtype, own, code.loc)
        return materialise(code, [node], versions=False)

    (array,) = code.choose(code.op(low.IS_CONTIGUOUS, source.array), itself, copy, "row")
    return array


def _root(
    code: Code, node: Node, known: Known, memo: dict[Node, Node], target: Value | None
) -> nests.Root:
    rewritten = substitute(node, known, memo)
    is_scalar = isinstance(node, Fold) or (isinstance(node, Map) and node.is_scalar)
    if target is None and (node.axes or not is_scalar):
        type_ = TensorType(node.dtype, tuple(a.dim for a in node.axes))
        target = code.new_array(type_, [a.size for a in node.axes])
        if isinstance(node, Map | Fold | Pick | Joined | Rolled):
            made_at(target, node.loc)
    return nests.Root(rewritten, target)


def _next_group(
    code: Code, waiting: Sequence[Node], known: Known, targets: Mapping[Node, Value]
) -> list[Node]:
    """Return nodes that share a nest; computes first, alone, the folds that no row can hold.

    No node is left for a nest where the first one waiting is such a fold.
    """
    # One with folds that fit a row first: what it computes on the way may be waiting too.
    lead = next((n for n in waiting if _fills_rows(n, known)), waiting[0])
    while True:
        rows, misfit = _row_space(lead, known)
        if misfit is None:
            break
        if misfit is not lead:
            remark(APART, misfit.loc, kind=misfit.kind, why=_why_apart(misfit))
        known |= _before_rows(code, misfit, waiting, known, targets)
        if misfit is lead:
            return []
    members = [lead]
    for other in waiting:
        if other is lead or other in known:
            continue
        other_rows, other_misfit = _row_space(other, known)
        if other_misfit is not None:
            continue
        if has_cuts(lead, known) or has_cuts(other, known):
            free = rows is None and other_rows is None and same_space(lead.axes, other.axes)
            may = free and are_cut_together(members, other, known)
        else:
            beside = other not in targets and _may_stand_beside(lead, rows, other, other_rows)
            may = beside or _may_share(lead, rows, other, other_rows)
        if may:
            members.append(other)
    return members


def _before_rows(
    code: Code,
    fold: Fold,
    waiting: Sequence[Node],
    known: Known,
    targets: Mapping[Node, Value],
) -> Known:
    """Compute a fold that no row can hold, and what is computed with it; return where they are."""
    # What is computed into an array that is there has its turn when it is not read any more.
    again = [n for n in _met_again(fold, waiting, known) if n not in targets]
    same = (
        reductions_moments.same_folds(fold, waiting, {**known, **targets})
        if fold not in targets
        else ()
    )
    together = code.versions and code.has_functions and not again and fold not in targets
    moments = (
        reductions_moments.moments_of(fold, same, waiting, known, targets) if together else None
    )
    if moments is not None:
        emitters = reductions_moments.Emitters(materialise, emit_versions, _alone_leading)
        found = reductions_moments.sum_together(code, moments, known, emitters)
    else:
        found = _alone(code, fold, again, known, targets.get(fold))
    return found | reductions_moments.views_of(code, same, found[fold])


def _why_apart(fold: Fold) -> Reason:
    if not fold.is_trailing:
        return Reason("axis {axes} comes before one that is kept", axes=fold.reduced)
    return Reason("all of it is needed before the first element of the result")


def _fills_rows(node: Node, known: Known) -> bool:
    rows, misfit = _row_space(node, known)
    return rows is not None and misfit is None


def _met_again(fold: Fold, waiting: Sequence[Node], known: Known) -> list[Node]:
    """Return what a fold has in common with what is computed later, and costs more than a load.

    r = a / b
    return r - np.sum(r)          r is stored where it is summed up, not divided twice
    """
    if not is_costly(fold.arg):
        return []
    own = topological([fold], known)
    others = set(topological(waiting, known)).difference(own)
    used = {child for node in others for child in children(node)}.union(waiting)
    found: dict[Node, None] = {}
    todo = [fold.arg]
    while todo:
        node = todo.pop()
        if isinstance(node, Map) and node.axes and node in used and is_costly(node):
            found[node] = None
        elif isinstance(node, Map | Part) and node not in known:
            todo += children(node)
    return [node for node in found if node not in known]


def _alone(
    code: Code, fold: Fold, again: Sequence[Node], known: Known, target: Value | None
) -> Known:
    """Compute a fold, and with it what is met again; return where they are."""
    nodes, memo = [fold, *again], dict[Node, Node]()
    if not fold.is_trailing:
        values = materialise(code, [substitute(node, known, memo) for node in again])
        found = _all_in_memory(code, again, values)
        return found | {fold: _alone_leading(code, fold, known | found, target)}
    rewritten = [substitute(node, known, memo) for node in nodes]
    values = materialise(code, rewritten, {} if target is None else {rewritten[0]: target})
    return _all_in_memory(code, nodes, values)


def _all_in_memory(code: Code, nodes: Sequence[Node], values: Sequence[Value]) -> Known:
    pairs = zip(nodes, values, strict=True)
    return {node: _in_memory(code, node, value) for node, value in pairs}


def _alone_leading(code: Code, fold: Fold, known: Mapping[Node, Node], into: Value | None) -> Node:
    arg = substitute(fold.arg, known, {})
    folds = [n for n in topological([arg]) if isinstance(n, Fold)]
    if folds and is_costly(arg):
        (array,) = materialise(code, [arg])
        arg = Source(array, shapes.axes_of(code, array))
    elif folds:
        inner = _all_in_memory(code, folds, materialise(code, folds))
        arg = substitute(arg, inner, {})
    fold = replace(fold, arg=arg)
    type_ = TensorType(fold.dtype, tuple(a.dim for a in fold.axes))
    target = code.new_array(type_, [a.size for a in fold.axes]) if into is None else into

    def run(emitter: nests.NestEmitter) -> Sequence[Value]:
        leading_axes.accumulate(code, emitter, fold, target)
        return ()

    nest = nests.Group([nests.Root(arg, None)], (), [])
    emit = partial(emit_versions, code, nest, run)
    _or_along_columns(code, nests.Group([nests.Root(fold, target)], (), [fold]), emit)
    return Source(target, shapes.axes_of(code, target))


def _or_along_columns(
    code: Code, group: nests.Group, nest: Callable[[], Sequence[Value]]
) -> Sequence[Value]:
    """Emit a nest, and what is a lone fold of one axis also for arrays that lie in columns."""
    root, *others = group.roots
    fold, target = root.node, root.target
    if others or target is None or not isinstance(fold, Fold) or not code.versions:
        return nest()
    arrays = [s.array for s in sources([fold]) if s.axes]
    if any(code.has_rows(a) or code.is_made(a) for a in arrays):
        return nest()
    found = turned(code, fold, list(dict.fromkeys(arrays)))
    if found is None:
        return nest()

    def along_columns() -> Sequence[Value]:
        dense = {a: code.op(low.ASSUME_CONTIGUOUS, view) for a, view in found.arrays.items()}
        if found.fold.is_trailing:
            turned_group = _group([nests.Root(found.of_rows, target)])
            return nests.NestEmitter(code, turned_group, dense, fast=True).emit()
        emitter = nests.NestEmitter(
            code, nests.Group([nests.Root(found.fold.arg, None)], (), []), dense, fast=True
        )
        leading_axes.accumulate(code, emitter, found.fold, target)
        return ()

    tests = [
        code.test(e.EQ, a.size, b.size) for a, b in uncertain_axes([r.node for r in group.roots])
    ]
    return code.choose(code.both([*tests, found.condition]), along_columns, nest, "columns")


def _row_space(root: Node, known: Known) -> tuple[Axes | None, Fold | None]:
    """Return the rows that the folds under `root` share (None without folds), and a misfit.

    A misfit is a fold that a row loop of this root cannot compute.
    """
    folds = [n for n in topological([root], known) if isinstance(n, Fold)]
    for fold in folds:
        if not fold.is_trailing:
            return None, fold
    if not folds:
        return None, None
    outermost = folds[-1]
    rows = outermost.arg.axes[: outermost.depth]
    for fold in folds:
        if not same_space(fold.arg.axes[: fold.depth], rows):
            return None, fold
    misaligned = _misaligned(root, len(rows), known)
    return rows, misaligned


def _misaligned(root: Node, depth: int, known: Known) -> Fold | None:
    """Return a fold that is not read at the very row it belongs to, if there is one."""
    rows = tuple(range(depth))
    for node, path in reads(root, known):
        if isinstance(node, Fold) and node not in known and path[:depth] != rows:
            return node
    return None


def _may_share(lead: Node, rows: Axes | None, other: Node, other_rows: Axes | None) -> bool:
    match rows, other_rows:
        case None, None:
            return same_space(lead.axes, other.axes)
        case None, _:
            return False
        case _, None:
            # The loop of a fold can store what it computes anyway.
            within = is_costly(other) and same_space(other.axes[: len(rows)], rows)
            return within and other in topological([lead])
        case (), ():
            # Folds of other elements have nothing to gain, and would share guards.
            return _fold_alike(lead, other)
        case _:
            return same_space(rows, other_rows)


def _fold_alike(first: Node, second: Node) -> bool:
    """Whether folds of the two are over one space."""
    return any(
        same_space(one.arg.axes, other.arg.axes)
        for one in topological([first])
        if isinstance(one, Fold)
        for other in topological([second])
        if isinstance(other, Fold)
    )


def _may_stand_beside(lead: Node, rows: Axes | None, other: Node, other_rows: Axes | None) -> bool:
    """Whether a fold of all elements and a new array of one axis are made of the same elements.

    Each has a loop of its own; `fuse_siblings` makes one of them, so memory is read once.
    """
    if rows != () or other_rows is not None or len(other.axes) != 1:
        return False
    folds = [n for n in topological([lead]) if isinstance(n, Fold)]
    if not any(same_space(fold.arg.axes, other.axes) for fold in folds):
        return False
    read = {source.whole for source in sources([lead]) if source.axes}
    return any(source.whole in read for source in sources([other]) if source.axes)


def emit_versions(
    code: Code,
    group: nests.Group,
    run: Callable[[nests.NestEmitter], Sequence[Value]],
    *,
    versions: bool = True,
    copies: bool = False,
) -> Sequence[Value]:
    """Emit a nest with `run`, in two versions where layout or broadcasting is unknown.

    Arguments in Fortran's order are read along memory where that changes no result. With `copies`
    a large one is copied elsewhere: to copy turns blocks of it in registers, and the fast version
    then takes far less time than the other one.
    """
    arrays = _not_made_here(code, group)
    unknown = [a for a in arrays if not code.has_rows(a)]
    pairs = uncertain_axes([r.node for r in group.roots])
    apart = arrays_to_pack(code, group, unknown) if versions and code.versions else ()
    unknown = [a for a in unknown if a not in apart]
    if apart:
        remark(PACKED, _place(group), arrays=[Named(a, {}) for a in apart])

    def fast(nest: AlongMemory) -> Sequence[Value]:
        near = dict(nest.arrays) | {a: packed(code, a) for a in apart}
        dense = {a: code.op(low.ASSUME_CONTIGUOUS, near.get(a, a)) for a in arrays}
        with code.same_sizes((b.size, a.size) for a, b in pairs if not a.seems_one):
            return run(nests.NestEmitter(code, nest.group, dense, fast=True))

    if not unknown and not pairs:
        return fast(AlongMemory({}, group))
    if not (versions and code.versions) or any(map(code.is_spaced, unknown)):
        spaced = any(map(code.is_spaced, unknown))
        why = "elements are apart in memory" if spaced else "it runs seldom"
        remark(ONE_VERSION, _place(group), arrays=[Named(a, {}) for a in unknown], why=why)
        return run(_for_any_layout(code, group))

    if remarks_wanted():
        remark(TWO_VERSIONS, _place(group), conditions=_conditions(unknown, len(pairs)))
    one = code.number(1)
    conditions = [code.test(e.EQ, a.size, one if a.seems_one else b.size) for a, b in pairs]
    nest = AlongMemory({}, group)
    if unknown:
        is_mixed = len(unknown) < len(arrays)
        nest = along_memory(code, group, unknown, conditions if copies else None, mixed=is_mixed)
        conditions.append(code.op(low.IS_CONTIGUOUS, *nest.arrays.values()))
    return code.choose(
        code.both(conditions),
        lambda: fast(nest),
        lambda: run(_for_any_layout(code, group)),
        VERSIONS,
    )


def _place(group: nests.Group) -> Loc:
    nodes = topological([r.node for r in group.roots])
    places = [n.loc for n in nodes if isinstance(n, Map | Fold | Pick)]
    return next((loc for loc in reversed(places) if loc is not NOWHERE), NOWHERE)


def _conditions(unknown: Sequence[Value], pairs: int) -> list[Reason]:
    found: list[Reason] = []
    if unknown:
        names = [PartOf(a) for a in unknown]
        found.append(Reason("elements of {arrays} are neighbours in memory", arrays=names))
    if pairs:
        found.append(Reason("nothing is broadcast along axes of unknown size"))
    return found


def _for_any_layout(code: Code, group: nests.Group) -> nests.NestEmitter:
    """Return the emitter for any layout and broadcasting, after computing what is sliced.

    Computed at each place that it is read at, it would be a nest of enormous length.
    """
    known: Known = {}
    for node in topological([r.node for r in group.roots]):
        if isinstance(node, Part) and not isinstance(node.arg, Source) and node.arg not in known:
            rewritten = substitute(node.arg, known, {})
            (array,) = materialise(code, [rewritten], versions=False)
            known[node.arg] = Source(array, shapes.axes_of(code, array))
    if known:
        memo: dict[Node, Node] = {}
        group = _group([replace(r, node=substitute(r.node, known, memo)) for r in group.roots])
    return nests.NestEmitter(code, group, {}, fast=False)


def _group(roots: Sequence[nests.Root]) -> nests.Group:
    nodes = [r.node for r in roots]
    folds = [n for n in topological(nodes) if isinstance(n, Fold)]
    rows = folds[-1].arg.axes[: folds[-1].depth] if folds else ()
    return nests.Group(roots, rows, folds)


def _not_made_here(code: Code, group: nests.Group) -> list[Value]:
    """Return the arrays of which their definition does not tell their order, each once."""
    read = [s.whole for s in sources([r.node for r in group.roots]) if s.axes]
    written = [r.target for r in group.roots if r.target is not None and r.node.axes]
    return [a for a in dict.fromkeys((*read, *written)) if not code.is_made(a)]
