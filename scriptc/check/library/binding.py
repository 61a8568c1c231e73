"""Which parameter of a function each argument of a call is for, as Python binds them."""

from collections.abc import Sequence
from typing import NoReturn

from scriptc.check.close_names import close_name
from scriptc.check.context import Context
from scriptc.check.signatures import Signature
from scriptc.syntax import nodes as n
from scriptc_runtime.record import record


def bind(
    context: Context, node: n.Call, name: str, signature: Signature, bound: int
) -> Sequence[tuple[str, n.Expression]]:
    """Return the parameter of each argument, in the order of evaluation.

    What `**kwargs` takes has parameters of its own: `kwargs@name`.
    """
    arity = _Arity(context, node, name, signature)
    allowed = signature.positional - bound
    if len(node.args) > allowed and not signature.starred:
        given, most = len(node.args), allowed
        arity.refuse(
            f"takes at most {most} positional argument{'s' * (most != 1)}, but {given} are given",
            node.args[allowed],
        )
    places = signature.names[bound : signature.positional]
    pairs = list(zip(places, node.args, strict=False))
    taken = {*signature.names[:bound], *(parameter for parameter, _ in pairs)}
    if signature.starred:
        pairs += [(signature.starred, argument) for argument in node.args[allowed:]]
        taken.add(signature.starred)
    for keyword in node.keywords:
        assert keyword.arg is not None  # what `**` stands for was written down before
        if keyword.arg not in signature.by_name and signature.keywords:
            parameter = f"{signature.keywords}@{keyword.arg}"
            if parameter in taken:
                arity.refuse(f"gets two values for {keyword.arg!r}", keyword)
            taken.add(parameter)
            pairs.append((parameter, keyword.value))
            continue
        if keyword.arg not in signature.by_name:
            close = close_name(keyword.arg, sorted(signature.by_name))
            arity.refuse(f"has no parameter {keyword.arg!r}", keyword, close)
        if keyword.arg in taken:
            arity.refuse(f"gets two values for {keyword.arg!r}", keyword)
        taken.add(keyword.arg)
        pairs.append((keyword.arg, keyword.value))
    for parameter in signature.names:
        if parameter not in taken and parameter not in signature.defaults:
            arity.refuse(f"misses the argument {parameter!r}", node)
    return pairs


@record
class _Arity:
    context: Context
    node: n.Call
    name: str
    signature: Signature

    def refuse(self, message: str, at: n.Node, close: str | None = None) -> NoReturn:
        stars = self.signature.starred
        names = [f"*{name}" if name == stars else name for name in self.signature.names]
        names += [f"**{self.signature.keywords}"] if self.signature.keywords else []
        instead = "give each parameter without a default exactly one argument"
        if isinstance(at, n.keyword) and at.arg not in names:
            instead = f"leave {at.arg!r} out"
            if self.name in ("sum", "max", "min", "any", "all") and at.arg in ("axis", "keepdims"):
                instead = f"np.{self.name}, which takes it"
        self.context.fail(
            "call-arity",
            f"{self.name}() {message}",
            at,
            why=f"its parameters are ({', '.join(names)})",
            instead=f"did you mean {close!r}?" if close else instead,
        )
