"""What a program starts from: functions that Python calls, and the types of their parameters."""

from collections.abc import Mapping, Sequence
from types import FunctionType

from scriptc.check.checked import Constant
from scriptc_runtime.types import Type


class Root:
    """A live function to compile, with a type for each parameter.

    None stands for what the annotation or the default says.  `owner` is the class of a method;
    its first type is then the instance's.  With `constructs` the function is `owner.__init__`
    and the types are those of the other parameters.
    With `sized`, names and numbers of sizes hold where no annotation says more.
    `values` are those of the arguments that are plain constants, each in a tuple, or (); `statics`
    are functions and dtypes among them, by the names of parameters.
    `classes` are those that the types name.  With `bigint` its ints have any size, and those of all
    that it calls.
    """

    # No dataclass: as a field, a function would be taken for a method.
    __slots__ = (
        *("bigint", "classes", "constructs", "function", "owner"),
        *("sized", "statics", "types", "values"),
    )

    def __init__(
        self,
        function: FunctionType,
        types: Sequence[Type | None],
        owner: type | None = None,
        constructs: bool = False,
        sized: bool = False,
        values: Sequence[tuple[()] | tuple[Constant]] = (),
        classes: Sequence[type] = (),
        statics: Mapping[str, object] | None = None,
        bigint: bool = False,
    ) -> None:
        self.function = function
        self.types = types
        self.owner = owner
        self.constructs = constructs
        self.sized = sized
        self.values = values
        self.classes = classes
        self.statics = statics or {}
        self.bigint = bigint
