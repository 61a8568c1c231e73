"""np.einsum: a product of matrices where it is one, else a sum over broadcast products."""

from collections.abc import Mapping, Sequence

import numpy as np

from scriptc.check.bindings import Typed
from scriptc.check.checked import After, Computation
from scriptc.check.conversion import converted
from scriptc.check.library.call import Library, LibraryCall, common
from scriptc.check.numpy import array_parts
from scriptc.check.numpy import reductions as numpy_reductions
from scriptc.check.numpy.contractions import Labelled, contraction, ordered
from scriptc.check.numpy.products import turned
from scriptc.check.operators import common_dtype
from scriptc_runtime.ops import arrays, elementwise, reductions
from scriptc_runtime.types import DType


def _einsum(call: LibraryCall) -> Typed:
    known = call.typed("subscripts").known
    if known is None or not isinstance(known.value, str):
        call.refuse("the subscripts must be a constant string", call.nodes["subscripts"])
    call.drop("subscripts")
    operands = [call.array(name) for name in ("a", "b", "c") if name in call.values]
    labels, out = _labels(call, known.value.replace(" ", ""), operands)
    operands = common(operands, common_dtype)
    single = len(operands) == 1 and set(labels[0]) == set(out)
    names = ["single operand" if single else f"operand {i}" for i in range(len(operands))]
    given = zip(operands, labels, names, strict=True)
    parts = [_diagonal(call, value, own, name) for value, own, name in given]
    if len(parts) > 2:
        parts = _of_two(call, parts, out)
    if len(parts) == 2:
        found = contraction(call, parts[0], parts[1], out)
        if found is not None:
            return call.result(found.value)
    return _sum_of_products(call, parts, out)


def _of_two(call: LibraryCall, parts: list[Labelled], out: str) -> list[Labelled]:
    """Return two arrays for three, where the product of two of them leaves labels out."""
    for first, second, other in ((0, 1, 2), (1, 2, 0)):
        needed = {*out, *parts[other].labels}
        both = dict.fromkeys(parts[first].labels + parts[second].labels)
        kept = "".join(label for label in both if label in needed)
        found = contraction(call, parts[first], parts[second], kept)
        if found is not None:
            return [found, parts[other]] if other == 2 else [parts[other], found]
    return parts


def _sum_of_products(call: LibraryCall, parts: Sequence[Labelled], out: str) -> Typed:
    dtype = numpy_reductions.dtype_of(parts[0].value)
    times = elementwise.AND if dtype is DType.B1 else elementwise.MUL
    order = _order(parts, out)
    whole: Computation | None = None
    for part in parts:
        own = part.labels
        placed = [label for label in order if label in own]
        value = turned(call, part.value, [own.index(label) for label in placed])
        letters = "".join("s" if label in own else "n" for label in order)
        value = (
            array_parts.view(call, value, letters, *array_parts.WHOLE * len(own))
            if "n" in letters
            else value
        )
        if whole is None:
            whole = value
            continue
        whole = call.context.apply(call.node, times, whole, value)
    assert whole is not None
    axes = tuple(axis for axis, label in enumerate(order) if label not in out)
    if not axes:
        if len(parts) == 1:
            return call.apply(arrays.COPY, whole)
        if dtype.kind in "fc":
            # NumPy adds products to zeros: none is -0.0.
            zero = numpy_reductions.constant_of(0, dtype)
            whole = call.context.apply(call.node, elementwise.ADD, whole, zero)
        return call.result(whole)
    total = call.context.apply(call.node, reductions.SUM, whole, axis=axes, keepdims=False)
    kept = "".join(label for label in order if label in out)
    # A sum of narrow integers is wider, and one of bools their number.
    made = Labelled(converted(total, dtype), kept)
    return call.result(ordered(call, made, out).value)


def _order(parts: Sequence[Labelled], out: str) -> str:
    """Return the order of the axes of products: what is summed lies as in the largest array."""
    every = dict.fromkeys("".join(part.labels for part in parts))
    if all(label in out for label in every):
        return out
    largest = max(parts, key=lambda part: len(part.labels))
    return "".join(dict.fromkeys((*largest.labels, *every)))


def _labels(call: LibraryCall, text: str, operands: Sequence[Computation]) -> tuple[list[str], str]:
    """Return the labels of the axes of each operand, and of the result."""
    at = call.nodes["subscripts"]
    left, arrow, out = text.partition("->")
    labels = left.split(",")
    if len(labels) != len(operands):
        call.refuse(f"{len(labels)} groups of labels for {len(operands)} arrays", at)
    labels = [_named(call, own, value) for own, value in zip(labels, operands, strict=True)]
    every = "".join(labels)
    others = "".join(sorted({label for label in every if not label.isascii()}, reverse=True))
    if not arrow:
        single = [c for c in sorted(every) if c.isascii() and every.count(c) == 1]
        out = others + "".join(single)
    elif others and "..." not in out:
        call.refuse("the axes of the ellipsis are missing in the result", at, 'write "...->..."')
    out = out.replace("...", others)
    if len(set(out)) != len(out) or not set(out) <= set(every):
        call.refuse(f"{out!r} does not name axes of the arrays", at)
    return labels, out


def _named(call: LibraryCall, own: str, value: Computation) -> str:
    """Return the labels of one operand, with Greek ones from the last axis of an ellipsis on."""
    letters = own.replace("...", "", 1)
    more = numpy_reductions.rank_of(value) - len(letters)
    if (letters and not (letters.isalpha() and letters.isascii())) or (
        more < 0 if "..." in own else more != 0
    ):
        call.refuse(
            f"{own!r} does not name each axis of {value.type}",
            call.nodes["subscripts"],
            "one letter for each axis, or an ellipsis for those that have none",
        )
    # Labels that are not ASCII: none of those that were written is one of them.
    return own.replace("...", "".join(chr(0x3B1 + axis) for axis in reversed(range(more))))


def _diagonal(call: LibraryCall, value: Computation, own: str, operand: str) -> Labelled:
    """Return an operand with each label once: of axes that have the same one the diagonal."""
    for label in dict.fromkeys(own):
        while own.count(label) > 1:
            first, second = own.index(label), own.rindex(label)
            sizes = (
                array_parts.size_of(call, value, first),
                array_parts.size_of(call, value, second),
            )
            check = call.standard(
                "shapes", "require_one_size", *sizes, label=label, operand=operand
            )
            rest = [
                axis
                for axis in range(numpy_reductions.rank_of(value))
                if axis not in (first, second)
            ]
            rows = turned(call, After((check,), value, value.type), [*rest, first, second])
            name = "diagonals" if rest else "diagonal"
            value = call.standard("shapes", name, rows, array_parts.number(0))
            own = "".join(own[axis] for axis in rest) + label
    return Labelled(value, own)


TABLE: Mapping[object, Library] = {
    np.einsum: Library("np.einsum", ("subscripts", "a", "b", "c"), 2, _einsum, displays=True),
}
