"""The action of every rule: `action(lo, hi, *children)` gives the node, or a part of one."""

from collections.abc import Callable, Mapping

from scriptc.syntax.build_expressions import EXPRESSIONS
from scriptc.syntax.build_patterns import PATTERNS
from scriptc.syntax.build_statements import STATEMENTS

Action = Callable[..., object]
ACTIONS: Mapping[str, Action] = {**EXPRESSIONS, **PATTERNS, **STATEMENTS}
