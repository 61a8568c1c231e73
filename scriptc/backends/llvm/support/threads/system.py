"""What the pool asks of the system and the processor, as LLVM IR.

    wait(address, value)     sleep as long as the i32 at `address` is `value`; may wake early
    wake(address, count)     wake up to `count` threads, or all, that sleep there
    start_thread(argument)   start `serve(argument)` with all signals blocked; whether that worked
    count_processors()       how many this process may use now
    processor()              a number of the one that runs this thread
    leave_processor(number)  let this thread run on the process's others only, if there are any
    process_id(), now()      a number that differs in a child after fork; nanoseconds
    pause()                  say that this thread waits for another
    float_mode(), set_float_mode(mode)    rounding, denormals: what a thread has of its own

The texts for macOS and Windows compile, and have not been run.
"""

from string import Template

_STACK_BYTES = 4 << 20
_X86 = ("x86_64", "AMD64")
_ARM = ("aarch64", "arm64")
# The number of the system call `futex`, which has no function in the C library.
_FUTEX = {"x86_64": 202, "aarch64": 98, "riscv64": 98, "ppc64le": 221, "s390x": 238}


def threads_of(system: str, processor: str) -> str:
    """Return the functions of an operating system, a name of `sys.platform`."""
    pause = _PAUSE.substitute(pause=_PAUSES.get(processor, ""))
    match system:
        case "linux" if processor in _FUTEX:
            posix = _POSIX.substitute(stack=_STACK_BYTES, set_mask=2, clock=1)
            own = _LINUX.substitute(futex=_FUTEX[processor])
            return pause + posix + own
        case "darwin":
            posix = _POSIX.substitute(stack=_STACK_BYTES, set_mask=3, clock=6)
            return pause + posix + _DARWIN + _ANYWHERE
        case "win32":
            return pause + _WINDOWS.substitute(stack=_STACK_BYTES) + _ANYWHERE
        case _:
            return pause + _NO_THREADS + _ANYWHERE


def float_mode_of(processor: str) -> str:
    """Return the functions for the modes of floating-point arithmetic.

    A thread starts with the modes of the one that starts it; a library may have changed that
    one's since.
    """
    return _FLOAT_MODES.get(processor, _NO_FLOAT_MODE)


_PAUSE = Template("""\
define internal void @pause() nounwind {
  $pause
  ret void
}
""")
_PAUSES = {
    **dict.fromkeys(_X86, 'call void asm sideeffect "pause", ""()'),
    **dict.fromkeys(_ARM, 'call void asm sideeffect "yield", ""()'),
}

_POSIX = Template("""\
declare i32 @pthread_attr_init(ptr)
declare i32 @pthread_attr_setstacksize(ptr, i64)
declare i32 @pthread_attr_destroy(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sigfillset(ptr)
declare i32 @getpid()
declare i32 @clock_gettime(i32, ptr)

define internal i32 @process_id() nounwind {
  %id = call i32 @getpid()
  ret i32 %id
}

define internal i64 @now() nounwind {
  %time = alloca [2 x i64]
  %ignored = call i32 @clock_gettime(i32 $clock, ptr %time)     ; CLOCK_MONOTONIC
  %seconds = load i64, ptr %time
  %rest.at = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.at
  %whole = mul i64 %seconds, 1000000000
  %all = add i64 %whole, %rest
  ret i64 %all
}

define internal ptr @worker(ptr %argument) nounwind {
  call void @serve(ptr %argument)
  ret ptr null
}

define internal i1 @start_thread(ptr %argument) nounwind {
  %attributes = alloca [128 x i8], align 16
  %all = alloca [128 x i8], align 16
  %before = alloca [128 x i8], align 16
  %thread = alloca ptr
  %ignored.1 = call i32 @pthread_attr_init(ptr %attributes)
  %ignored.2 = call i32 @pthread_attr_setstacksize(ptr %attributes, i64 $stack)
  %ignored.3 = call i32 @sigfillset(ptr %all)
  ; SIG_SETMASK: signals are for Python's own threads.
  %ignored.4 = call i32 @pthread_sigmask(i32 $set_mask, ptr %all, ptr %before)
  %status = call i32 @pthread_create(ptr %thread, ptr %attributes, ptr @worker, ptr %argument)
  %ignored.5 = call i32 @pthread_sigmask(i32 $set_mask, ptr %before, ptr null)
  %ignored.6 = call i32 @pthread_attr_destroy(ptr %attributes)
  %started = icmp eq i32 %status, 0
  br i1 %started, label %detach, label %none
detach:
  %handle = load ptr, ptr %thread
  %ignored.7 = call i32 @pthread_detach(ptr %handle)
  ret i1 true
none:
  ret i1 false
}
""")

_LINUX = Template("""\
declare i64 @syscall(i64, ...)
declare i32 @sched_getaffinity(i32, i64, ptr)
declare i32 @sched_setaffinity(i32, i64, ptr)
declare i32 @sched_getcpu()
declare i64 @llvm.ctpop.i64(i64)

define internal i32 @processor() nounwind {
  %number = call i32 @sched_getcpu()
  ret i32 %number
}

define internal void @leave_processor(i32 %number) nounwind {
entry:
  %set = alloca [128 x i64], align 16
  call void @llvm.memset.p0.i64(ptr %set, i8 0, i64 1024, i1 false)
  %known = icmp ult i32 %number, 8192
  br i1 %known, label %ask, label %end
ask:
  ; What the first thread may use, as a program can change that of the process later.
  %process = call i32 @process_id()
  %ignored.1 = call i32 @sched_getaffinity(i32 %process, i64 1024, ptr %set)
  %word = lshr i32 %number, 6
  %at = getelementptr i64, ptr %set, i32 %word
  %bits = load i64, ptr %at
  %place = and i32 %number, 63
  %wide = zext i32 %place to i64
  %bit = shl i64 1, %wide
  %others = xor i64 %bit, -1
  %left = and i64 %bits, %others
  store i64 %left, ptr %at
  ; The system refuses an empty set: then this thread stays where it is.
  %ignored.2 = call i32 @sched_setaffinity(i32 0, i64 1024, ptr %set)
  br label %end
end:
  ret void
}

define internal void @wait(ptr %address, i32 %value) nounwind {
  ; FUTEX_WAIT | FUTEX_PRIVATE_FLAG
  %ignored = call i64 (i64, ...) @syscall(
    i64 $futex, ptr %address, i32 128, i32 %value, ptr null, ptr null, i32 0)
  ret void
}

define internal void @wake(ptr %address, i32 %count) nounwind {
  ; FUTEX_WAKE | FUTEX_PRIVATE_FLAG
  %ignored = call i64 (i64, ...) @syscall(
    i64 $futex, ptr %address, i32 129, i32 %count, ptr null, ptr null, i32 0)
  ret void
}

define internal i32 @count_processors() nounwind {
entry:
  %set = alloca [128 x i64], align 16
  call void @llvm.memset.p0.i64(ptr %set, i8 0, i64 1024, i1 false)
  %ignored = call i32 @sched_getaffinity(i32 0, i64 1024, ptr %set)
  br label %word
word:
  %i = phi i64 [0, %entry], [%next, %word]
  %count = phi i64 [0, %entry], [%more, %word]
  %at = getelementptr i64, ptr %set, i64 %i
  %bits = load i64, ptr %at
  %found = call i64 @llvm.ctpop.i64(i64 %bits)
  %more = add i64 %count, %found
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 128
  br i1 %done, label %end, label %word
end:
  %some = call i64 @at_least_one(i64 %more)
  %result = trunc i64 %some to i32
  ret i32 %result
}
""")

_DARWIN = """\
declare i32 @__ulock_wait(i32, ptr, i64, i32)
declare i32 @__ulock_wake(i32, ptr, i64)
declare i64 @sysconf(i32)

define internal void @wait(ptr %address, i32 %value) nounwind {
  %wide = zext i32 %value to i64
  %ignored = call i32 @__ulock_wait(i32 1, ptr %address, i64 %wide, i32 0)  ; UL_COMPARE_AND_WAIT
  ret void
}

define internal void @wake(ptr %address, i32 %count) nounwind {
  %ignored = call i32 @__ulock_wake(i32 257, ptr %address, i64 0)           ; ... | ULF_WAKE_ALL
  ret void
}

define internal i32 @count_processors() nounwind {
  %online = call i64 @sysconf(i32 58)                                       ; _SC_NPROCESSORS_ONLN
  %some = call i64 @at_least_one(i64 %online)
  %result = trunc i64 %some to i32
  ret i32 %result
}
"""

_WINDOWS = Template("""\
declare i32 @WaitOnAddress(ptr, ptr, i64, i32)
declare void @WakeByAddressAll(ptr)
declare ptr @CreateThread(ptr, i64, ptr, ptr, i32, ptr)
declare i32 @CloseHandle(ptr)
declare i64 @GetTickCount64()
declare ptr @GetCurrentProcess()
declare i64 @llvm.ctpop.i64(i64)
declare i32 @GetProcessAffinityMask(ptr, ptr, ptr)

define internal void @wait(ptr %address, i32 %value) nounwind {
  %expected = alloca i32
  store i32 %value, ptr %expected
  %ignored = call i32 @WaitOnAddress(ptr %address, ptr %expected, i64 4, i32 -1)
  ret void
}

define internal void @wake(ptr %address, i32 %count) nounwind {
  call void @WakeByAddressAll(ptr %address)
  ret void
}

define internal i32 @worker(ptr %argument) nounwind {
  call void @serve(ptr %argument)
  ret i32 0
}

define internal i1 @start_thread(ptr %argument) nounwind {
  ; STACK_SIZE_PARAM_IS_A_RESERVATION
  %thread = call ptr @CreateThread(
    ptr null, i64 $stack, ptr @worker, ptr %argument, i32 65536, ptr null)
  %none = icmp eq ptr %thread, null
  br i1 %none, label %failed, label %close
close:
  %ignored = call i32 @CloseHandle(ptr %thread)
  ret i1 true
failed:
  ret i1 false
}

define internal i32 @count_processors() nounwind {
  %own = alloca i64
  %all = alloca i64
  store i64 0, ptr %own
  %process = call ptr @GetCurrentProcess()
  %ignored = call i32 @GetProcessAffinityMask(ptr %process, ptr %own, ptr %all)
  %bits = load i64, ptr %own
  %count = call i64 @llvm.ctpop.i64(i64 %bits)
  %some = call i64 @at_least_one(i64 %count)
  %result = trunc i64 %some to i32
  ret i32 %result
}

; There is no fork.
define internal i32 @process_id() nounwind {
  ret i32 1
}

define internal i64 @now() nounwind {
  %milliseconds = call i64 @GetTickCount64()
  %result = mul i64 %milliseconds, 1000000
  ret i64 %result
}
""")

# Where a thread's processor is not asked for, to leave it changes nothing.
_ANYWHERE = """\
define internal i32 @processor() nounwind {
  ret i32 -1
}
define internal void @leave_processor(i32 %number) nounwind {
  ret void
}
"""

# Where nobody has said how threads sleep, there are none.
_NO_THREADS = """\
define internal void @wait(ptr %address, i32 %value) nounwind {
  ret void
}
define internal void @wake(ptr %address, i32 %count) nounwind {
  ret void
}
define internal i1 @start_thread(ptr %argument) nounwind {
  ret i1 false
}
define internal i32 @count_processors() nounwind {
  ret i32 1
}
define internal i32 @process_id() nounwind {
  ret i32 1
}
declare i64 @time(ptr)
define internal i64 @now() nounwind {
  %seconds = call i64 @time(ptr null)
  %result = mul i64 %seconds, 1000000000
  ret i64 %result
}
"""

_X86_MODE = """\
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
define internal i64 @float_mode() nounwind {
  %word = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %word)
  %mode = load i32, ptr %word
  %wide = zext i32 %mode to i64
  ret i64 %wide
}
define internal void @set_float_mode(i64 %wide) nounwind {
  %word = alloca i32
  %mode = trunc i64 %wide to i32
  store i32 %mode, ptr %word
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  ret void
}
"""
_ARM_MODE = """\
declare i64 @llvm.aarch64.get.fpcr()
declare void @llvm.aarch64.set.fpcr(i64)
define internal i64 @float_mode() nounwind {
  %mode = call i64 @llvm.aarch64.get.fpcr()
  ret i64 %mode
}
define internal void @set_float_mode(i64 %mode) nounwind {
  call void @llvm.aarch64.set.fpcr(i64 %mode)
  ret void
}
"""
_FLOAT_MODES = {**dict.fromkeys(_X86, _X86_MODE), **dict.fromkeys(_ARM, _ARM_MODE)}
_NO_FLOAT_MODE = """\
define internal i64 @float_mode() nounwind {
  ret i64 0
}
define internal void @set_float_mode(i64 %mode) nounwind {
  ret void
}
"""
