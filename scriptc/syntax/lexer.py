"""Text to tokens: one regular expression, a stack of indentations and a stack of f-strings.

The patterns are those of the grammar. Beyond what patterns can say, the lexer decides exactly what
`match`, `case` and `type` are, finds the parts of f-strings, and lays out blocks. It can start
inside a file, at an indented definition: offsets are always those of the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from scriptc.syntax import explain
from scriptc.syntax.table_format import TablesData
from scriptc.syntax.tables import load_tables
from scriptc.syntax.tokens import END, SyntaxProblem, Token
from scriptc_runtime.errors import Source
from scriptc_runtime.record import record

# Reserved in some places only, which the lexer knows; in `words` their kind is SOFT.
_SOFT = "SOFT"
_SOFT_KEYWORDS = ("match", "case", "type")
_DEFINITIONS = frozenset({"DEF", "CLASS", "ASYNC"})
_QUOTES = {'"': "D", "'": "S", '"""': "DD", "'''": "SS"}
_BLANK = re.compile(r"[ \t\f]*")
_LAST_LINE_GOES_ON = re.compile(r"\\(?:\r\n|\r|\n)[ \t\f]*\Z")


class FStringRules:
    """How one of the eight kinds of f-string goes on after its start."""

    def __init__(self, start_kind: str, patterns: Mapping[str, str]) -> None:
        prefix, _, quotes = start_kind.partition("_")
        raw = "R" if prefix == "FR" else ""
        self.text_kind = f"FM{raw}_{quotes}"
        self.spec_kind = f"FSPEC{raw}_{quotes}"
        self.end_kind = f"FE_{quotes}"
        self.text = re.compile(patterns[self.text_kind])
        self.spec = re.compile(patterns[self.spec_kind])
        self.quotes = patterns[self.end_kind]


class LexicalRules:
    """The words and patterns of the grammar, ready for use."""

    def __init__(self, tables: TablesData) -> None:
        self.operators = tables["operators"]
        self.words = {**tables["keywords"], **dict.fromkeys(_SOFT_KEYWORDS, _SOFT)}
        self.master = re.compile(_master_pattern(tables))
        self._patterns = tables["patterns"]
        self._fstrings: dict[str, FStringRules] = {}

    def fstring(self, start_kind: str) -> FStringRules:
        """Return the rules of one kind of f-string; most programs use one or two kinds."""
        if start_kind not in self._fstrings:
            self._fstrings[start_kind] = FStringRules(start_kind, self._patterns)
        return self._fstrings[start_kind]


def _master_pattern(tables: TablesData) -> str:
    brackets = "()[]{}"
    operators = sorted((o for o in tables["operators"] if o not in brackets), key=len, reverse=True)
    groups = {
        "FSTRING": r"""(?:[fFtT][rR]?|[rR][fFtT])(?:\"""|'''|"|')""",
        "STRING": tables["patterns"]["STRING"],
        "NAME": r"(?:[^\W\d]|[^\x00-\x7f])(?:\w|[^\x00-\x7f])*",
        "NUMBER": tables["patterns"]["NUMBER"],
        "NEWLINE": tables["patterns"]["_NEWLINE"],
        "OPEN": r"[(\[{]",
        "CLOSE": r"[)\]}]",
        "AUGASSIGN": tables["patterns"]["AUGASSIGN"],
        "OPERATOR": "|".join(map(re.escape, operators)),
        "END": r"\Z",
    }
    skipped = r"[ \t\f]*(?:\\(?:\r\n|\r|\n)[ \t\f]*)*(?:#[^\r\n]*)?"
    return skipped + "(?:" + "|".join(f"(?P<{kind}>{p})" for kind, p in groups.items()) + ")"


@cache
def _lexical_rules() -> LexicalRules:
    return LexicalRules(load_tables())


def tokenize(source: Source) -> list[Token]:
    """Return the tokens of a whole text, the last of kind $END; raise ParseError."""
    return _tokenize(source, 0, definition=False)


def tokenize_definition(source: Source, start: int) -> list[Token]:
    """Return the tokens of the definition whose first line begins at offset `start`."""
    return _tokenize(source, start, definition=True)


def tokenize_expression(source: Source) -> list[Token]:
    """Return the tokens of a text that is one expression; blanks may stand before it."""
    return _tokenize(source, len(source.text) - len(source.text.lstrip(" \t")), definition=False)


def _tokenize(source: Source, start: int, *, definition: bool) -> list[Token]:
    try:
        return _Lexer(_lexical_rules(), source.text, start, definition=definition).run()
    except SyntaxProblem as problem:
        raise explain.parse_error(source, problem) from None


@record
class _Mode:
    """What the lexer is inside of: an f-string's text, a field of it, or a field's format."""

    part: str  # "text", "field" or "spec"
    rules: FStringRules
    depth: int = -1  # of brackets outside the field
    opened: int = -1  # the offset after the "{" of the field


class _Lexer:
    """Makes the tokens of one text; used once."""

    def __init__(self, rules: LexicalRules, text: str, start: int, *, definition: bool) -> None:
        """Start at offset `start`; with `definition`, stop after the definition found there."""
        self._rules = rules
        self._text = text
        self._start = start
        self._definition = definition
        self._tokens: list[Token] = []
        self._line_start = 0  # the number of tokens before this logical line
        self._depth = 0  # of brackets
        # Columns twice, as CPython does: with tabs to every eighth column, and with tabs as one.
        self._indents = [(0, 0)]
        self._case_levels: list[int] = []  # the number of indents where `case` is a keyword
        self._modes: list[_Mode] = []
        self._handlers = {
            "FSTRING": self._fstring,
            "OPEN": self._open,
            "CLOSE": self._close,
            "OPERATOR": self._operator,
            "NEWLINE": self._newline,
            "END": self._end,
        }

    def run(self) -> list[Token]:
        """Return the tokens, the last of kind $END."""
        text, match, words = self._text, self._rules.master.match, self._rules.words
        handlers, append = self._handlers, self._tokens.append
        position = self._first_line()
        while position >= 0:
            found = match(text, position)
            if found is None:
                raise self._no_token(position)
            kind = found.lastgroup or END
            start, position = found.span(kind)
            word = text[start:position]
            if kind == "NAME":
                kind = words.get(word, kind)
                if kind == _SOFT:
                    kind = self._soft_keyword(word, position)
                elif not word.isascii():
                    word = _normal_form(word, start)
            elif kind in handlers:
                position = handlers[kind](word, start, position)
                continue
            append(Token(kind, word, start, position))
        return self._tokens

    def _first_line(self) -> int:
        text, start = self._text, self._start
        if "\0" in text:
            raise SyntaxProblem("source code cannot contain null bytes", *_at(text.index("\0")))
        blank = _BLANK.match(text, start)
        end = blank.end() if blank else start
        if self._definition:
            self._indents = [_columns(text[start:end])]
        elif _columns(text[start:end]) > (0, 0) and text[end : end + 1] not in (
            "",
            "\r",
            "\n",
            "#",
            "\\",
        ):
            raise SyntaxProblem("unexpected indent", start, end)
        return start

    def _no_token(self, position: int) -> SyntaxProblem:
        blank = _BLANK.match(self._text, position)
        start = blank.end() if blank else position
        character = self._text[start]
        if character in "\"'":
            return SyntaxProblem("unterminated string literal", *_at(start))
        return SyntaxProblem(f"invalid character {character!r}", *_at(start))

    # ------------------------------------------------------------------------ soft keywords

    def _soft_keyword(self, word: str, end: int) -> str:
        if word == "type":
            # `type NAME` occurs in no other place.
            found = self._rules.master.match(self._text, end)
            if found and found.lastgroup == "NAME":
                return "_TYPE" if self._is_name(found["NAME"]) else "NAME"
        elif word == "case" and len(self._tokens) == self._line_start:
            return "CASE" if self._case_levels[-1:] == [len(self._indents)] else "NAME"
        return "NAME"  # `match` is known only at the end of the line

    def _is_name(self, word: str) -> bool:
        return self._rules.words.get(word, _SOFT) == _SOFT

    def _mark_match(self) -> bool:
        """Whether the logical line opens a match statement: it begins `match ...`, ends `:`."""
        first = self._tokens[self._line_start]
        if first.text != "match" or self._tokens[-1].kind != "COLON":
            return False
        if len(self._tokens) - self._line_start < 3:
            return False
        self._tokens[self._line_start] = first._replace(kind="_MATCH")
        return True

    # ------------------------------------------------------------------- brackets, f-strings

    def _open(self, word: str, start: int, end: int) -> int:
        self._depth += 1
        self._tokens.append(Token(self._rules.operators[word], word, start, end))
        return end

    def _close(self, word: str, start: int, end: int) -> int:
        self._depth -= 1
        if self._depth < 0:
            raise SyntaxProblem(f"unmatched '{word}'", start, end)
        self._tokens.append(Token(self._rules.operators[word], word, start, end))
        if word == "}" and self._modes and self._depth == self._modes[-1].depth:
            self._modes.pop()
            return self._fstring_parts(end)
        return end

    def _operator(self, word: str, start: int, end: int) -> int:
        if self._modes and self._depth == self._modes[-1].depth + 1:
            if word[0] == ":":  # ":=" too: in a field it is ":" and a format that begins with "="
                return self._format_spec(start)
            if word == "=":
                return self._debug_equal(start, end)
        self._tokens.append(Token(self._rules.operators[word], word, start, end))
        return end

    def _fstring(self, word: str, start: int, end: int) -> int:
        prefix = word.rstrip("\"'")
        kind = f"F{'R' if 'r' in prefix.lower() else 'S'}_{_QUOTES[word[len(prefix) :]]}"
        self._tokens.append(Token(kind, word, start, end))
        self._modes.append(_Mode("text", self._rules.fstring(kind)))
        return self._fstring_parts(end)

    def _format_spec(self, start: int) -> int:
        self._tokens.append(Token("COLON", ":", start, start + 1))
        self._modes.append(_Mode("spec", self._modes[-1].rules))
        return self._fstring_parts(start + 1)

    def _debug_equal(self, start: int, end: int) -> int:
        """Lex the "=" of `f"{x = }"`; its text is all that is printed before the value."""
        stop = end
        while self._text[stop : stop + 1].isspace():
            stop += 1
        self._tokens.append(Token("EQUAL", self._text[self._modes[-1].opened : stop], start, end))
        return end

    def _fstring_parts(self, position: int) -> int:
        """Lex text and formats up to the next field or the end; return where that is."""
        while self._modes and self._modes[-1].part != "field":
            mode = self._modes[-1]
            position = self._literal(mode, position)
            character = self._text[position : position + 1]
            if character == "{":
                self._modes.append(_Mode("field", mode.rules, self._depth, position + 1))
                return self._open("{", position, position + 1)
            if mode.part == "spec" and character == "}":
                del self._modes[-2:]  # the format and its field
                self._depth -= 1
                self._tokens.append(Token("RBRACE", "}", position, position + 1))
                position += 1
            elif mode.part == "text" and self._text.startswith(mode.rules.quotes, position):
                end = position + len(mode.rules.quotes)
                self._tokens.append(Token(mode.rules.end_kind, mode.rules.quotes, position, end))
                self._modes.pop()
                position = end
            else:
                raise SyntaxProblem(_fstring_problem(mode, character), *_at(position))
        return position

    def _literal(self, mode: _Mode, position: int) -> int:
        is_text = mode.part == "text"
        pattern = mode.rules.text if is_text else mode.rules.spec
        found = pattern.match(self._text, position)
        if found is None or not found[0]:
            return position
        kind = mode.rules.text_kind if is_text else mode.rules.spec_kind
        self._tokens.append(Token(kind, found[0], position, found.end()))
        return found.end()

    # --------------------------------------------------------------------- lines and blocks

    def _newline(self, word: str, start: int, end: int) -> int:
        if self._depth:
            return end
        opens_match = False
        is_line = len(self._tokens) > self._line_start
        if is_line:
            opens_match = self._mark_match()
            self._layout("_NEWLINE", start)
        blank = word[max(word.rfind("\n"), word.rfind("\r")) + 1 :]
        columns = (0, 0) if end == len(self._text) else _columns(blank)
        if self._definition and self._definition_ends(columns[0], is_line=is_line):
            return self._finish(end)
        self._change_block(columns, end)
        if opens_match:
            self._case_levels.append(len(self._indents))
        self._line_start = len(self._tokens)
        return end

    def _definition_ends(self, column: int, *, is_line: bool) -> bool:
        if column > self._indents[0][0]:
            return False
        in_body = len(self._indents) > 1
        return in_body or (is_line and self._tokens[self._line_start].kind in _DEFINITIONS)

    def _change_block(self, columns: tuple[int, int], end: int) -> None:
        indents = self._indents
        if columns == indents[-1]:
            return
        if columns[0] > indents[-1][0] and columns[1] > indents[-1][1]:
            indents.append(columns)
            self._layout("_INDENT", end)
            return
        while columns[0] < indents[-1][0]:
            if self._case_levels and self._case_levels[-1] == len(indents):
                self._case_levels.pop()
            indents.pop()
            self._layout("_DEDENT", end)
        if columns != indents[-1]:
            message = "unindent matches no outer level, or tabs and spaces are mixed"
            raise SyntaxProblem(message, *_at(end))

    def _end(self, word: str, start: int, end: int) -> int:
        if self._depth:
            raise SyntaxProblem("a bracket was never closed", *_at(start))
        if len(self._tokens) > self._line_start:
            if _LAST_LINE_GOES_ON.search(self._text):
                raise SyntaxProblem("unexpected end of the text after a backslash", *_at(start))
            self._layout("_NEWLINE", start)
        return self._finish(start)

    def _finish(self, position: int) -> int:
        while len(self._indents) > 1:
            self._indents.pop()
            self._layout("_DEDENT", position)
        self._layout(END, position)
        return -1

    def _layout(self, kind: str, position: int) -> None:
        """Append a token that has no text; it ends where the last one ended."""
        last = self._tokens[-1].hi if self._tokens else position
        self._tokens.append(Token(kind, "", position, last))


def _at(offset: int) -> tuple[int, int]:
    return offset, offset + 1


def _columns(blank: str) -> tuple[int, int]:
    if "\t" not in blank and "\f" not in blank:
        return len(blank), len(blank)
    wide = narrow = 0
    for character in blank:
        if character == "\t":
            wide, narrow = (wide // 8 + 1) * 8, narrow + 1
        elif character == "\f":
            wide = narrow = 0
        else:
            wide, narrow = wide + 1, narrow + 1
    return wide, narrow


def _normal_form(word: str, start: int) -> str:
    if not word.isidentifier():
        raise SyntaxProblem("invalid character in a name", start, start + len(word))
    # Inside a function: few names have letters beyond ASCII.
    from unicodedata import normalize

    return normalize("NFKC", word)  # as CPython does: two spellings, one name


def _fstring_problem(mode: _Mode, character: str) -> str:
    if character == "}":
        return "f-string: single '}' is not allowed"
    if mode.part == "text":
        return "unterminated f-string literal"
    return "f-string: a format specifier has no end"
