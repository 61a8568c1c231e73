"""Functions behind `functools.cache` are called as often as in Python, in each call from there."""

# Functions without annotation are what these programs are about.
# pyright: basic

import functools

import pytest

from scriptc import script


@functools.cache
def told(n):
    print("told", n)
    return n


@functools.lru_cache(maxsize=0)
def told_again(n):
    print("again", n)
    return n


@functools.cache
@script(backend="interp")
def scripted(n):
    print("scripted", n)
    return n if n < 2 else scripted(n - 1) + scripted(n - 2)


@functools.cache
def refused(n):
    print("refused", n)
    raise ValueError(n)


def calls(n):
    return told(n) + told(n) + sum(told(i) for i in (1, 2, 1)) + sum(map(told, (2, 3)))


def never_kept(n):
    return told_again(n) + told_again(n)


def behind_another(n):
    return scripted(n)


def raises(n):
    count = 0
    for _ in range(2):
        try:
            refused(n)
        except ValueError:
            count += 1
    return count


@pytest.mark.parametrize("function", [calls, never_kept, behind_another, raises])
def test_prints_as_often_as_python(function, capsys):
    """Each call from Python begins anew, as Python does after `cache_clear`."""
    compiled = script(function, backend="interp")
    for n in (3, 3):
        for cached in (told, told_again, scripted, refused):
            cached.cache_clear()
        expected = function(n), capsys.readouterr().out
        assert (compiled(n), capsys.readouterr().out) == expected
