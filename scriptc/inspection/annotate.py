"""Lines of the source between the instructions that they became, as comments of the IR's text."""

import linecache
import re
from collections.abc import Iterator

_FILE = re.compile(r'^func .* file="([^"]*)"')
# Of an inlined instruction the last place is the one in the function that the text is about.
_LINE = re.compile(r" loc\((?:.* at )?(\d+):\d+[^)]*\)")


def with_source(text: str) -> str:
    """Return IR text with a line `# 7 | source` wherever the source line changes."""
    return "\n".join(_lines(text.splitlines())) + "\n"


def _lines(lines: list[str]) -> Iterator[str]:
    file, last = "", ""
    for line in lines:
        if line.startswith("func "):
            found = _FILE.match(line)
            file, last = found[1] if found else "", ""
        place = _LINE.search(line)
        if file and place and place[1] != last:
            last = place[1]
            source = linecache.getline(file, int(last)).strip()
            indent = line[: len(line) - len(line.lstrip())]
            if source:
                yield f"{indent}# {last} | {source}"
        yield line
