"""Faults as somebody could make them, one line each, over all stages; what breaks, and who tells.

`make faults` plants one after the other and runs the tests that are named with it.  These are part
of `make test`: so is what they find.
"""

from typing import NamedTuple

PROGRAMS = "tests/promises/test_programs.py"
GOLDEN = "tests/project/test_golden.py"


class Fault(NamedTuple):
    """A change of a source text, which has `old` once."""

    stage: str
    breaks: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]  # as pytest takes them; `-k` with words where a file has many


FAULTS = (
    # ------------------------------------------------------------------------------------ syntax
    Fault(
        "syntax",
        "the two values of `a if c else b` change places",
        "scriptc/syntax/build_expressions.py",
        "return n.IfExp(lo, hi, test, body, orelse)",
        "return n.IfExp(lo, hi, test, orelse, body)",
        ("tests/syntax/test_parser.py",),
    ),
    Fault(
        "syntax",
        "an indent that depends on the width of a tab is taken",
        "scriptc/syntax/lexer.py",
        "if columns[0] > indents[-1][0] and columns[1] > indents[-1][1]:",
        "if columns[0] > indents[-1][0]:",
        ("tests/syntax",),
    ),
    # ------------------------------------------------------------------------------------- check
    Fault(
        "check",
        "2 ** 0 is a float",
        "scriptc/check/operators.py",
        "isinstance(known, int) and known < 0:",
        "isinstance(known, int) and known <= 0:",
        ("tests/check/python", PROGRAMS, "-k", "numbers or arithmetic or scalars"),
    ),
    Fault(
        "check",
        "the quotient of unsigned integers has no floats to be of",
        "scriptc/check/operators.py",
        'if symbol == "/" and dtype.kind in "biu":',
        'if symbol == "/" and dtype.kind in "bi":',
        (PROGRAMS, "-k", "dtypes or ufuncs or constant_divisors"),
    ),
    # ------------------------------------------------------------------------------------- lower
    Fault(
        "lower",
        "range() with a step of 0 raises another class",
        "scriptc/lower/loops.py",
        'require(low, valid, "ValueError", "range() arg 3 must not be zero", node)',
        'require(low, valid, "TypeError", "range() arg 3 must not be zero", node)',
        (PROGRAMS, "-k", "raising or index_loops or flow or edges"),
    ),
    Fault(
        "lower",
        "a range that its step divides has an item too many",
        "scriptc/lower/loops.py",
        "gaps = low.emit(elementwise.SUB, distance, _wide(low, node, one), at=node)",
        "gaps = distance",
        (PROGRAMS, "-k", "index_loops or flow or comprehensions"),
    ),
    Fault(
        "lower",
        "the line of a bare `raise` is in the traceback, that of `raise e` is not",
        "scriptc/lower/exceptions.py",
        "exception, at=node, traced=node.exc is not None)",
        "exception, at=node, traced=node.exc is None)",
        ("tests/promises/test_raising.py", "tests/promises/test_chained.py"),
    ),
    # ------------------------------------------------------------------------------------ passes
    Fault(
        "passes",
        "x + 0.0 is x, which it is not where x is -0.0",
        "scriptc/passes/rules_algebra.py",
        'Rule(name="add-minus-zero", find=_x + -0.0,',
        'Rule(name="add-minus-zero", find=_x + 0.0,',
        ("tests/passes/test_rules_algebra.py",),
    ),
    Fault(
        "passes",
        "what was read is known after somebody has written there",
        "scriptc/passes/cse.py",
        "                read.forget(self._effects.footprint(old))",
        "                pass",
        ("tests/passes/test_passes.py",),
    ),
    Fault(
        "passes",
        "an array that is written is a value",
        "scriptc/analysis/array_values.py",
        "        return self._effects.memory(instr.result) not in self._written",
        "        return True",
        ("tests/passes/test_array_values.py",),
    ),
    Fault(
        "passes",
        "two arrays that a caller gets are one",
        "scriptc/analysis/array_values.py",
        "        return self._effects.group(array) in self._seen",
        "        return False",
        ("tests/passes/test_array_values.py",),
    ),
    Fault(
        "passes",
        "work on an array moves before a loop that writes to it",
        "scriptc/passes/hoist_arrays.py",
        "        written = self._effects.footprint(loop).writes",
        "        written: frozenset[Value] = frozenset()",
        ("tests/passes/test_array_values.py",),
    ),
    Fault(
        "passes",
        "a load moves before a loop that stores to its array",
        "scriptc/passes/hoist.py",
        "return loop.op in _NESTS and not any(effects.may_alias(array, w) for w in writes)",
        "return loop.op in _NESTS",
        ("tests/passes", "tests/kernels/test_pipeline.py"),
    ),
    Fault(
        "passes",
        "a negative number is divided as a positive one is",
        "scriptc/passes/unchecked.py",
        "    if lhs.low < 0 or rhs.low < 1:",
        "    if rhs.low < 1:",
        (PROGRAMS, "-k", "constant_divisors or guards or first_steps"),
    ),
    Fault(
        "passes",
        "what a block owns is not released where an exit leaves it",
        "scriptc/passes/ownership.py",
        "        for value in left:\n            self._release(value, instr.loc)",
        "        for value in ():\n            self._release(value, instr.loc)",
        ("tests/promises/test_memory.py", PROGRAMS, "-k", "memory or lists or flow"),
    ),
    Fault(
        "passes",
        "what raises gives up only what its own block owns",
        "scriptc/passes/ownership.py",
        "            if scope.catches:\n                break\n        return tuple(values)",
        "            break\n        return tuple(values)",
        ("tests/promises/test_memory.py", PROGRAMS, "-k", "memory or raising or lists"),
    ),
    # ------------------------------------------------------------------------------------ kernels
    Fault(
        "fusion",
        "an array is written while elements that it still reads stand elsewhere in it",
        "scriptc/kernels/fusion/stores.py",
        "if source.array is target and _keeps_place(path, rows):",
        "if source.array is target:",
        ("tests/kernels/test_pipeline.py", GOLDEN, PROGRAMS, "-k", "pipeline or shifted or stores"),
    ),
    Fault(
        "fusion",
        "a value that waits meets what was written after it was read",
        "scriptc/kernels/fusion/fuse.py",
        "        self._before_writes(instr)\n        if instr.op is arrays.ASSIGN:",
        "        if instr.op is arrays.ASSIGN:",
        ("tests/kernels/test_pipeline.py",),
    ),
    Fault(
        "fusion",
        "a masked update reads what was written after it was picked",
        "scriptc/kernels/fusion/indexing/masked_stores.py",
        "return not self._is_written(block.body[first : places[store]], read)",
        "return True",
        (GOLDEN, "-k", "mask_stores"),
    ),
    Fault(
        "loops",
        "what is stored for one element is read for another one beside it",
        "scriptc/kernels/loops/fuse_siblings.py",
        "            and first.own\n            and second.own\n",
        "",
        ("tests/loops/test_fuse_siblings.py",),
    ),
    Fault(
        "loops",
        "what has effects moves before the loops that stand before it",
        "scriptc/kernels/loops/fuse_siblings.py",
        "    return computes_only(instr)\n",
        "    return not instr.blocks\n",
        ("tests/loops/test_fuse_siblings.py",),
    ),
    Fault(
        "loops",
        "a strip is no whole number of the blocks of a fold",
        "scriptc/kernels/loops/fuse_siblings.py",
        "STRIP = 2048  #",
        "STRIP = 2000  #",
        ("tests/loops/test_fuse_siblings.py",),
    ),
    Fault(
        "loops",
        "the last four rows are jammed where there are three",
        "scriptc/kernels/loops/jam_reductions.py",
        "whole = code.test(e.LT, last, code.to_i64(loop.operands[1]))",
        "whole = code.test(e.LE, last, code.to_i64(loop.operands[1]))",
        (GOLDEN, "-k", "same_after_every_pass and jam_reductions"),
    ),
    Fault(
        "loops",
        "a guard lets an index through that is one too far",
        "scriptc/kernels/loops/version_bounds.py",
        "conditions.append(code.test(e.LT, last, code.to_i64(size)))",
        "conditions.append(code.test(e.LE, last, code.to_i64(size)))",
        ("tests/kernels", "tests/passes", PROGRAMS, "-k", "pipeline or passes or checked_indices"),
    ),
    Fault(
        "loops",
        "a loop is split an iteration too late or too early",
        "scriptc/kernels/loops/split_index_set.py",
        "if guard.holds_first is guard.holds_at_bound:",
        "if guard.holds_first is not guard.holds_at_bound:",
        (PROGRAMS, "-k", "guards"),
    ),
    Fault(
        "loops",
        "a negative number that was given makes a bound negative, which is small enough",
        "scriptc/kernels/loops/version_overflow.py",
        "return code.op(e.ABS, code.cast(code.to_i64(value), DType.F64))",
        "return code.cast(code.to_i64(value), DType.F64)",
        ("tests/loops/test_version_overflow.py",),
    ),
    Fault(
        "loops",
        "the second row of a sweep runs a column too close behind the first",
        "scriptc/kernels/loops/skew.py",
        "return self._may_pass(first, second, behind + 1, 1)",
        "return self._may_pass(first, second, behind + 2, 1)",
        ("tests/loops/test_skew.py", PROGRAMS, "-k", "skew or sweeps"),
    ),
    Fault(
        "loops",
        "arrays change places though another argument shares their memory",
        "scriptc/kernels/loops/double_buffer.py",
        "        conditions.append(code.op(e.NOT, code.op(low.MAY_OVERLAP, array, value)))",
        "        pass",
        ("tests/loops/test_double_buffer.py",),
    ),
    # ------------------------------------------------------------------------------------ analysis
    Fault(
        "analysis",
        "two indices that may be equal are taken to lie apart",
        "scriptc/analysis/dependence.py",
        "least(a.plus(b, -1), bounds) > 0 or least(b.plus(a, -1), bounds) > 0",
        "least(a.plus(b, -1), bounds) >= 0 or least(b.plus(a, -1), bounds) > 0",
        ("tests/loops/test_interchange.py", "tests/loops/test_skew.py"),
    ),
    Fault(
        "analysis",
        "sizes of which one of two equations holds are reported",
        "scriptc/analysis/size_promises/facts.py",
        "if not facts.names_in(difference).isdisjoint(facts.doubts):",
        "if not facts.names_in(difference):",
        ("tests/analysis/test_size_promises.py", "-k", "may_fit"),
    ),
    Fault(
        "analysis",
        "a raise that the library may not reach is reported",
        "scriptc/analysis/size_promises/walk.py",
        "if self._caught or (state.tests and not state.is_certain):",
        "if self._caught:",
        ("tests/analysis/test_size_promises.py", "-k", "may_not_reach"),
    ),
    # ---------------------------------------------------------------------------------------- llvm
    Fault(
        "llvm rules",
        "abs() of the least int is itself",
        "scriptc/backends/llvm/rules/scalars.py",
        '    e.raise_if(e.let(f"icmp eq i64 {x}, {INT_MIN}"), "OverflowError", OVERFLOW, instr)\n'
        '    return e.intrinsic("i64", "@llvm.abs.i64"',
        '    return e.intrinsic("i64", "@llvm.abs.i64"',
        ("tests/llvm/rules/test_scalars.py",),
    ),
    Fault(
        "llvm emitter",
        "NaN is not unequal to itself",
        "scriptc/backends/llvm/emitter/predicates.py",
        'ops.NE: ("ne", "ne", "une"),',
        'ops.NE: ("ne", "ne", "one"),',
        ("tests/llvm/rules/test_scalars.py",),
    ),
    Fault(
        "llvm vectors",
        "the sum of no elements is -0.0",
        "scriptc/backends/llvm/vectors/reductions.py",
        'Kind.SUM: "0.0",  # not',
        'Kind.SUM: "-0.0",  # not',
        ("tests/llvm/vectors/test_reductions.py",),
    ),
    Fault(
        "llvm entry",
        "an array that is read-only is written",
        "scriptc/backends/llvm/entry/unbox.py",
        "        needed |= ArrayFlag.WRITEABLE if writes else ArrayFlag(0)\n",
        "",
        ("tests/promises/test_read_only.py",),
    ),
    Fault(
        "llvm entry",
        "an array whose rows are no whole elements apart is taken",
        "scriptc/backends/llvm/entry/unbox.py",
        '        self.expect(e.let(f"icmp eq i64 {rest}, 0"))\n        shift',
        "        shift",
        ("tests/llvm/entry/test_arguments.py",),
    ),
    Fault(
        "llvm support",
        "of equal extremes in two vectors the later one is found",
        "scriptc/backends/llvm/support/selection/extremes.py",
        'f"%first{k} = select i1 %none{k}, i64 %behind{k}, i64 %own{k}",',
        'f"%first{k} = select i1 %none{k}, i64 %behind{k}, i64 %behind{k}",',
        ("tests/llvm/support/test_places_of_extremes.py",),
    ),
    # ------------------------------------------------------------------------------------- runtime
    Fault(
        "runtime text",
        "an exit to the next iteration is written as one out of the loop",
        "runtime/scriptc_runtime/text/writer.py",
        "{'.next' if instr.target.next else ''}",
        "",
        ("tests/runtime/text",),
    ),
    Fault(
        "runtime verify",
        "a view may end one element behind its array",
        "runtime/scriptc_runtime/verify/state.py",
        "first >= 0 and last < most):",
        "first >= 0 and last <= most):",
        ("tests/runtime/saved/test_state.py", "tests/runtime/verify"),
    ),
    Fault(
        "runtime interp",
        "a handler catches what its own handler block raises",
        "runtime/scriptc_runtime/interp/flatcode.py",
        "        self._handlers.append(Handler(start, end, self._here, exception))",
        "        self._handlers.append(Handler(start, self._here, self._here, exception))",
        ("tests/runtime/interp", PROGRAMS, "-k", "interpreter or raising or flow"),
    ),
    Fault(
        "runtime saved",
        "a member with another checksum is read",
        "runtime/scriptc_runtime/saved/stored_zip.py",
        "if self._left or self._checksum != self._member.checksum:",
        "if self._left:",
        ("tests/runtime/saved/test_file.py",),
    ),
    # --------------------------------------------------------------- cache, specialise and classes
    Fault(
        "cache",
        "code is found again for other default values",
        "scriptc/cache/dependencies.py",
        "        self._parts += _constant(function.__defaults__)\n",
        "",
        ("tests/cache",),
    ),
    Fault(
        "specialise",
        "a function that calls itself is compiled for the sizes of its caller",
        "scriptc/specialise/patterned_types.py",
        "if request.sizes is None or called:",
        "if request.sizes is None:",
        ("tests/specialise/test_patterned_types.py",),
    ),
    Fault(
        "classes",
        "a field is given a value of another type than its own",
        "scriptc/classes/scripted_class.py",
        "self._access.write(self._field, instance, adapted[index])",
        "self._access.write(self._field, instance, value)",
        ("tests/api/test_api.py", "tests/classes"),
    ),
    # ---------------------------------------------------------------------------------------- cuda
    Fault(
        "cuda",
        "the elements of every row are taken for neighbours",
        "scriptc/backends/cuda/emit.py",
        "last = len(places) - 1 if array.rows else len(places)",
        "last = len(places) - 1",
        ("tests/cuda/test_kernels.py",),
    ),
    # -------------------------------------------------------------------------------------- stdlib
    Fault(
        "stdlib",
        "a search takes NaN for a number",
        "stdlib/sorting.py",
        "return x < y or (y != y and x == x)",
        "return x < y",
        (PROGRAMS, "-k", "sorting.searched"),
    ),
    Fault(
        "stdlib",
        "the last bytes of an array are not counted",
        "stdlib/sorting.py",
        "for i in range(whole, len(x)):",
        "for i in range(whole, len(x) - 1):",
        ("tests/stdlib", PROGRAMS, "-k", "bodies or sorting"),
    ),
)
