"""Colour for dumps on a terminal; without one, or with NO_COLOR, plain text."""

import sys
from collections.abc import Mapping

from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

Styles = Mapping[str, str]

_PLACE = {r"loc\([^)]*\)|file=\"[^\"]*\"": "bright_black"}
_IR: Styles = {
    r"^\s*(%\S+(, %\S+)* = )?(?P<op>\w+)": "",
    r"(?<= = )[a-z_0-9]+|^\s*(func|exit|raise|reraise|fail|store|launch|retain|release)\b": "bold",
    r"%\w+": "cyan",
    r"@[\w.]+": "yellow",
    r"\b(tensor|tuple|list|optional|cell|class)<[^=]*?>+": "green",
    **_PLACE,
    r"^\s*#.*$": "italic magenta",
}
_TREE: Styles = {
    r"^\s*\d+:\d+|(?<=\w )\d+:\d+": "bright_black",
    r"'[^']*'": "green",
    r" : .*$": "green",
    r"\b[A-Z][A-Za-z]+(?= \d+:\d+)": "bold",
}
_DIFF: Styles = {r"^\+.*$": "green", r"^-.*$": "red", r"^==.*$": "bold", **_PLACE}

_EXPLAIN: Styles = {
    r"^ *\d+ \|": "bright_black",
    r"^ *\| +\+ .*$": "green",
    r"^ *\| +- .*$": "yellow",
    r"^ *\| += .*$": "cyan",
    r"^ *\|(?= )": "bright_black",
}

_OURS: Mapping[str, Styles] = {
    "tokens": _TREE,
    "ast": _TREE,
    "types": _TREE,
    "ir": _IR,
    "opt": _IR,
    "low": _IR,
    "passes": _DIFF,
    "explain": _EXPLAIN,
}
# The names that Pygments has for the languages of others.
_THEIRS: Mapping[str, str] = {
    **{"llvm": "llvm", "asm": "gas", "cuda": "cuda"},
    **dict.fromkeys(("plan", "ptx", "sass", "resources"), "text"),
}


def wants_colour(choice: str) -> bool:
    """Return whether output is coloured under `--color auto`, `always` or `never`."""
    return choice == "always" or (choice == "auto" and not Console().no_color and _on_terminal())


def _on_terminal() -> bool:
    return sys.stdout.isatty()


def show(text: str, stage: str, *, colour: bool) -> None:
    """Print what a stage made."""
    if not colour:
        print(text, end="" if text.endswith("\n") else "\n")
        return
    console = Console(force_terminal=True, no_color=False, highlight=False)
    console.print(_coloured(text.removesuffix("\n"), stage), soft_wrap=True)


def _coloured(text: str, stage: str) -> Text:
    if stage in _THEIRS:
        return Syntax(text, _THEIRS[stage], theme="ansi_dark").highlight(text)
    result = Text(text)
    for pattern, style in _OURS[stage].items():
        result.highlight_regex(rf"(?m){pattern}", style)
    return result
