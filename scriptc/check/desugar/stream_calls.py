"""Methods of `sys.stdout` and `sys.stderr`, as the prints that they are short for.

sys.stdout.write(x)          text@ = x; print(text@, end="", file=sys.stdout); len(text@)
sys.stdout.writelines(xs)    text@ = ""; for text@ in xs: print(text@, end="", file=sys.stdout)
sys.stdout.flush()           text@ = ""; print(text@, end="", file=sys.stdout, flush=True)
"""

from scriptc.check.bindings import Typed
from scriptc.check.context import Context
from scriptc.check.desugar.comprehensions import as_loops
from scriptc.check.desugar.computed_stars import builtin_name
from scriptc.check.library.call import standard_stream
from scriptc.syntax import nodes as n
from scriptc.syntax.expansion import Expansion
from scriptc_runtime.types import STR

_COUNTS = {"write": 1, "writelines": 1, "flush": 0}


def check_stream_call(context: Context, node: n.Call) -> Typed | None:
    """Check a call of a method of one of the two streams; None for any other call."""
    func = node.func
    if not isinstance(func, n.Attribute) or func.attr not in _COUNTS:
        return None
    if standard_stream(context, func.value) is None:
        return None
    if node.keywords or len(node.args) != _COUNTS[func.attr]:
        count = _COUNTS[func.attr]
        context.fail("call-arity", f"{func.attr}() takes {count or 'no'} argument", node)
    if func.attr == "write" and (given := context.typed(node.args[0]).type) is not STR:
        message = f"write() takes a text, not {given}"
        context.fail("argument", message, node.args[0], instead="str(x) of it, or print")
    for live in (print, len):
        builtin_name(context, node, live)
    return as_loops(context, node, lambda: _printed(node, func))


def _printed(node: n.Call, func: n.Attribute) -> Expansion:
    lo, hi = node.lo, node.hi
    text = n.Name(lo, hi, f"text@{lo}:{hi}")
    nothing, empty = (n.Constant(lo, hi, value, None) for value in (None, ""))
    named = [n.keyword(lo, hi, "end", empty), n.keyword(lo, hi, "file", func.value)]
    if func.attr == "flush":
        named.append(n.keyword(lo, hi, "flush", n.Constant(lo, hi, True, None)))
    shown = n.Expr(lo, hi, n.Call(lo, hi, n.Name(lo, hi, "print@star"), (text,), tuple(named)))
    start = node.args[0] if func.attr == "write" else empty
    body: list[n.Statement] = [n.Assign(lo, hi, (text,), start), shown]
    if func.attr == "writelines":
        body[1] = n.For(lo, hi, text, node.args[0], (shown,), (), False)
    size = n.Call(lo, hi, n.Name(lo, hi, "len@star"), (text,), ())
    result = size if func.attr == "write" else nothing
    return Expansion(tuple(body), result, frozenset((text.id,)))
