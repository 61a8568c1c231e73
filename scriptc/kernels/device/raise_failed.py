"""Raise failed: host code asks whether kernels have failed, where somebody would notice.

    launch %n, %x [callee="k"]        (may fail)    launch %n, %x [callee="k"]
    launch %m, %y [callee="l"]                =>    launch %m, %y [callee="l"]
    exit @return %y                                 raise_failed
                                                    exit @return %y

A kernel that fails leaves what it failed with in the record of the call, and those that come after
it do nothing.  So host code goes on launching, and asks once: before it returns, before it does
what is seen outside, at the borders of `try`, and when it fetches a number, which may be of no use.
In a loop that only its exits end it asks each time, as an exception may be what was to end it.

Needs: low IR after `outline`; `may_fail` says which kernels have something to test.
Gives: low IR; `raise_failed` wherever a kernel may have failed and host code goes on to what must
    not happen then.
Does not: ask before host code raises; back ends do, where the exception is caught or leaves.
Cases: tests/cases/device/raise_failed.
"""

from collections.abc import Callable

from scriptc.analysis.instr_kinds import effects_of
from scriptc_runtime.ir import Block, Builder, Function, Instr, Label, Module, Role, walk
from scriptc_runtime.ops import control, device, low
from scriptc_runtime.record import replace

MayFail = Callable[[Function], bool]

_READS = (device.FETCH, device.TO_HOST)
# A kernel looks at the record itself; owners are counted whatever happens.
_UNSEEN = (low.LAUNCH, low.RETAIN, low.RELEASE)


def raise_failed_for(may_fail: MayFail) -> Callable[[Module], Module]:
    """Return the pass for a device of whose kernels those fail that `may_fail`."""

    def run(module: Module) -> Module:
        failing = {name for name, function in module.functions.items() if may_fail(function)}
        functions = {
            name: function if function.role is Role.KERNEL else _Asker(function, failing).run()
            for name, function in module.functions.items()
        }
        return module.with_functions(functions)

    run.__name__ = "raise_failed"
    return run


class _Asker:
    def __init__(self, function: Function, failing: set[str]) -> None:
        self._function = function
        self._failing = failing
        self._endless = {i.label for i in walk(function.body) if i.op is control.WHILE}
        self._caught: list[set[Label]] = []  # of each `try` around, the labels inside of it

    def run(self) -> Function:
        if not self._fails(self._function.body):
            return self._function
        body, _ = self._block(self._function.body, asked=True)
        return replace(self._function, body=body)

    def _fails(self, block: Block) -> bool:
        """Whether kernels are launched in a block that may fail."""
        return any(i.op is low.LAUNCH and i.attrs["callee"] in self._failing for i in walk(block))

    def _block(self, block: Block, *, asked: bool) -> tuple[Block, bool]:
        """Return a block that asks, and whether nothing is to ask at its end."""
        builder = Builder()
        builder.open(*block.params)
        for instr in block.body:
            if not asked and self._is_noticed(instr):
                builder.append(Instr(device.RAISE_FAILED, (), {}, (), instr.loc))
                asked = True
            if instr.blocks:
                region, asked = self._region(instr, asked=asked)
                builder.append(region)
                continue
            builder.append(instr)
            if instr.op is low.LAUNCH and instr.attrs["callee"] in self._failing:
                asked = False
            elif instr.op in _READS and not asked:
                builder.append(Instr(device.RAISE_FAILED, (), {}, (), instr.loc))
                asked = True
        return builder.close(), asked

    def _region(self, region: Instr, *, asked: bool) -> tuple[Instr, bool]:
        fails = any(map(self._fails, region.blocks))
        if not fails and asked:
            return region, asked
        # What a loop launches, its next iteration finds.
        within = asked and not (fails and region.op in (control.FOR, control.WHILE))
        if region.op is control.TRY:
            inside = {i.label for b in region.blocks for i in walk(b) if i.label is not None}
            self._caught.append(inside)
        blocks = tuple(self._block(b, asked=within)[0] for b in region.blocks)
        if region.op is control.TRY:
            self._caught.pop()
            return replace(region, blocks=blocks), True
        return replace(region, blocks=blocks), asked and not fails

    def _is_noticed(self, instr: Instr) -> bool:
        """Whether an instruction must not run if a kernel before has failed."""
        if instr.target is not None:
            label = instr.target.label
            leaves = label is self._function.label
            leaves |= any(label not in inside for inside in self._caught)
            return leaves or (instr.target.next and label in self._endless)
        if instr.op in (control.TRY, control.CALL):
            return True
        effects = effects_of(instr)
        return instr.op not in _UNSEEN and bool(effects.io or effects.writes)
