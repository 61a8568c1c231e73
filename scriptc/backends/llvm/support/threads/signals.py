"""How a shared launch looks for Ctrl-C, as LLVM IR: with the GIL, in the thread of the caller.

The caller looks between chunks, and long loops of a chunk ask now and then.
"""

from collections.abc import Mapping
from string import Template

from scriptc.backends.llvm.loading.abi import Context

_POLL_NANOSECONDS = 50_000_000


def signals_text(places: Mapping[str, int]) -> str:
    """Return the functions; `places` are the offsets in the description of a launch."""
    return _SIGNALS.substitute(places, poll=_POLL_NANOSECONDS, thread_at=Context.THREAD)


_SIGNALS = Template("""\
; What a long loop of a chunk asks now and then: 0, or 1 where the launch is given up.
define internal i32 @poll_in_chunk(ptr %context, ptr %job) nounwind {
entry:
  %thread.at = getelementptr i8, ptr %context, i64 $thread_at
  %thread = load i64, ptr %thread.at
  %caller = icmp eq i64 %thread, 0
  br i1 %caller, label %look, label %tell
look:
  call void @look_for_signals(ptr %job)
  br label %tell
tell:
  %cancelled.at = getelementptr i8, ptr %job, i64 $cancelled
  %cancelled = load atomic i64, ptr %cancelled.at monotonic, align 8
  %status = trunc i64 %cancelled to i32
  ret i32 %status
}

; The caller looks for Ctrl-C now and then: with the GIL, which may take a while to get.
define internal void @look_for_signals(ptr %job) nounwind {
entry:
  %polled.at = getelementptr i8, ptr %job, i64 $polled
  %before = load i64, ptr %polled.at
  %now = call i64 @now()
  %passed = sub i64 %now, %before
  %due = icmp sgt i64 %passed, $poll
  br i1 %due, label %look, label %done
look:
  %state.at = getelementptr i8, ptr %job, i64 $state
  %state = load ptr, ptr %state.at
  call void @PyEval_RestoreThread(ptr %state)
  %status = call i32 @PyErr_CheckSignals()
  %again = call ptr @PyEval_SaveThread()
  store ptr %again, ptr %state.at
  %later = call i64 @now()
  store i64 %later, ptr %polled.at
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %cancel, label %done
cancel:
  %cancelled.at = getelementptr i8, ptr %job, i64 $cancelled
  store atomic i64 1, ptr %cancelled.at monotonic, align 8
  br label %done
done:
  ret void
}
""")
