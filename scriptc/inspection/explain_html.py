"""An explanation as HTML: a part of a notebook, or a page of its own that needs no network."""

import io
import keyword
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from string import Template
from textwrap import dedent

from scriptc.analysis.remarks import Kind
from scriptc.inspection.explain_text import MARKS, called_in
from scriptc.inspection.listings import Line, Listing, Shown

_MEANINGS: Mapping[Kind, str] = {
    Kind.DONE: "done: the code was changed",
    Kind.MISSED: "missed: it was left as it was, and why",
    Kind.NOTE: "note: what there is",
}


def html_part(title: str, parts: Sequence[Listing]) -> str:
    """Return the listing of some functions for a notebook."""
    functions = "".join(_function(part) for part in parts)
    return (
        f'<style>{_STYLE}</style><div class="scriptc-explain"><h1>{escape(title)}</h1>'
        f"{_legend(parts)}{functions}</div>"
    )


def html_page(title: str, parts: Sequence[Listing]) -> str:
    """Return a page with the listing of some functions."""
    return _PAGE.substitute(title=escape(title), body=html_part(title, parts))


def _legend(parts: Sequence[Listing]) -> str:
    """Return a switch for each kind of remarks, with their number."""
    every = [shown.kind for part in parts for line in part.lines for shown in line.remarks]
    return '<p class="legend">' + "".join(map(_switch, Kind, map(every.count, Kind))) + "</p>"


def _switch(kind: Kind, count: int) -> str:
    return (
        f'<label class="{kind.value}"><input type="checkbox" class="show-{kind.value}" checked>'
        f"{_mark(kind)} {_MEANINGS[kind]} ({count})</label>"
    )


def _mark(kind: Kind) -> str:
    return f'<span class="mark" aria-hidden="true">{MARKS[kind]}</span>'


def _function(part: Listing) -> str:
    colours = _coloured([line.source for line in part.lines])
    lines = "".join(map(_line, part.lines, colours))
    place = escape(f"{part.file}:{part.lines[0].number}")
    return f'<section><h2>{place}</h2><div class="source">{lines}</div></section>'


def _line(line: Line, source: str) -> str:
    code = f'<span class="number">{line.number}</span><code>{source or " "}</code>'
    if not line.remarks:
        return f'<div class="line">{code}</div>'
    own = "".join(_remark(shown) for shown in line.remarks if not shown.library)
    inside = "".join(_library(line))
    remarks = f'<ul style="--indent: {_indent(line.source)}ch">{own}{inside}</ul>'
    return f'<details open><summary class="line">{code}</summary>{remarks}</details>'


def _indent(source: str) -> int:
    return len(source) - len(source.lstrip())


def _remark(shown: Shown) -> str:
    kind = shown.kind.value
    topic = f'<span class="topic">{shown.topic.value}</span>'
    said = f'{_mark(shown.kind)}<span class="said"><span class="kind">{kind}: </span>'
    inside = f"{escape(shown.inside)}: " if shown.library else ""
    return f'<li class="{kind}">{said}{topic} {inside}{escape(shown.text)}</span></li>'


def _library(line: Line) -> Iterator[str]:
    """Yield what became of each function of the standard library that a line names, folded."""
    found: dict[str, list[Shown]] = {}
    for shown in line.remarks:
        if shown.library:
            found.setdefault(called_in(line, shown), []).append(shown)
    for name, own in found.items():
        head = f"inside {escape(name)}: {len(own)}"
        yield (
            f'<li class="library"><details><summary>{head}</summary>'
            f"<ul>{''.join(map(_remark, own))}</ul></details></li>"
        )


# ------------------------------------------------------------------------------ colours of code


def _coloured(lines: Sequence[str]) -> Sequence[str]:
    """Return lines of Python with their words in colour; plain where they are none."""
    margin = _indent(lines[0]) if lines else 0
    spans: dict[int, list[tuple[int, int, str]]] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(dedent("\n".join(lines))).readline):
            kind = _class_of(token)
            for row in range(token.start[0], token.end[0] + 1) if kind else ():
                first = token.start[1] + margin if row == token.start[0] else 0
                last = token.end[1] + margin if row == token.end[0] else len(lines[row - 1])
                spans.setdefault(row, []).append((first, last, kind))
    except (tokenize.TokenError, SyntaxError):
        spans = {}
    return [_with_spans(line, spans.get(row, ())) for row, line in enumerate(lines, start=1)]


def _class_of(token: tokenize.TokenInfo) -> str:
    match token.type:
        case tokenize.NAME if keyword.iskeyword(token.string):
            return "k"
        case tokenize.NUMBER:
            return "n"
        case tokenize.STRING:
            return "s"
        case tokenize.COMMENT:
            return "c"
        case _:
            return ""


def _with_spans(line: str, spans: Sequence[tuple[int, int, str]]) -> str:
    text, at = "", 0
    for first, last, kind in spans:
        text += escape(line[at:first]) + f'<span class="{kind}">{escape(line[first:last])}</span>'
        at = last
    return text + escape(line[at:])


# -------------------------------------------------------------------------------------- style

_STYLE = """
.scriptc-explain {
  --paper: #ffffff; --ink: #1f2328; --faint: #656d76; --rule: #d8dee4; --hover: #f6f8fa;
  --done: #116329; --done-paper: #e9f7ec; --missed: #953800; --missed-paper: #fff1e0;
  --note: #0550ae; --note-paper: #eaf3fe; --k: #8250df; --s: #0a3069; --n: #0550ae;
  color-scheme: light dark; color: var(--ink); background: var(--paper);
  font: 14px/1.5 system-ui, sans-serif; padding: 1rem; max-width: 110ch;
}
@media (prefers-color-scheme: dark) {
  .scriptc-explain {
    --paper: #0d1117; --ink: #e6edf3; --faint: #8b949e; --rule: #30363d; --hover: #161b22;
    --done: #7ee787; --done-paper: #12261a; --missed: #ffb77c; --missed-paper: #2d1f10;
    --note: #9ecbff; --note-paper: #11233a; --k: #d2a8ff; --s: #a5d6ff; --n: #79c0ff;
  }
}
.scriptc-explain h1 { font: 600 1.15rem/1.4 ui-monospace, monospace; margin: 0 0 .5rem; }
.scriptc-explain h2 { font: .85rem/1.4 ui-monospace, monospace; color: var(--faint);
  margin: 1.25rem 0 .25rem; }
.scriptc-explain .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0; }
.scriptc-explain label { display: flex; align-items: center; gap: .4rem; }
.scriptc-explain input { accent-color: currentColor; margin: 0; }
.scriptc-explain .source { border: 1px solid var(--rule); border-radius: 6px; overflow-x: auto;
  padding: .5rem 0; }
.scriptc-explain .line { display: block; white-space: pre; padding-right: 1rem;
  font: 13px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.scriptc-explain .line code { font: inherit; background: none; padding: 0; color: inherit; }
.scriptc-explain summary { cursor: pointer; list-style: none; }
.scriptc-explain summary::-webkit-details-marker { display: none; }
.scriptc-explain summary:hover { background: var(--hover); }
.scriptc-explain .number { display: inline-block; width: 3.5em; padding-right: 1em;
  text-align: right; color: var(--faint); user-select: none; }
.scriptc-explain summary.line .number::before { content: "▾ "; }
.scriptc-explain details:not([open]) > summary.line .number::before { content: "▸ "; }
.scriptc-explain ul { list-style: none; margin: .1rem 1rem .5rem 0;
  padding: 0 0 0 calc(13px * 3.5 + 1em + var(--indent, 0ch)); }
.scriptc-explain li { display: flex; gap: .5em; margin: 1px 0; padding: .1rem .5rem;
  border-left: 3px solid; border-radius: 3px; }
.scriptc-explain li.done { color: var(--done); background: var(--done-paper); }
.scriptc-explain li.missed { color: var(--missed); background: var(--missed-paper); }
.scriptc-explain li.note { color: var(--note); background: var(--note-paper); }
.scriptc-explain label.done { color: var(--done); }
.scriptc-explain label.missed { color: var(--missed); }
.scriptc-explain label.note { color: var(--note); }
.scriptc-explain li.library { display: block; border-left-color: var(--rule); }
.scriptc-explain li.library ul { padding-left: 1rem; }
.scriptc-explain li.library summary::before { content: "▸ "; }
.scriptc-explain li.library details[open] > summary::before { content: "▾ "; }
.scriptc-explain .mark { font: 700 1em/1.5 ui-monospace, monospace; }
.scriptc-explain .topic { font-weight: 600; display: inline-block; min-width: 5.2em; }
.scriptc-explain .kind { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); }
.scriptc-explain:has(.show-done:not(:checked)) li.done,
.scriptc-explain:has(.show-missed:not(:checked)) li.missed,
.scriptc-explain:has(.show-note:not(:checked)) li.note { display: none; }
.scriptc-explain .k { color: var(--k); }
.scriptc-explain .s { color: var(--s); }
.scriptc-explain .n { color: var(--n); }
.scriptc-explain .c { color: var(--faint); font-style: italic; }
"""

_PAGE = Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>html { color-scheme: light dark; }
body { margin: 0; background: #ffffff; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; } }</style>
</head>
<body>
$body
</body>
</html>
""")
