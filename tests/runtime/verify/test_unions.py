"""Unions in files: their normal form."""

import pytest

from scriptc_runtime.errors import InvalidIRError
from scriptc_runtime.text.type_text import ir_text
from scriptc_runtime.types import FLOAT, INT, NONE, STR, ListType, OptionalType, UnionType
from scriptc_runtime.unions import union_of
from scriptc_runtime.verify.module import check_type

WRONG = (
    UnionType((INT,)),
    UnionType((INT, INT)),
    UnionType((STR, INT)),
    UnionType((NONE, INT, STR)),
    UnionType((INT, NONE)),
    UnionType((INT, OptionalType(STR))),
    UnionType((INT, UnionType((FLOAT, STR)))),
    UnionType((INT, ListType(INT), ListType(STR))),
)


@pytest.mark.parametrize("type_", WRONG, ids=ir_text)
def test_a_union_that_is_not_in_normal_form_is_refused(type_: UnionType) -> None:
    with pytest.raises(InvalidIRError):
        check_type(type_, {})


def test_members_are_in_one_order_whatever_they_are_made_of() -> None:
    made = union_of((OptionalType(STR), UnionType((INT, FLOAT))))
    assert made == UnionType((INT, FLOAT, STR, NONE))
    assert union_of((INT, NONE)) == OptionalType(INT)
    assert union_of((ListType(INT), ListType(STR))) is None
