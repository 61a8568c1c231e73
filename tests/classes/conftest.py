"""Tests of classes collect garbage often, and move objects, which thaws what is frozen."""

import pytest


@pytest.fixture(autouse=True)
def _only_what_is_new_to_each(only_what_is_new: None) -> None:
    """Freeze anew what there is before each."""
