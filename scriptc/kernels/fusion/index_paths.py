"""At which index of a root the nodes under it are read.

A path has one step for each axis of a node: the number of the root's axis that gives the index,
`FOLDED` where a fold runs over all of the axis, `OTHER` where neither is known.

    x / sum(x, axis=1, keepdims=True)       x is read at (0, 1) and, by the fold, at (0, FOLDED)
"""

import enum
from collections.abc import Container, Iterator

from scriptc.kernels.fusion.nodes import Axes, Fold, Joined, Map, Node, Part, Pick, Rolled, Split


class Step(enum.Enum):
    """Steps that follow no axis of the root."""

    FOLDED = "folded"
    OTHER = "other"


FOLDED, OTHER = Step.FOLDED, Step.OTHER
Path = tuple[int | Step, ...]


def reads(
    root: Node, known: Container[Node] = (), *, broadcast: bool = True
) -> Iterator[tuple[Node, Path]]:
    """Yield each node under `root` with each path it is read by; not below nodes in `known`.

    Without `broadcast` no axis is taken for one that may be: a node with the axes of the root is
    not, as all that it is combined with has to fit into them.
    """
    todo: list[tuple[Node, Path]] = [(root, tuple(range(len(root.axes))))]
    seen: set[tuple[Node, Path]] = set()
    while todo:
        item = todo.pop()
        if item in seen:
            continue
        seen.add(item)
        yield item
        node, path = item
        if node in known:
            continue
        match node:
            case Fold():
                todo.append((node.arg, _through_fold(node, path)))
            case Map():
                todo += [
                    (a, _through_broadcast(a.axes, node.axes, path, sure=not broadcast))
                    for a in node.args
                ]
            case Part() | Pick() | Joined() | Rolled() | Split():
                todo += _at_other_places(node, path)
            case _:
                pass


def _at_other_places(
    node: Part | Pick | Joined | Rolled | Split, path: Path
) -> list[tuple[Node, Path]]:
    match node:
        case Part():
            # The same index where nothing is left out before it.
            steps = zip(path, node.starts, strict=True)
            return [(node.arg, tuple(OTHER if start else step for step, start in steps))]
        case Pick():
            source = (node.source, (*[OTHER] * len(node.places), *path[node.lead :]))
            lists = zip(node.places, node.along, strict=True)
            return [source, *((place, (path[axis],)) for place, axis in lists)]
        case Joined():
            own = () if node.new else (OTHER,)
            along = (*path[: node.axis], *own, *path[node.axis + 1 :])
            return [(part, along) for part in node.parts]
        case Rolled():
            return [(node.arg, (*path[: node.axis], OTHER, *path[node.axis + 1 :]))]
        case Split():
            return [(node.arg, (OTHER, *path[node.count :]))]


def _through_fold(fold: Fold, path: Path) -> Path:
    steps = iter(path)
    inner: list[int | Step] = []
    for axis in range(len(fold.arg.axes)):
        if axis not in fold.reduced:
            inner.append(next(steps))
            continue
        if fold.kept:
            next(steps)
        inner.append(FOLDED)
    return tuple(inner)


def _through_broadcast(own: Axes, axes: Axes, path: Path, *, sure: bool) -> Path:
    offset = len(axes) - len(own)
    return tuple(
        path[offset + i] if sure or axis.same(axes[offset + i]) else OTHER
        for i, axis in enumerate(own)
    )
