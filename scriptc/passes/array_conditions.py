"""What must be known of a place where a rule on arrays may apply: questions with a name.

Each of them stands for a program that a rule would break without it, or make slower.
"""

from collections.abc import Callable, Sequence

from scriptc.analysis.instr_kinds import effects_of
from scriptc.passes.array_forms import (
    ELEMENTWISE,
    composed,
    is_dim_of,
    keeps_shape,
    letters_of,
    part_of,
    rank_of,
    signs_of,
    tensors_of,
    type_of,
)
from scriptc.passes.array_sections import PICKS, are_apart, goes_through
from scriptc.passes.array_sites import Site
from scriptc_runtime.ir import Instr
from scriptc_runtime.ops import (
    arrays,
    control,
    reductions,
)
from scriptc_runtime.record import replace
from scriptc_runtime.types import NONE, TensorType

# How many ops a view moves through: those of an expression, and no more than calls can be nested.
DEEPEST = 40
# Parts of one array that are computed each for itself: a row of coordinates or colours has few.
_MOST_PICKS = 8
Condition = Callable[[Site], bool]

EXTREMES = (reductions.MAX, reductions.MIN)
_FOLDS = frozenset(reductions.OPS)
# What takes elements of an array, or another view of it, and hands on no array as it is.
_READERS = ELEMENTWISE | _FOLDS | {arrays.VIEW, arrays.INDEX, arrays.DIM, arrays.TRANSPOSE}
# What makes arrays in C order, of whatever it is made of.
ROW_MAJOR = frozenset({arrays.MATMUL, arrays.FULL, arrays.ARANGE, arrays.COPY})


def is_new(site: Site) -> bool:
    """Whether the inner array is made by an op: nothing else shares its memory."""
    made = site.source
    return made is not None and made.op is not control.CALL and site.facts.values.is_new(made)


def is_used_once(site: Site) -> bool:
    """Whether nothing but the outer instruction ever looks at the inner array."""
    return site.facts.uses[site.inner.result] == 1


def is_near(site: Site) -> bool:
    """Whether both are computed equally often: no loop or branch lies between them."""
    return site.facts.are_near(site.inner.result, site.outer.result)


def is_still(site: Site) -> bool:
    """Whether what the inner instruction reads and gives is never written: it may be read later."""
    return site.facts.is_still(site.inner)


def never_raises(site: Site) -> bool:
    """Whether the inner op gives a result of any operands, and of each of their elements."""
    return not site.facts.may_raise(site.inner)


def is_unbroadcast(site: Site) -> bool:
    """Whether each array that the inner instruction reads has the shape of its result."""
    return keeps_shape(site.inner)


def is_read_once(site: Site) -> bool:
    """Whether no element of the inner array is looked at twice: parts may have many users."""
    if is_used_once(site):
        return True
    users = site.facts.users[site.inner.result]
    return (
        site.outer.op in PICKS
        and len(users) <= _MOST_PICKS
        and all(user.op in PICKS for user in users)
        and all(site.facts.are_near(user.result, site.inner.result) for user in users)
        and are_apart(site, users)
    )


def is_moved_through(site: Site) -> bool:
    """Whether the outer op may be done to each array that the inner op reads instead."""
    if keeps_shape(site.inner):
        return True
    return site.outer.op in PICKS and goes_through(site)


MOVES = (is_new, is_read_once, is_near, is_still, never_raises, is_moved_through)


def is_open_below(site: Site) -> bool:
    """Whether all that the inner array is computed of may be computed of parts, too.

    What is not would be stored for the sake of its part, where it was only passed through.
    """
    return _sources(site) is not None


def is_turned_back_below(site: Site) -> bool:
    """Whether all that the inner array is computed of is transposed, and that is undone.

    Others would be read across their rows where what is computed of them was stored along them.
    """
    found = _sources(site)
    return found is not None and all(
        made is not None
        and made.op is arrays.TRANSPOSE
        and is_back_in_order(replace(site, source=made))
        for made in found
    )


def _sources(site: Site) -> Sequence[Instr | None] | None:
    """Return what gives the arrays that the inner one is computed of; None if it has to stay."""
    found: list[Instr | None] = []
    pending: list[tuple[Instr | None, int]] = [(site.inner, 0)]
    while pending:
        made, depth = pending.pop()
        if made is None or made.op not in ELEMENTWISE:
            found.append(made)
            continue
        below = replace(site, source=made)
        if depth > DEEPEST or not all(needed(below) for needed in MOVES):
            return None
        tensors = [v for v in made.operands if isinstance(v.type, TensorType)]
        pending += [(site.facts.definition(v), depth + 1) for v in tensors]
    return found


def has_one_array(site: Site) -> bool:
    """Whether the inner instruction reads one array alone."""
    return len(tensors_of(site.inner)) == 1


def is_unseen(site: Site) -> bool:
    """Whether no caller can tell what the outer array shares memory with, or its strides."""
    return not site.facts.is_seen(site.outer.result)


def has_plain_layout(site: Site) -> bool:
    """Whether the outer array has the strides of a new one, or nobody outside can see them."""
    if not isinstance(site.outer.result.type, TensorType) or is_unseen(site):
        return True
    if site.outer.op is not arrays.VIEW or letters_of(site.outer) != "s":
        return False
    return rank_of(site.inner) == 1 and site.outer.operands[3].type is NONE


def is_row_major(site: Site) -> bool:
    """Whether the inner array has the layout of a copy, or nobody outside can see it."""
    return rank_of(site.inner) <= 1 or site.inner.op in ROW_MAJOR or is_unseen(site)


def is_read_element_by_element(site: Site) -> bool:
    """Whether the elements of the outer array are only computed with, wherever they are used."""
    users = site.facts.users.get(site.outer.result, ())
    return all(u.op in ELEMENTWISE or u.op in _FOLDS for u in users)


def is_flip_back(site: Site) -> bool:
    """Whether two views of whole axes turn the same axes round."""
    signs = signs_of(site, site.outer)
    return signs is not None and signs == signs_of(site, site.inner)


def is_whole(site: Site) -> bool:
    """Whether the outer view leaves all axes as they are."""
    return set(letters_of(site.outer)) <= {"s"} and all(
        v.type is NONE for v in site.outer.operands[1:]
    )


def is_back_in_order(site: Site) -> bool:
    """Whether one transpose undoes the other."""
    order = composed(site)
    return order == tuple(range(len(order)))


def is_own_shape(site: Site) -> bool:
    """Whether an array is reshaped to the shape it has."""
    array, *sizes = site.outer.operands
    return len(sizes) == type_of(array).rank and all(
        is_dim_of(site, size, array, axis) for axis, size in enumerate(sizes)
    )


def is_a_view(site: Site) -> bool:
    """Whether an array that is reshaped to its own shape is seen as it is, and never copied."""
    if not site.outer.attrs["dense"]:
        return True
    return is_new(site) and (rank_of(site.inner) <= 1 or site.inner.op in ROW_MAJOR)


def is_no_object(site: Site) -> bool:
    """Whether nobody gets the outer array itself, so that it may be the inner one.

    A caller who gets both, or who gave one, can tell that they are two.
    """
    users = site.facts.users.get(site.outer.result, ())
    if is_unseen(site) or all(u.op in _READERS for u in users):
        return True
    return site.source is not None and is_used_once(site) and is_near(site) and is_new(site)


def is_order_free(site: Site) -> bool:
    """Whether a fold gives the same in any order of the elements, also the sign of an overflow."""
    kind = type_of(site.outer.operands[0]).dtype.kind
    return kind in "biu" or (site.outer.op in EXTREMES and kind == "f")


def folds_all(site: Site) -> bool:
    """Whether the outer instruction folds all axes to a scalar."""
    axis, rank = site.outer.attrs["axis"], rank_of(site.inner)
    is_all = axis is None or rank == 1 or (isinstance(axis, tuple) and len(axis) == rank)
    return is_all and not site.outer.attrs["keepdims"]


def is_still_or_view(site: Site) -> bool:
    """Whether the elements that the inner array was made of are in their place later on."""
    return not effects_of(site.inner).allocates or is_still(site)


def is_only_read(site: Site) -> bool:
    """Whether nobody writes to the outer array, and no caller gets it."""
    return is_unseen(site) and not site.facts.is_written(site.outer.result)


def is_a_part(site: Site) -> bool:
    """Whether all that is used of joined arrays are some of them, or lies inside of one."""
    known = site.facts.answers
    if site.inner not in known:
        users = site.facts.users.get(site.inner.result, ())
        known[site.inner] = all(u.op is arrays.VIEW and part_of(site, u) for u in users)
    return known[site.inner]


def takes_a_vector(site: Site) -> bool:
    """Whether a product of matrices is multiplied by a vector, and all sizes are known to fit."""
    ranks = [type_of(v).rank for v in (*site.inner.operands, site.outer.operands[1])]
    return ranks == [2, 2, 1] and not effects_of(site.outer).raises
