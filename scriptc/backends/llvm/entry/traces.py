"""Functions in LLVM IR that note where exceptions come from, and which one was being handled.

A raise itself stores a few words, and allocates nothing. The first call that the exception passes,
or the handler it comes to, makes its trace, and the exception owns it from then on.
"""

from collections.abc import Mapping

from scriptc.backends.llvm.loading import abi
from scriptc.backends.llvm.loading.abi import BLOCK_DELETER, BLOCK_HEADER, Context, Trace
from scriptc.backends.llvm.routines.small import Routine
from scriptc_runtime.values import EXCEPTIONS

_RAISE = Routine(
    f"""\
; Note an exception that is raised here.
define internal void @sc.raise(ptr %ctx, i32 %kind, i32 %site, ptr %text) cold noinline nounwind {{
  %site.at = getelementptr i8, ptr %ctx, i64 {Context.SITE}
  %text.at = getelementptr i8, ptr %ctx, i64 {Context.MESSAGE}
  %trace.at = getelementptr i8, ptr %ctx, i64 {Context.TRACE}
  store i32 %kind, ptr %ctx
  store i32 %site, ptr %site.at
  store ptr %text, ptr %text.at
  store ptr null, ptr %trace.at
  %instance.at = getelementptr i8, ptr %ctx, i64 {Context.INSTANCE}
  store ptr null, ptr %instance.at
  ret void
}}
""",
    shared=True,
)


def _raise_with(count: int) -> Routine:
    """Return what notes an exception with numbers in its message."""
    params = "".join(f", i64 %a{index}" for index in range(count))
    lines = (
        line
        for index in range(count)
        for line in (
            f"  %a{index}.at = getelementptr i8, ptr %ctx, i64 {Context.ARGS + 8 * index}",
            f"  store i64 %a{index}, ptr %a{index}.at",
        )
    )
    head = f"define internal void @sc.raise{count}(ptr %ctx, i32 %kind, i32 %site, ptr %text"
    call = "  call void @sc.raise(ptr %ctx, i32 %kind, i32 %site, ptr %text)"
    text = f"{head}{params}) cold noinline nounwind {{"
    return Routine(
        "\n".join((text, *lines, call, "  ret void", "}", "")), calls=("raise",), shared=True
    )


_CAUGHT = Routine(
    f"""\
; The trace of an exception, made now if it has none; null where there is no memory.
define internal ptr @sc.caught(ptr %ctx) cold noinline nounwind {{
  %trace.at = getelementptr i8, ptr %ctx, i64 {Context.TRACE}
  %known = load ptr, ptr %trace.at
  %has = icmp ne ptr %known, null
  br i1 %has, label %done, label %make
make:
  %trace = call ptr @sc.new_trace()
  %failed = icmp eq ptr %trace, null
  br i1 %failed, label %done, label %fill
fill:
  store ptr %trace, ptr %trace.at
  %site.at = getelementptr i8, ptr %ctx, i64 {Context.SITE}
  %site = load i32, ptr %site.at
  call void @sc.pass(ptr %ctx, i32 %site)
  ret ptr %trace
done:
  ret ptr %known
}}
""",
    calls=("new_trace", "pass"),
    shared=True,
)

_NEW_TRACE = Routine(
    f"""\
; A trace without sites; null where there is no memory.
define internal ptr @sc.new_trace() cold noinline nounwind {{
  %trace = call ptr @sc_alloc_small(i64 {abi.TRACE_BYTES})
  %failed = icmp eq ptr %trace, null
  br i1 %failed, label %done, label %fill
fill:
  %data = getelementptr i8, ptr %trace, i64 {BLOCK_HEADER}
  call void @llvm.memset.p0.i64(ptr align 8 %data, i8 0, i64 {abi.TRACE_BYTES}, i1 false)
  %deleter.at = getelementptr i8, ptr %trace, i64 {BLOCK_DELETER}
  store ptr @sc.free_trace, ptr %deleter.at
  br label %done
done:
  ret ptr %trace
}}
""",
    frozenset(
        {
            "declare noalias ptr @sc_alloc_small(i64)",
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        }
    ),
    ("free_trace",),
    shared=True,
)

_PASS = Routine(
    f"""\
; Note that an exception passes a call, or is raised again. Without memory its trace is not longer.
define internal void @sc.pass(ptr %ctx, i32 %site) cold noinline nounwind {{
  %trace = call ptr @sc.caught(ptr %ctx)
  %none = icmp eq ptr %trace, null
  br i1 %none, label %done, label %look
look:
  %length.at = getelementptr i8, ptr %trace, i64 {Trace.LENGTH}
  %length = load i64, ptr %length.at
  %longer = add i64 %length, 1
  %room = icmp ult i64 %length, {abi.TRACE_CAPACITY}
  br i1 %room, label %grow, label %done
grow:
  ; By doubling from 16 on.
  %low = or i64 %length, 15
  %zeros = call i64 @llvm.ctlz.i64(i64 %low, i1 true)
  %bits = sub i64 64, %zeros
  %capacity = shl i64 1, %bits
  %done.growing = call i1 @sc.list_reserve(ptr %trace, i64 %capacity, i64 4)
  br i1 %done.growing, label %keep, label %done
keep:
  %sites.at = getelementptr i8, ptr %trace, i64 {Trace.SITES}
  %sites = load ptr, ptr %sites.at
  %at = getelementptr i32, ptr %sites, i64 %length
  store i32 %site, ptr %at
  store i64 %longer, ptr %length.at
  br label %done
done:
  ret void
}}
""",
    frozenset({"declare i64 @llvm.ctlz.i64(i64, i1)"}),
    ("caught", "list_reserve"),
    shared=True,
)

_CONTEXT_MESSAGE, _CONTEXT_TRACE = (
    Trace.CONTEXT + Context.MESSAGE,
    Trace.CONTEXT + Context.TRACE,
)
_CAUSE_MESSAGE, _CAUSE_TRACE = Trace.CAUSE + Context.MESSAGE, Trace.CAUSE + Context.TRACE
_FREE_CAUSE = Routine(
    f"""\
; Let go what an exception was raised from.
define internal void @sc.free_cause(ptr %trace) nounwind {{
  %message.at = getelementptr i8, ptr %trace, i64 {_CAUSE_MESSAGE}
  %message = load ptr, ptr %message.at
  call void @Py_DecRef(ptr %message)
  %cause.at = getelementptr i8, ptr %trace, i64 {_CAUSE_TRACE}
  %cause = load ptr, ptr %cause.at
  call void @sc_release(ptr %cause)
  %instance.at = getelementptr i8, ptr %trace, i64 {Trace.CAUSE + Context.INSTANCE}
  %instance = load ptr, ptr %instance.at
  call void @sc_release(ptr %instance)
  ret void
}}
""",
    frozenset({"declare void @Py_DecRef(ptr)", "declare void @sc_release(ptr)"}),
    shared=True,
)
_FREE_TRACE = Routine(
    f"""\
; Let go what a trace owns. The context and the cause are all zero where there is none.
define internal void @sc.free_trace(ptr %trace) nounwind {{
  call void @sc.free_items(ptr %trace)
  %message.at = getelementptr i8, ptr %trace, i64 {_CONTEXT_MESSAGE}
  %message = load ptr, ptr %message.at
  call void @Py_DecRef(ptr %message)
  %older.at = getelementptr i8, ptr %trace, i64 {_CONTEXT_TRACE}
  %older = load ptr, ptr %older.at
  call void @sc_release(ptr %older)
  %instance.at = getelementptr i8, ptr %trace, i64 {Trace.CONTEXT + Context.INSTANCE}
  %instance = load ptr, ptr %instance.at
  call void @sc_release(ptr %instance)
  call void @sc.free_cause(ptr %trace)
  ret void
}}
""",
    frozenset({"declare void @Py_DecRef(ptr)", "declare void @sc_release(ptr)"}),
    ("free_items", "free_cause"),
    shared=True,
)

_ADD_CONTEXT = Routine(
    f"""\
; The exception leaves the handler of another one, which ends the chain of its contexts and is taken
; over. There are no rings: where it is itself part of the other's chain, that is cut before it.
define internal void @sc.add_context(ptr %ctx, i32 %kind, i32 %site, i64 %a0, i64 %a1, i64 %a2,
                                     i64 %a3, ptr %message, ptr %handled,
                                     ptr %instance) cold noinline nounwind {{
entry:
  %raised = call ptr @sc.caught(ptr %ctx)
  %no.raised = icmp eq ptr %raised, null
  %no.handled = icmp eq ptr %handled, null
  %unknown = or i1 %no.raised, %no.handled
  %same = icmp eq ptr %raised, %handled
  %nothing = or i1 %unknown, %same
  br i1 %nothing, label %drop, label %older
older:
  %node = phi ptr [ %handled, %entry ], [ %next, %go.on ]
  %next.at = getelementptr i8, ptr %node, i64 {_CONTEXT_TRACE}
  %next = load ptr, ptr %next.at
  %is.raised = icmp eq ptr %next, %raised
  br i1 %is.raised, label %cut, label %go.on
go.on:
  %last = icmp eq ptr %next, null
  br i1 %last, label %seek, label %older
cut:
  %cut.instance.at = getelementptr i8, ptr %node, i64 {Trace.CONTEXT + Context.INSTANCE}
  %cut.instance = load ptr, ptr %cut.instance.at
  store ptr null, ptr %cut.instance.at
  call void @sc_release(ptr %cut.instance)
  %cut.message.at = getelementptr i8, ptr %node, i64 {_CONTEXT_MESSAGE}
  %cut.message = load ptr, ptr %cut.message.at
  %cut.flag.at = getelementptr i8, ptr %node, i64 {Trace.HANDLED}
  store i32 0, ptr %cut.flag.at
  store ptr null, ptr %cut.message.at
  store ptr null, ptr %next.at
  call void @Py_DecRef(ptr %cut.message)
  call void @sc_release(ptr %raised)
  br label %seek
seek:
  %end = phi ptr [ %raised, %cut ], [ %raised, %go.on ], [ %end.next, %seek ]
  %end.next.at = getelementptr i8, ptr %end, i64 {_CONTEXT_TRACE}
  %end.next = load ptr, ptr %end.next.at
  %at.end = icmp eq ptr %end.next, null
  br i1 %at.end, label %join, label %seek
join:
  %joined = icmp eq ptr %end, %node
  br i1 %joined, label %drop, label %attach
attach:
  %flag.at = getelementptr i8, ptr %end, i64 {Trace.HANDLED}
  store i32 1, ptr %flag.at
  %kind.at = getelementptr i8, ptr %end, i64 {Trace.CONTEXT + Context.KIND}
  store i32 %kind, ptr %kind.at
  %site.at = getelementptr i8, ptr %end, i64 {Trace.CONTEXT + Context.SITE}
  store i32 %site, ptr %site.at
  %a0.at = getelementptr i8, ptr %end, i64 {Trace.CONTEXT + Context.ARGS}
  store i64 %a0, ptr %a0.at
  %a1.at = getelementptr i8, ptr %a0.at, i64 8
  store i64 %a1, ptr %a1.at
  %a2.at = getelementptr i8, ptr %a0.at, i64 16
  store i64 %a2, ptr %a2.at
  %a3.at = getelementptr i8, ptr %a0.at, i64 24
  store i64 %a3, ptr %a3.at
  %message.at = getelementptr i8, ptr %end, i64 {_CONTEXT_MESSAGE}
  store ptr %message, ptr %message.at
  store ptr %handled, ptr %end.next.at
  %instance.at = getelementptr i8, ptr %end, i64 {Trace.CONTEXT + Context.INSTANCE}
  store ptr %instance, ptr %instance.at
  ret void
drop:
  call void @Py_DecRef(ptr %message)
  call void @sc_release(ptr %handled)
  call void @sc_release(ptr %instance)
  ret void
}}
""",
    frozenset({"declare void @Py_DecRef(ptr)", "declare void @sc_release(ptr)"}),
    ("caught",),
    shared=True,
)

_COMPONENTS = ", ".join(
    ("i32 %kind", "i32 %site", *(f"i64 %a{index}" for index in range(4)), "ptr %message")
)
_LAST = ("ptr %cause", "ptr %instance")
_STORED = "\n".join(
    f"  %c{place} = getelementptr i8, ptr %trace, i64 {Trace.CAUSE + offset}\n"
    f"  store {component}, ptr %c{place}"
    for place, (component, offset) in enumerate(
        zip((*_COMPONENTS.split(", "), *_LAST), abi.EXCEPTION_OFFSETS, strict=True)
    )
)
_SET_CAUSE = Routine(
    f"""\
; Say what an exception comes from, which is taken over: null for none.
define internal void @sc.set_cause(ptr %trace, i32 %said, {_COMPONENTS}, ptr %cause,
                                   ptr %instance) cold noinline nounwind {{
  %unknown = icmp eq ptr %trace, null
  br i1 %unknown, label %drop, label %known
known:
  %said.at = getelementptr i8, ptr %trace, i64 {Trace.CAUSED}
  call void @sc.free_cause(ptr %trace)
  %itself = icmp eq ptr %trace, %cause
  br i1 %itself, label %note, label %keep
note:
  ; Not kept, as it would live for ever then.
  store i32 {abi.Caused.BY_ITSELF}, ptr %said.at
  %rest = getelementptr i8, ptr %trace, i64 {Trace.CAUSE}
  call void @llvm.memset.p0.i64(ptr %rest, i8 0, i64 {abi.EXCEPTION_BYTES}, i1 false)
  br label %drop
keep:
  store i32 %said, ptr %said.at
{_STORED}
  ret void
drop:
  call void @Py_DecRef(ptr %message)
  call void @sc_release(ptr %cause)
  call void @sc_release(ptr %instance)
  ret void
}}
""",
    frozenset(
        {
            "declare void @Py_DecRef(ptr)",
            "declare void @sc_release(ptr)",
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        }
    ),
    ("free_cause",),
    shared=True,
)

# The more special class first, so that the first match is the closest.
_CLOSEST_FIRST = sorted(abi.KINDS, key=lambda name: -len(EXCEPTIONS[name].__mro__))
_CLASSES = ", ".join(f"ptr @PyExc_{name}" for name in _CLOSEST_FIRST)
_NUMBERS = ", ".join(f"i32 {abi.KIND[name]}" for name in _CLOSEST_FIRST)
_COUNT = len(_CLOSEST_FIRST)

_KIND_OF = Routine(
    f"""\
; The kind of a class of exceptions: BaseException is one of them, so there is one.
@sc.classes = private constant [{_COUNT} x ptr] [{_CLASSES}]
@sc.kinds = private constant [{_COUNT} x i32] [{_NUMBERS}]
define internal i32 @sc.kind_of(ptr %class) cold noinline nounwind {{
entry:
  br label %look
look:
  %i = phi i64 [ 0, %entry ], [ %next, %look ]
  %candidate.at.at = getelementptr ptr, ptr @sc.classes, i64 %i
  %candidate.at = load ptr, ptr %candidate.at.at
  %candidate = load ptr, ptr %candidate.at
  %matches = call i32 @PyErr_GivenExceptionMatches(ptr %class, ptr %candidate)
  %no = icmp eq i32 %matches, 0
  %next = add i64 %i, 1
  br i1 %no, label %look, label %found
found:
  %kind.at = getelementptr i32, ptr @sc.kinds, i64 %i
  %kind = load i32, ptr %kind.at
  ret i32 %kind
}}
""",
    frozenset(
        {
            "declare i32 @PyErr_GivenExceptionMatches(ptr, ptr)",
            *(f"@PyExc_{name} = external global ptr" for name in abi.KINDS),
        }
    ),
    shared=True,
)

_FETCH = Routine(
    """\
; Take over the exception that CPython has set.
define internal void @sc.fetch(ptr %ctx, i32 %site) cold noinline nounwind {
entry:
  %class.at = alloca ptr
  %value.at = alloca ptr
  %trace.at = alloca ptr
  call void @PyErr_Fetch(ptr %class.at, ptr %value.at, ptr %trace.at)
  call void @PyErr_NormalizeException(ptr %class.at, ptr %value.at, ptr %trace.at)
  %class = load ptr, ptr %class.at
  %value = load ptr, ptr %value.at
  %trace = load ptr, ptr %trace.at
  %traced = icmp ne ptr %trace, null
  br i1 %traced, label %attach, label %note
attach:
  %attached = call i32 @PyException_SetTraceback(ptr %value, ptr %trace)
  br label %note
note:
  %kind = call i32 @sc.kind_of(ptr %class)
  call void @Py_DecRef(ptr %class)
  call void @Py_DecRef(ptr %trace)
  call void @sc.raise(ptr %ctx, i32 %kind, i32 %site, ptr %value)
  ret void
}
""",
    frozenset(
        {
            "declare void @PyErr_Fetch(ptr, ptr, ptr)",
            "declare void @PyErr_NormalizeException(ptr, ptr, ptr)",
            "declare i32 @PyException_SetTraceback(ptr, ptr)",
            "declare void @Py_DecRef(ptr)",
        }
    ),
    ("raise", "kind_of"),
    shared=True,
)


_OLDER = Routine(
    f"""\
; Copy the cause or the context of an exception; all is zero where there is none.
define internal i1 @sc.older(ptr %exception, i64 %flag, i64 %place, ptr %into)
    cold noinline nounwind {{
entry:
  call void @llvm.memset.p0.i64(ptr %into, i8 0, i64 {abi.EXCEPTION_BYTES}, i1 false)
  %trace.at = getelementptr i8, ptr %exception, i64 {Context.TRACE}
  %trace = load ptr, ptr %trace.at
  %none = icmp eq ptr %trace, null
  br i1 %none, label %absent, label %look
look:
  %flag.at = getelementptr i8, ptr %trace, i64 %flag
  %said = load i32, ptr %flag.at
  switch i32 %said, label %absent [
    i32 {abi.Caused.BY_OTHER}, label %other
    i32 {abi.Caused.BY_ITSELF}, label %present
  ]
other:
  %other.at = getelementptr i8, ptr %trace, i64 %place
  br label %present
present:
  %from = phi ptr [ %exception, %look ], [ %other.at, %other ]
  call void @llvm.memcpy.p0.p0.i64(ptr %into, ptr %from, i64 {abi.EXCEPTION_BYTES}, i1 false)
  ret i1 true
absent:
  ret i1 false
}}
""",
    frozenset(
        {
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        }
    ),
    shared=True,
)

_CLASS_OF = Routine(
    f"""\
; The number of the class of the object that an exception is; 0 where it is none.
define internal i64 @sc.class_of(ptr %object) nounwind {{
  %none = icmp eq ptr %object, null
  br i1 %none, label %built.in, label %own
own:
  %class.at = getelementptr i8, ptr %object, i64 {abi.INSTANCE_CLASS}
  %class = load i64, ptr %class.at
  ret i64 %class
built.in:
  ret i64 0
}}
""",
    shared=True,
)

_INTERRUPTED = Routine(
    f"""\
; Note why a loop is given up. In a chunk of a launch there is no GIL, and the caller of the launch
; has the exception: what is noted here is not seen outside.
define internal void @sc.interrupted(ptr %ctx, i32 %site) cold noinline nounwind {{
  %job.at = getelementptr i8, ptr %ctx, i64 {Context.JOB}
  %job = load ptr, ptr %job.at
  %held = icmp eq ptr %job, null
  br i1 %held, label %fetch, label %stand.in
fetch:
  call void @sc.fetch(ptr %ctx, i32 %site)
  ret void
stand.in:
  call void @sc.raise(ptr %ctx, i32 {abi.KIND["KeyboardInterrupt"]}, i32 %site, ptr null)
  ret void
}}
""",
    calls=("raise", "fetch"),
    shared=True,
)


# What code needs that raises, and handles nothing.
USUAL = ("raise", "raise1", "raise2", "raise3", "raise4", "kind_of", "fetch", "interrupted")
ROUTINES: Mapping[str, Routine] = {
    "raise": _RAISE,
    **{f"raise{count}": _raise_with(count) for count in range(1, 5)},
    "caught": _CAUGHT,
    "new_trace": _NEW_TRACE,
    "set_cause": _SET_CAUSE,
    "kind_of": _KIND_OF,
    "older": _OLDER,
    "class_of": _CLASS_OF,
    "pass": _PASS,
    "free_trace": _FREE_TRACE,
    "free_cause": _FREE_CAUSE,
    "add_context": _ADD_CONTEXT,
    "fetch": _FETCH,
    "interrupted": _INTERRUPTED,
}
