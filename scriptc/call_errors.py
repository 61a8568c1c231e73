"""What Python says of a call whose arguments do not fit the parameters."""

from collections.abc import Mapping, Sequence
from inspect import Parameter

_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def call_error(
    name: str,
    parameters: Sequence[Parameter],
    args: Sequence[object],
    kwargs: Mapping[str, object],
    makes: bool = False,
) -> TypeError:
    """Return the TypeError of a call that does not fit, in the words of CPython's interpreter.

    `inspect.Signature.bind` finds the same mistakes, and has other words for some of them. A call
    that `makes` an object has no `self` yet, which Python counts.
    """
    if makes:
        own = Parameter("self", Parameter.POSITIONAL_ONLY)
        parameters, args = [own, *parameters], (None, *args)
    return TypeError(f"{name}() {_problem(parameters, args, kwargs)}")


def _problem(
    parameters: Sequence[Parameter], args: Sequence[object], kwargs: Mapping[str, object]
) -> str:
    kinds = {p.name: p.kind for p in parameters}
    placed = [p for p in parameters if p.kind in _BY_PLACE]
    takes_rest = Parameter.VAR_POSITIONAL in kinds.values()
    takes_names = Parameter.VAR_KEYWORD in kinds.values()
    filled = {p.name for p in placed[: len(args)]}
    for key in kwargs:
        if kinds.get(key) in _BY_NAME:
            if key in filled:
                return f"got multiple values for argument '{key}'"
        elif not takes_names:
            hidden = [k for k in kwargs if kinds.get(k) is Parameter.POSITIONAL_ONLY]
            if not hidden:
                return f"got an unexpected keyword argument '{key}'"
            names = ", ".join(hidden)
            return f"got some positional-only arguments passed as keyword arguments: '{names}'"
    if len(args) > len(placed) and not takes_rest:
        return _too_many(placed, len(args), [k for k in kwargs if _is_named(kinds.get(k))])
    for kind, of_kind in (("positional", placed), ("keyword-only", parameters)):
        wanted = of_kind if kind == "positional" else [p for p in of_kind if _is_named(p.kind)]
        given = {*filled, *kwargs}
        left = [p.name for p in wanted if p.default is Parameter.empty and p.name not in given]
        if left:
            plural = "s" if len(left) > 1 else ""
            return f"missing {len(left)} required {kind} argument{plural}: {_joined(left)}"
    return "takes other arguments"


def _is_named(kind: object) -> bool:
    return kind is Parameter.KEYWORD_ONLY


def _too_many(placed: Sequence[Parameter], count: int, named: Sequence[str]) -> str:
    least = sum(p.default is Parameter.empty for p in placed)
    most = len(placed)
    takes = f"{most}" if least == most else f"from {least} to {most}"
    plural = "" if takes == "1" else "s"
    given, were = f"{count}", "was" if count == 1 and not named else "were"
    if named:
        arguments = f"keyword-only argument{'s' if len(named) > 1 else ''}"
        own = f"positional argument{'s' if count > 1 else ''}"
        given = f"{count} {own} (and {len(named)} {arguments})"
    return f"takes {takes} positional argument{plural} but {given} {were} given"


def _joined(names: Sequence[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    if len(quoted) < 3:
        return " and ".join(quoted)
    return f"{', '.join(quoted[:-1])}, and {quoted[-1]}"
