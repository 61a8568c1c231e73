"""The functions of `textwrap`, in the script language, as CPython 3.11 has them."""

# What is no test of truth says so, as in CPython's source.
# ruff: noqa: SIM102


def wrap(
    text: str,
    width: int = 70,
    *,
    initial_indent: str = "",
    subsequent_indent: str = "",
    expand_tabs: bool = True,
    replace_whitespace: bool = True,
    fix_sentence_endings: bool = False,
    break_long_words: bool = True,
    drop_whitespace: bool = True,
    break_on_hyphens: bool = True,
    tabsize: int = 8,
    max_lines: int | None = None,
    placeholder: str = " [...]",
) -> list[str]:
    """Return the lines of a paragraph, none longer than `width` where words allow it."""
    whole = text.expandtabs(tabsize) if expand_tabs else text
    chunks = _chunks(_spaced(whole) if replace_whitespace else whole, break_on_hyphens)
    if fix_sentence_endings:
        _fix_endings(chunks)
    if width <= 0:
        raise ValueError(f"invalid width {width} (must be > 0)")
    if max_lines is not None:
        first = subsequent_indent if max_lines > 1 else initial_indent
        if len(first) + len(placeholder.lstrip()) > width:
            raise ValueError("placeholder too large for max width")
    lines: list[str] = []
    chunks.reverse()
    while len(chunks) > 0:
        indent = subsequent_indent if len(lines) > 0 else initial_indent
        room = width - len(indent)
        if drop_whitespace and len(lines) > 0 and chunks[-1].strip() == "":
            chunks.pop()
        line, size = _line(chunks, room, break_long_words, break_on_hyphens)
        if drop_whitespace and len(line) > 0 and line[-1].strip() == "":
            size -= len(line.pop())
        if len(line) == 0:
            continue
        is_last = len(chunks) == 0 or (
            drop_whitespace and len(chunks) == 1 and chunks[0].strip() == ""
        )
        if max_lines is None or len(lines) + 1 < max_lines or (is_last and size <= room):
            lines.append(indent + "".join(line))
            continue
        _cut(lines, line, size, indent, room, width, placeholder)
        break
    return lines


def fill(
    text: str,
    width: int = 70,
    *,
    initial_indent: str = "",
    subsequent_indent: str = "",
    expand_tabs: bool = True,
    replace_whitespace: bool = True,
    fix_sentence_endings: bool = False,
    break_long_words: bool = True,
    drop_whitespace: bool = True,
    break_on_hyphens: bool = True,
    tabsize: int = 8,
    max_lines: int | None = None,
    placeholder: str = " [...]",
) -> str:
    """Return the lines of a paragraph as one text."""
    lines = wrap(
        text,
        width,
        initial_indent=initial_indent,
        subsequent_indent=subsequent_indent,
        expand_tabs=expand_tabs,
        replace_whitespace=replace_whitespace,
        fix_sentence_endings=fix_sentence_endings,
        break_long_words=break_long_words,
        drop_whitespace=drop_whitespace,
        break_on_hyphens=break_on_hyphens,
        tabsize=tabsize,
        max_lines=max_lines,
        placeholder=placeholder,
    )
    return "\n".join(lines)


def shorten(
    text: str,
    width: int,
    *,
    initial_indent: str = "",
    fix_sentence_endings: bool = False,
    break_long_words: bool = True,
    break_on_hyphens: bool = True,
    placeholder: str = " [...]",
) -> str:
    """Return as many words as `width` holds, and a placeholder for others."""
    return fill(
        " ".join(text.strip().split()),
        width,
        initial_indent=initial_indent,
        fix_sentence_endings=fix_sentence_endings,
        break_long_words=break_long_words,
        break_on_hyphens=break_on_hyphens,
        max_lines=1,
        placeholder=placeholder,
    )


def dedent(text: str) -> str:
    """Return a text without the blanks that all its lines begin with."""
    lines = text.split("\n")
    margin = ""
    started = False
    for k in range(len(lines)):
        rest = lines[k].lstrip(" \t")
        if rest == "":
            lines[k] = ""
            continue
        indent = lines[k][: len(lines[k]) - len(rest)]
        if not started:
            margin = indent
            started = True
        while not indent.startswith(margin):
            margin = margin[:-1]
    return "\n".join([line.removeprefix(margin) for line in lines])


def indent(text: str, prefix: str, predicate=None) -> str:
    """Put a prefix before each line that is not blank, or for which a function is true."""
    parts: list[str] = []
    for line in text.splitlines(True):
        if line.strip() != "" if predicate is None else predicate(line):
            parts.append(prefix)
        parts.append(line)
    return "".join(parts)


def _spaced(text: str) -> str:
    """Return a text with a space for each other blank."""
    for space in "\t\n\x0b\x0c\r":
        text = text.replace(space, " ")
    return text


def _line(
    chunks: list[str], room: int, break_long_words: bool, break_on_hyphens: bool
) -> tuple[list[str], int]:
    """Take the chunks of a line off the end of those that are left; return them and their size."""
    line: list[str] = []
    size = 0
    while len(chunks) > 0 and size + len(chunks[-1]) <= room:
        size += len(chunks[-1])
        line.append(chunks.pop())
    if len(chunks) == 0 or len(chunks[-1]) <= room:
        return line, size
    if break_long_words:
        chunk = chunks[-1]
        end = 1 if room < 1 else room - size
        if break_on_hyphens and len(chunk) > end:
            hyphen = chunk.rfind("-", 0, end)
            if hyphen > 0 and chunk[:hyphen].strip("-") != "":
                end = hyphen + 1
        line.append(chunk[:end])
        chunks[-1] = chunk[end:]
    elif len(line) == 0:
        line.append(chunks.pop())
    size = 0
    for chunk in line:
        size += len(chunk)
    return line, size


def _cut(
    lines: list[str],
    line: list[str],
    size: int,
    indent: str,
    room: int,
    width: int,
    placeholder: str,
) -> None:
    """End the last line that is allowed with a placeholder."""
    while len(line) > 0:
        if line[-1].strip() != "" and size + len(placeholder) <= room:
            lines.append(indent + "".join(line) + placeholder)
            return
        size -= len(line.pop())
    if len(lines) > 0:
        before = lines[-1].rstrip()
        if len(before) + len(placeholder) <= width:
            lines[-1] = before + placeholder
            return
    lines.append(indent + placeholder.lstrip())


def _chunks(text: str, break_on_hyphens: bool) -> list[str]:
    """Return the parts of a text between which lines may break."""
    found: list[str] = []
    start = 0
    while start < len(text):
        end = start + 1
        if _is_blank(text[start]):
            while end < len(text) and _is_blank(text[end]):
                end += 1
        elif break_on_hyphens and start > 0 and _dash_after(text, start) > 0:
            end = _dash_after(text, start)
        else:
            while end < len(text) and not _is_blank(text[end]):
                if break_on_hyphens and _is_hyphen(text, end):
                    end += 1
                    break
                if break_on_hyphens and _dash_after(text, end) > 0:
                    break
                end += 1
        found.append(text[start:end])
        start = end
    return found


def _dash_after(text: str, place: int) -> int:
    """Return the end of a dash of two hyphens or more between words, 0 where there is none."""
    before = text[place - 1]
    if text[place] != "-" or not (_is_of_word(before) or before in "!\"'&.,?"):
        return 0
    end = place
    while end < len(text) and text[end] == "-":
        end += 1
    return end if end - place > 1 and end < len(text) and _is_of_word(text[end]) else 0


def _is_hyphen(text: str, place: int) -> bool:
    """Whether a line may break after a place: a hyphen between letters."""
    if text[place] != "-" or place < 2 or not _is_letter(text[place - 1]):
        return False
    if not _is_letter(text[place - 2]):
        if not (text[place - 2] == "-" and place > 2 and _is_letter(text[place - 3])):
            return False
    after = text[place + 1 : place + 4]
    if len(after) < 2 or not _is_letter(after[0]):
        return False
    return _is_letter(after[1]) or (len(after) > 2 and after[1] == "-" and _is_letter(after[2]))


def _is_blank(char: str) -> bool:
    return char in "\t\n\x0b\x0c\r "


def _is_of_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _is_letter(char: str) -> bool:
    return _is_of_word(char) and not char.isdecimal()


def _fix_endings(chunks: list[str]) -> None:
    """Put two spaces behind the end of a sentence."""
    k = 0
    while k < len(chunks) - 1:
        word = chunks[k]
        if word.endswith('"') or word.endswith("'"):
            word = word[:-1]
        is_end = len(word) > 1 and word[-1] in ".!?" and "a" <= word[-2] <= "z"
        if chunks[k + 1] == " " and is_end:
            chunks[k + 1] = "  "
            k += 1
        k += 1
