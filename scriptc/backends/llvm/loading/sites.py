"""Places in the source that machine code names by a number.

Code knows neither files nor lines: it returns a site, and the table beside the object says what
that is. An edit above a function then changes the table only, and the object is used again.
"""

from scriptc_runtime.record import record


@record
class Frame:
    """One line of a traceback."""

    function: str
    file: str
    line: int


@record
class Site:
    """A place that can raise: its frames, innermost first, and the message of what it raises.

    There are several frames where calls were inlined. Each {} of the message stands for a number
    that code stores in the context.
    """

    frames: tuple[Frame, ...]
    message: str = ""
