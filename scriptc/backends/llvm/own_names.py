"""Gives a part of a program names of its own, so that its text says nothing of the other parts.

    call void @"kernel.f.17."(...)             call void @"0."(...)           0.: kernel.f.17.
    getelementptr ptr, ptr @sc_texts, i64 5    getelementptr ptr, ptr @"1.", i64 0
                                          =>                                  1.: sc_texts + 40
    (ptr @sc_first_site to i32), i32 31        (ptr @"2." to i32), i32 0      2.: sc_first_site + 31

Functions have numbers in the order in which a program makes them, and so have sites, constants and
metadata. An edit in one function gives others to all that follow. Under names of their own, those
parts have the text that they had, and the machine code that the cache has for it.
"""

import re

from scriptc.backends.llvm.emitter.function import COMMON_NODES
from scriptc.backends.llvm.emitter.memory_kinds import NUMBER
from scriptc.backends.llvm.loading.elfload import Names
from scriptc.backends.llvm.loading.sites import FIRST_SITE
from scriptc_runtime.record import record

_TABLES = ("sc_constants", "sc_texts", "sc_objects")  # of words
_WORD = 8
_SITE = rf"\(ptr @{FIRST_SITE} to i32\), i32 (?P<site>\d+)"
_PLACE = rf"@(?P<table>{'|'.join(_TABLES)}), i64 (?P<place>\d+)"
# Deleters and what copies lists out are in each part that uses them, and are exported by none.
_COPIED = r"@(?P<kind>sc\.delete_|sc\.list_[a-z]+_)(?P<number>\d+)\b"
_END = r"\}(?<=\n\})(?=\n|$)"  # of a function
# Each begins with a character of its own, which `re` looks for: it is much quicker so.
_TOKEN = rf'@"(?P<name>[^"]+)"|{_SITE}|{_PLACE}|{_COPIED}|!(?P<node>\d+)|{_END}(?P<end>)'
_SITE_OR_END = rf"{_SITE}|{_END}"


@record
class Named:
    """A text for LLVM, and what its names stand for in the program."""

    text: str
    names: Names


def with_own_names(text: str) -> Named:
    """Return a part of a program under names of its own."""
    return _Renaming(text).named()


class _Renaming:
    def __init__(self, text: str) -> None:
        self._text = text
        self._names: dict[tuple[str, int], str] = {}
        self._local: dict[str, str] = {}  # numbered names that nobody else knows
        self._sites = iter(_first_sites(text))
        self._first = next(self._sites, 0)

    def named(self) -> Named:
        text = re.sub(_TOKEN, self._replaced, self._text)
        declared: list[str] = []
        for (name, _), own in self._names.items():
            if name == FIRST_SITE:
                declared.append(f'@"{own}" = external global i8, {NUMBER}')
            elif name in _TABLES:
                declared.append(f'@"{own}" = external global ptr')
        names = {
            own: (name, place * (1 if name == FIRST_SITE else _WORD))
            for (name, place), own in self._names.items()
        }
        return Named("\n".join((*declared, text)), names)

    def _replaced(self, found: re.Match[str]) -> str:
        match found.lastgroup:
            case "name":
                return self._name(found["name"])
            case "site":
                return self._site(found)
            case "place":
                return f"{self._name(found['table'], int(found['place']))}, i64 0"
            case "number":
                local = f"@{found['kind']}{len(self._local)}"
                return self._local.setdefault(found[0], local)
            case "node":
                return self._node(found)
            case _:  # the end of a function
                self._first = next(self._sites, 0)
                return found[0]

    def _name(self, name: str, place: int = 0) -> str:
        number = len(self._names)
        return f'@"{self._names.setdefault((name, place), f"{number}.")}"'

    def _site(self, found: re.Match[str]) -> str:
        """Return a site by how far it is from the first one of its function."""
        base = self._name(FIRST_SITE, self._first)
        return f"(ptr {base} to i32), i32 {int(found['site']) - self._first}"

    def _node(self, found: re.Match[str]) -> str:
        if int(found[0][1:]) < COMMON_NODES:
            return found[0]
        return self._local.setdefault(found[0], f"!{COMMON_NODES + len(self._local)}")


def _first_sites(text: str) -> list[int]:
    """Return the least site of each function, 0 of one that has none."""
    found: list[int] = []
    sites: list[int] = []
    for site in re.findall(_SITE_OR_END, text):
        if site:
            sites.append(int(site))
        else:
            found.append(min(sites, default=0))
            sites = []
    return found
