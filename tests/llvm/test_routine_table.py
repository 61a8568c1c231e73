"""Routines and rules are found by name, and what is found loads no more than its own module."""

from scriptc.backends.llvm.routine_table import MODULES, routines
from scriptc.backends.llvm.rules.table import RULES


def test_the_names_of_a_module_are_those_of_its_routines() -> None:
    for names, load in MODULES:
        assert sorted(names.split()) == sorted(load())


def test_every_routine_and_rule_is_found() -> None:
    for table in (routines(), RULES):
        assert list(table.values())
