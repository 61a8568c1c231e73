"""`scriptc help`: the pages on the codes of diagnostics, as plain text."""

import difflib
import re

from scriptc.inspection.target import UsageError
from scriptc.resources import names_in, read_text

_PAGES = "errors"
_LINK = re.compile(r"\[([^\]]*)\]\([\w./-]+\.md\)")


def codes() -> list[str]:
    """Return the codes that have a page."""
    pages = (name.partition(".") for name in names_in(_PAGES))
    return sorted(code for code, _, kind in pages if kind == "md")


def list_of_codes() -> str:
    """Return every code with the first sentence of its page."""
    known = codes()
    width = max(map(len, known))
    lines = [f"{code:{width}}  {_first_sentence(code)}" for code in known]
    return "\n".join([*lines, "", "scriptc help CODE shows a program for each"])


def page_of(code: str) -> str:
    """Return the page of a code, as `error[CODE]` or alone.  Raises UsageError."""
    found = code.removeprefix("error[").removesuffix("]")
    known = codes()
    if found not in known:
        near = difflib.get_close_matches(found, known, n=3)
        meant = f"did you mean {' or '.join(near)}?" if near else "scriptc help lists all codes"
        raise UsageError(f"no diagnostic has the code {found!r}: {meant}")
    return _plain(read_text(_PAGES, f"{found}.md"))


def _first_sentence(code: str) -> str:
    text = read_text(_PAGES, f"{code}.md")
    paragraph = _LINK.sub(r"\1", text.split("\n\n")[1]).replace("\n", " ")
    # Dots may end a sentence, or stand for what is left out: `raise ... from`.
    return re.split(r"(?<=[^.]\.) ", paragraph)[0]


def _plain(text: str) -> str:
    """Return Markdown as text for a terminal: programs stand further in, without fences."""
    lines: list[str] = []
    in_program = False
    for line in text.splitlines():
        if line.startswith("```"):
            in_program = not in_program
        elif in_program:
            lines.append(f"    {line}".rstrip())
        elif line.startswith("## "):
            lines.append(f"{line.removeprefix('## ')}:")
        else:
            lines.append(_LINK.sub(r"\1", line.removeprefix("# ")))
    return "\n".join(lines)
