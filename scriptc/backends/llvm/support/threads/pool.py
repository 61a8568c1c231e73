"""Threads that share the iterations of kernels, as LLVM IR: a part of the support code.

    sc_launch(ctx, share, arguments, count, work, limit) -> status

runs `share(arguments, context, begin, end) -> status` on ranges that together are 0 .. `count`. It
gives up the GIL meanwhile, and shares the ranges out among threads where `work` is worth it. Status
0 is success, 1 an exception of the kernel, which is then in `ctx`, 2 one of CPython's (Ctrl-C).

**A region.** One 64-bit word holds [generation: 32 | open: 1 | threads inside: 31]. The caller puts
the job into `@job`, then opens the region with a new generation. A worker that sees it adds itself
to the word by compare-and-exchange. The caller works, closes the region when no iterations are
left, and waits for the workers that are inside: one that never woke up holds nobody up.

**Shares.** Each thread has a share of its own, the same in every launch over as many iterations, so
that it finds in its cache what it left there; it takes chunks of it, and then of the others'
shares. Every share has its counter on a cache line of its own.

**Where they run.** The kernel of a virtual machine may wake a worker on its caller's processor
while another one is idle, and leave both there for tens of milliseconds. A worker that finds itself
there leaves that processor for good.

**Who may use it.** One caller at a time: another one, in a second Python thread or in a signal
handler, runs its iterations alone. A kernel launches nothing. A child after fork has no workers: it
notices that its process is another one, and starts over.

**Idle workers** look for a new generation for some microseconds, and then sleep in the kernel.
Workers are started when the first region needs them, all signals blocked; they touch no Python
object, no count and no allocator but malloc, and end with the process.
"""

from collections.abc import Sequence
from string import Template

from scriptc.backends.llvm.loading.abi import (
    CONTEXT_SIZE,
    EXCEPTION_BYTES,
    JOB_POLL,
    POLL_ROUNDS,
    Context,
)
from scriptc.backends.llvm.loading.processors import MOST_THREADS
from scriptc.backends.llvm.support.threads.signals import signals_text
from scriptc.backends.llvm.support.threads.system import float_mode_of, threads_of

# Estimated work, in units of about an eighth of a nanosecond (see `work.py`): from where on a
# launch gives up the GIL, from where on threads share it, and the least that is worth a chunk.
APART_WORK, SPLIT_WORK, CHUNK_WORK = 80_000, 400_000, 80_000
# What tasks, pieces of work side by side, have to gain, about 25 us.
TASK_WORK = 200_000
# The most that is one, about 5 ms: the caller looks for Ctrl-C between chunks.
_LONGEST_WORK = 40_000_000
# Chunks of a share, so that a thread that is done early finds something to take.
_CHUNKS = 8
# Bounds of shares are multiples of so many iterations, where there are enough of them: no cache
# line of a result, one element an iteration, is written by two threads.
_ALIGNMENT = 64
# How often a worker looks for a new region, and a caller whether the workers are done, before they
# sleep. The one may be long in coming; the others are at their last chunks.
_SPINS = 1000
_CALLER_SPINS = 20_000


class _Job:
    """Offsets in the description of a launch, which lies on the caller's stack."""

    SHARE = 0
    ARGUMENTS = 8
    COUNT = 16
    CHUNK = 24
    THREADS = 32
    ALIGNMENT = 40
    FLOAT_MODE = 48
    CANCELLED = 56  # whoever sees 1 takes no more chunks
    LOCK = 64  # around the next and the context
    FAILED = 72  # the lowest begin that failed
    CONTEXT = 80
    POLLED = 88  # when the caller last looked for signals
    STATE = 96  # the caller's PyThreadState
    POLL_IN_CHUNK = JOB_POLL  # what loops of a chunk ask: the function of this name
    COUNTERS = 128  # one cache line for each share
    SIZE = 128 + 64 * MOST_THREADS


def pool_text(system: str, processor: str) -> tuple[str, Sequence[str]]:
    """Return the LLVM IR of the pool for an operating system and a processor.

    The second text are declarations, which other code of the same module may have too.
    """
    places = {name.lower(): at for name, at in vars(_Job).items() if name.isupper()}
    text = _POOL.substitute(
        places,
        most=MOST_THREADS,
        apart=APART_WORK,
        split=SPLIT_WORK,
        least=CHUNK_WORK,
        task=TASK_WORK,
        longest=_LONGEST_WORK,
        chunks=_CHUNKS,
        lines=_ALIGNMENT,
        spins=_SPINS,
        caller_spins=_CALLER_SPINS,
        context_size=CONTEXT_SIZE,
        raised=EXCEPTION_BYTES,
        poll_at=Context.POLL,
        job_at=Context.JOB,
        thread_at=Context.THREAD,
        iterations=POLL_ROUNDS,
    )
    text += signals_text(places)
    lines = f"{text}\n{threads_of(system, processor)}\n{float_mode_of(processor)}".splitlines()
    declared = [line for line in lines if line.startswith("declare ")]
    return "\n".join(line for line in lines if not line.startswith("declare ")), declared


_POOL = Template("""\
; What the process may be told; tests set all of them.
@sc_threads = global i32 0        ; how many threads share a launch; 0: as many as the processors
@sc_quota = global i32 $most      ; at most so many, if the number is not told
@sc_apart_work = global i64 $apart
@sc_split_work = global i64 $split
@sc_chunk_work = global i64 $least
@sc_task_work = global i64 $task
@sc_regions = global i64 0        ; how many launches were shared

@state = internal global i64 0, align 64
@asleep = internal global i32 0, align 64
@caller_asleep = internal global i32 0, align 64
@taken = internal global i32 0, align 64   ; whether a caller uses the pool
@process = internal global i32 0           ; whose workers these are; negative while that is changed
@workers = internal global i32 0
@processors = internal global i32 0
@job = internal global ptr null
@caller_runs_on = internal global i32 0    ; a processor

define i32 @sc_launch(ptr %ctx, ptr %share, ptr %arguments, i64 %count, i64 %work, i32 %limit) {
entry:
  %job = alloca [$size x i8], align 64
  %share.at = getelementptr i8, ptr %job, i64 $share
  store ptr %share, ptr %share.at
  %arguments.at = getelementptr i8, ptr %job, i64 $arguments
  store ptr %arguments, ptr %arguments.at
  %count.at = getelementptr i8, ptr %job, i64 $count
  store i64 %count, ptr %count.at
  %mode = call i64 @float_mode()
  %mode.at = getelementptr i8, ptr %job, i64 $float_mode
  store i64 %mode, ptr %mode.at
  %cancelled.at = getelementptr i8, ptr %job, i64 $cancelled
  store i64 0, ptr %cancelled.at
  %lock.at = getelementptr i8, ptr %job, i64 $lock
  store i64 0, ptr %lock.at
  %failed.at = getelementptr i8, ptr %job, i64 $failed
  store i64 %count, ptr %failed.at
  %context.at = getelementptr i8, ptr %job, i64 $context
  store ptr %ctx, ptr %context.at
  %now = call i64 @now()
  %polled.at = getelementptr i8, ptr %job, i64 $polled
  store i64 %now, ptr %polled.at
  %saved = call ptr @PyEval_SaveThread()
  %state.at = getelementptr i8, ptr %job, i64 $state
  store ptr %saved, ptr %state.at
  call void @work(ptr %job, i64 %count, i64 %work, i32 %limit)
  %again = load ptr, ptr %state.at
  call void @PyEval_RestoreThread(ptr %again)
  %cancelled = load i64, ptr %cancelled.at
  %interrupted = icmp ne i64 %cancelled, 0
  br i1 %interrupted, label %signal, label %finished
signal:
  ret i32 2
finished:
  %failed = load i64, ptr %failed.at
  %raised = icmp slt i64 %failed, %count
  %status = zext i1 %raised to i32
  ret i32 %status
}

define internal void @work(ptr %job, i64 %count, i64 %work, i32 %limit) nounwind {
entry:
  ; The work of an iteration, and how many are worth a chunk.
  %some = call i64 @at_least_one(i64 %count)
  %each.rounded = sdiv i64 %work, %some
  %each = call i64 @at_least_one(i64 %each.rounded)
  %chunk.work = load i64, ptr @sc_chunk_work
  %least.rounded = sdiv i64 %chunk.work, %each
  %least = call i64 @at_least_one(i64 %least.rounded)
  %longest.rounded = sdiv i64 $longest, %each
  %longest = call i64 @at_least_one(i64 %longest.rounded)
  %split = load i64, ptr @sc_split_work
  %small = icmp slt i64 %work, %split
  br i1 %small, label %alone, label %ask
ask:
  %worth = sdiv i64 %count, %least
  %threads = call i64 @threads(i64 %worth, i32 %limit)
  %one = icmp sle i64 %threads, 1
  br i1 %one, label %alone, label %take
take:
  %mine = call i1 @own_process()
  br i1 %mine, label %try, label %alone
try:
  %swap = cmpxchg ptr @taken, i32 0, i32 1 acquire monotonic
  %got = extractvalue {i32, i1} %swap, 1
  br i1 %got, label %start, label %alone
start:
  %wanted = sub i64 %threads, 1
  %hired = call i64 @hire(i64 %wanted)
  %all = add i64 %hired, 1
  %share = sdiv i64 %count, %all
  %part = sdiv i64 %share, $chunks
  %longer = icmp sgt i64 %part, %longest
  %bounded = select i1 %longer, i64 %longest, i64 %part
  %less = icmp slt i64 %bounded, %least
  %chunk = select i1 %less, i64 %least, i64 %bounded
  %many = icmp sge i64 %part, $lines
  %alignment = select i1 %many, i64 $lines, i64 1
  call void @region(ptr %job, i64 %all, i64 %chunk, i64 %alignment)
  store atomic i32 0, ptr @taken release, align 4
  ret void
alone:
  call void @describe(ptr %job, i64 1, i64 %longest, i64 1)
  call void @run(ptr %job, i64 0)
  ret void
}

define internal i64 @at_least_one(i64 %n) nounwind {
  %positive = icmp sgt i64 %n, 1
  %result = select i1 %positive, i64 %n, i64 1
  ret i64 %result
}

; How many threads there are for a loop of `most` parts.
define i64 @sc_shares(i64 %most, i32 %limit) nounwind {
  %threads = call i64 @threads(i64 %most, i32 %limit)
  ret i64 %threads
}

; How many threads to use for work that is worth `worth` chunks.
define internal i64 @threads(i64 %worth, i32 %limit) nounwind {
entry:
  %given = load i32, ptr @sc_threads
  %known = icmp sgt i32 %given, 0
  br i1 %known, label %bound, label %count
count:
  %before = load atomic i32, ptr @processors monotonic, align 4
  %counted = icmp ne i32 %before, 0
  br i1 %counted, label %quota, label %ask
ask:
  %asked = call i32 @count_processors()
  store atomic i32 %asked, ptr @processors monotonic, align 4
  br label %quota
quota:
  %there = phi i32 [%before, %count], [%asked, %ask]
  %allowed = load i32, ptr @sc_quota
  %scarce = icmp slt i32 %allowed, %there
  %usable = select i1 %scarce, i32 %allowed, i32 %there
  br label %bound
bound:
  %wish = phi i32 [%given, %entry], [%usable, %quota]
  %limited = icmp sgt i32 %limit, 0
  %most = select i1 %limited, i32 %limit, i32 $most
  %too.many = icmp sgt i32 %wish, %most
  %possible = select i1 %too.many, i32 %most, i32 %wish
  %wide = sext i32 %possible to i64
  %little = icmp slt i64 %worth, %wide
  %result = select i1 %little, i64 %worth, i64 %wide
  ret i64 %result
}

; Whether the pool is this process's, after starting over in a child of its owner.
define internal i1 @own_process() nounwind {
entry:
  %id = call i32 @process_id()
  %owner = load atomic i32, ptr @process acquire, align 4
  %same = icmp eq i32 %owner, %id
  br i1 %same, label %yes, label %other
other:
  %changing = sub i32 0, %id
  %busy = icmp eq i32 %owner, %changing
  br i1 %busy, label %no, label %claim
claim:
  %swap = cmpxchg ptr @process, i32 %owner, i32 %changing acquire monotonic
  %first = extractvalue {i32, i1} %swap, 1
  br i1 %first, label %reset, label %no
reset:
  store atomic i64 0, ptr @state monotonic, align 8
  store atomic i32 0, ptr @asleep monotonic, align 4
  store atomic i32 0, ptr @caller_asleep monotonic, align 4
  store atomic i32 0, ptr @taken monotonic, align 4
  store i32 0, ptr @workers
  store i32 0, ptr @processors
  store atomic i32 %id, ptr @process release, align 4
  br label %yes
yes:
  ret i1 true
no:
  ret i1 false
}

; Have `wanted` workers, or as many of them as the system starts; the caller has the pool.
define internal i64 @hire(i64 %wanted) nounwind {
entry:
  br label %head
head:
  %there = load i32, ptr @workers
  %wide = sext i32 %there to i64
  %enough = icmp sge i64 %wide, %wanted
  br i1 %enough, label %done, label %more
more:
  %number = add i64 %wide, 1
  %word = load atomic i64, ptr @state acquire, align 8
  %generation = and i64 %word, -4294967296
  %told = or i64 %generation, %number
  %argument = inttoptr i64 %told to ptr
  %started = call i1 @start_thread(ptr %argument)
  br i1 %started, label %count, label %short
count:
  %new = add i32 %there, 1
  store i32 %new, ptr @workers
  br label %head
done:
  ret i64 %wanted
short:
  ret i64 %wide
}

define internal i64 @bound(ptr %job, i64 %share) nounwind {
entry:
  %count.at = getelementptr i8, ptr %job, i64 $count
  %count = load i64, ptr %count.at
  %threads.at = getelementptr i8, ptr %job, i64 $threads
  %threads = load i64, ptr %threads.at
  %last = icmp sge i64 %share, %threads
  br i1 %last, label %end, label %inside
inside:
  %alignment.at = getelementptr i8, ptr %job, i64 $alignment
  %alignment = load i64, ptr %alignment.at
  %mask = sub i64 0, %alignment
  %scaled = mul i64 %count, %share
  %at = sdiv i64 %scaled, %threads
  %aligned = and i64 %at, %mask
  ret i64 %aligned
end:
  ret i64 %count
}

; Write down how the iterations are shared out.
define internal void @describe(ptr %job, i64 %threads, i64 %chunk, i64 %alignment) nounwind {
entry:
  %threads.at = getelementptr i8, ptr %job, i64 $threads
  store i64 %threads, ptr %threads.at
  %alignment.at = getelementptr i8, ptr %job, i64 $alignment
  store i64 %alignment, ptr %alignment.at
  %ask.at = getelementptr i8, ptr %job, i64 $poll_in_chunk
  store ptr @poll_in_chunk, ptr %ask.at
  %mask = sub i64 0, %alignment
  %below = sub i64 %alignment, 1
  %up = add i64 %chunk, %below
  %chunk.aligned = and i64 %up, %mask
  %chunk.at = getelementptr i8, ptr %job, i64 $chunk
  store i64 %chunk.aligned, ptr %chunk.at
  br label %share
share:
  %s = phi i64 [0, %entry], [%s.next, %share]
  %begin = call i64 @bound(ptr %job, i64 %s)
  %counters = getelementptr i8, ptr %job, i64 $counters
  %counter = getelementptr [8 x i64], ptr %counters, i64 %s
  store atomic i64 %begin, ptr %counter monotonic, align 8
  %s.next = add i64 %s, 1
  %done = icmp sge i64 %s.next, %threads
  br i1 %done, label %end, label %share
end:
  ret void
}

; Open a region, work in it, close it, and wait for the workers inside.
define internal void @region(ptr %job, i64 %threads, i64 %chunk, i64 %alignment) nounwind {
entry:
  call void @describe(ptr %job, i64 %threads, i64 %chunk, i64 %alignment)
  store ptr %job, ptr @job
  %here = call i32 @processor()
  store atomic i32 %here, ptr @caller_runs_on monotonic, align 4
  %regions = load i64, ptr @sc_regions
  %regions.more = add i64 %regions, 1
  store i64 %regions.more, ptr @sc_regions
  %before = load atomic i64, ptr @state acquire, align 8
  %generation = lshr i64 %before, 32
  %next = add i64 %generation, 1
  %shifted = shl i64 %next, 32
  %open = or i64 %shifted, 2147483648
  %old = atomicrmw xchg ptr @state, i64 %open seq_cst
  %sleepers = load atomic i32, ptr @asleep seq_cst, align 4
  %any = icmp sgt i32 %sleepers, 0
  br i1 %any, label %wake, label %do
wake:
  call void @wake(ptr getelementptr (i8, ptr @state, i64 4), i32 %sleepers)
  br label %do
do:
  call void @run(ptr %job, i64 0)
  %closed = atomicrmw and ptr @state, i64 -2147483649 seq_cst
  br label %wait
wait:
  %k = phi i64 [0, %do], [%k.next, %again], [0, %slept]
  %word = load atomic i64, ptr @state acquire, align 8
  %inside = trunc i64 %word to i32
  %none = icmp eq i32 %inside, 0
  br i1 %none, label %end, label %again
again:
  call void @pause()
  %k.next = add i64 %k, 1
  %spin = icmp ult i64 %k.next, $caller_spins
  br i1 %spin, label %wait, label %sleep
sleep:
  store atomic i32 1, ptr @caller_asleep seq_cst, align 4
  %word.2 = load atomic i64, ptr @state seq_cst, align 8
  %inside.2 = trunc i64 %word.2 to i32
  %none.2 = icmp eq i32 %inside.2, 0
  br i1 %none.2, label %slept, label %block
block:
  call void @wait(ptr @state, i32 %inside.2)
  br label %slept
slept:
  store atomic i32 0, ptr @caller_asleep seq_cst, align 4
  br label %wait
end:
  ret void
}

; The life of a worker. Its argument holds the generation that it was started in, and its number.
define internal void @serve(ptr %argument) nounwind {
entry:
  %told = ptrtoint ptr %argument to i64
  %first = lshr i64 %told, 32
  %number = and i64 %told, 4294967295
  br label %idle
idle:
  %seen = phi i64 [%first, %entry], [%seen, %slept], [%now, %missed], [%now, %worked]
  br label %look
look:
  %k = phi i64 [0, %idle], [%k.next, %again]
  %word = load atomic i64, ptr @state acquire, align 8
  %generation = lshr i64 %word, 32
  %new = icmp ne i64 %generation, %seen
  br i1 %new, label %compare, label %again
again:
  call void @pause()
  %k.next = add i64 %k, 1
  %spin = icmp ult i64 %k.next, $spins
  br i1 %spin, label %look, label %sleep
sleep:
  %more = atomicrmw add ptr @asleep, i32 1 seq_cst
  %seen.32 = trunc i64 %seen to i32
  call void @wait(ptr getelementptr (i8, ptr @state, i64 4), i32 %seen.32)
  %less = atomicrmw sub ptr @asleep, i32 1 seq_cst
  br label %slept
slept:
  br label %idle
compare:
  %caller = load atomic i32, ptr @caller_runs_on monotonic, align 4
  %here = call i32 @processor()
  %together = icmp eq i32 %here, %caller
  br i1 %together, label %part, label %enter
part:
  call void @leave_processor(i32 %here)
  br label %enter
enter:
  %word.2 = load atomic i64, ptr @state acquire, align 8
  %now = lshr i64 %word.2, 32
  %open.bit = and i64 %word.2, 2147483648
  %open = icmp ne i64 %open.bit, 0
  br i1 %open, label %join, label %missed
missed:
  br label %idle
join:
  %word.in = add i64 %word.2, 1
  %swap = cmpxchg ptr @state, i64 %word.2, i64 %word.in acq_rel acquire
  %inside = extractvalue {i64, i1} %swap, 1
  br i1 %inside, label %ask, label %enter
ask:
  %job = load ptr, ptr @job
  %threads.at = getelementptr i8, ptr %job, i64 $threads
  %threads = load i64, ptr %threads.at
  %wanted = icmp ult i64 %number, %threads
  br i1 %wanted, label %work, label %leave
work:
  %mode.at = getelementptr i8, ptr %job, i64 $float_mode
  %mode = load i64, ptr %mode.at
  call void @set_float_mode(i64 %mode)
  call void @run(ptr %job, i64 %number)
  br label %leave
leave:
  %old = atomicrmw sub ptr @state, i64 1 seq_cst
  %inside.old = trunc i64 %old to i32
  %last = icmp eq i32 %inside.old, 1
  br i1 %last, label %check, label %worked
check:
  %waits = load atomic i32, ptr @caller_asleep seq_cst, align 4
  %asleep = icmp ne i32 %waits, 0
  br i1 %asleep, label %wake, label %worked
wake:
  call void @wake(ptr @state, i32 1)
  br label %worked
worked:
  br label %idle
}

; Take chunks: of the thread's own share, then of the others'.
define internal void @run(ptr %job, i64 %number) nounwind {
entry:
  %threads.at = getelementptr i8, ptr %job, i64 $threads
  %threads = load i64, ptr %threads.at
  %chunk.at = getelementptr i8, ptr %job, i64 $chunk
  %chunk = load i64, ptr %chunk.at
  %cancelled.at = getelementptr i8, ptr %job, i64 $cancelled
  br label %share
share:
  %k = phi i64 [0, %entry], [%k.next, %exhausted]
  %turn = add i64 %number, %k
  %s = urem i64 %turn, %threads
  %s.after = add i64 %s, 1
  %stop = call i64 @bound(ptr %job, i64 %s.after)
  %counters = getelementptr i8, ptr %job, i64 $counters
  %counter = getelementptr [8 x i64], ptr %counters, i64 %s
  br label %take
take:
  %cancelled = load atomic i64, ptr %cancelled.at monotonic, align 8
  %give.up = icmp ne i64 %cancelled, 0
  br i1 %give.up, label %end, label %next
next:
  %begin = atomicrmw add ptr %counter, i64 %chunk monotonic
  %empty = icmp sge i64 %begin, %stop
  br i1 %empty, label %exhausted, label %do
do:
  %whole = add i64 %begin, %chunk
  %over = icmp sgt i64 %whole, %stop
  %finish = select i1 %over, i64 %stop, i64 %whole
  call void @run_chunk(ptr %job, i64 %number, i64 %begin, i64 %finish)
  %caller = icmp eq i64 %number, 0
  br i1 %caller, label %poll, label %take
poll:
  call void @look_for_signals(ptr %job)
  br label %take
exhausted:
  %k.next = add i64 %k, 1
  %all = icmp uge i64 %k.next, %threads
  br i1 %all, label %end, label %share
end:
  ret void
}

; Run the kernel with a context of its own. The failure of the first iteration is kept.
define internal void @run_chunk(ptr %job, i64 %number, i64 %begin, i64 %end) nounwind {
entry:
  %context = alloca [$context_size x i8], align 8
  %poll.at = getelementptr i8, ptr %context, i64 $poll_at
  store i64 $iterations, ptr %poll.at
  %job.at = getelementptr i8, ptr %context, i64 $job_at
  store ptr %job, ptr %job.at
  %thread.at = getelementptr i8, ptr %context, i64 $thread_at
  store i64 %number, ptr %thread.at
  %share.at = getelementptr i8, ptr %job, i64 $share
  %share = load ptr, ptr %share.at
  %arguments.at = getelementptr i8, ptr %job, i64 $arguments
  %arguments = load ptr, ptr %arguments.at
  %status = call i32 %share(ptr %arguments, ptr %context, i64 %begin, i64 %end)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %done, label %failed
failed:
  %cancelled.at = getelementptr i8, ptr %job, i64 $cancelled
  %cancelled = load atomic i64, ptr %cancelled.at monotonic, align 8
  %given.up = icmp ne i64 %cancelled, 0
  br i1 %given.up, label %done, label %note
note:
  %lock.at = getelementptr i8, ptr %job, i64 $lock
  br label %lock
lock:
  %swap = cmpxchg ptr %lock.at, i64 0, i64 1 acquire monotonic
  %locked = extractvalue {i64, i1} %swap, 1
  br i1 %locked, label %compare, label %again
again:
  call void @pause()
  br label %lock
compare:
  %failed.at = getelementptr i8, ptr %job, i64 $failed
  %before = load i64, ptr %failed.at
  %first = icmp slt i64 %begin, %before
  br i1 %first, label %keep, label %unlock
keep:
  store i64 %begin, ptr %failed.at
  %context.at = getelementptr i8, ptr %job, i64 $context
  %kept = load ptr, ptr %context.at
  call void @llvm.memcpy.p0.p0.i64(ptr %kept, ptr %context, i64 $raised, i1 false)
  br label %unlock
unlock:
  store atomic i64 0, ptr %lock.at release, align 8
  br label %done
done:
  ret void
}
""")
