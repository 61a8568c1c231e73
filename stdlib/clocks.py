"""The functions of `time`, in the script language: Python's own clocks."""

from scriptc_runtime import unsafe


def monotonic() -> float:
    """Return the seconds of a clock that never goes back."""
    return unsafe.ask("time.monotonic")


def monotonic_ns() -> int:
    """Return the nanoseconds of a clock that never goes back."""
    return unsafe.ask("time.monotonic_ns")


def perf_counter() -> float:
    """Return the seconds of the clock for short times."""
    return unsafe.ask("time.perf_counter")


def perf_counter_ns() -> int:
    """Return the nanoseconds of the clock for short times."""
    return unsafe.ask("time.perf_counter_ns")


def process_time() -> float:
    """Return the seconds that the processors have worked for this process."""
    return unsafe.ask("time.process_time")


def process_time_ns() -> int:
    """Return the nanoseconds that the processors have worked for this process."""
    return unsafe.ask("time.process_time_ns")


def time() -> float:
    """Return the seconds since 1970."""
    return unsafe.ask("time.time")


def time_ns() -> int:
    """Return the nanoseconds since 1970."""
    return unsafe.ask("time.time_ns")


def sleep(secs: float, /) -> None:
    """Wait for some seconds."""
    unsafe.ask("time.sleep", secs)
