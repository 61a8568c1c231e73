"""Which variables a function has where its ways part and meet: at tests, and at ends of loops."""

from scriptc.check.bindings import Environment
from scriptc_runtime.record import field, record


@record(frozen=False)
class LoopFrame:
    """The variables at each place that leaves a loop, or goes to its next iteration."""

    breaks: list[Environment] = field(default_factory=list[Environment])
    nexts: list[Environment] = field(default_factory=list[Environment])


@record
class Condition:
    """What a test decides: its value where it is constant, and the variables on either side."""

    known: bool | None
    when_true: Environment | None
    when_false: Environment | None
