"""The imports that stand inside of functions, and why: heavy things that most runs never need."""

from collections.abc import Mapping

RUNTIME = "scriptc_runtime"
_SCRIPTED = "scriptc.scripted_function"
_SPECIALISE = "scriptc.specialise.specialise"

# Everything else stands at the top.
# (who, what) -> why; each side stands for everything inside it.
INSIDE_FUNCTIONS: Mapping[tuple[str, str], str] = {
    (_SCRIPTED, "scriptc.timeline"): "a warm start compiles nothing",
    (_SCRIPTED, "scriptc.specialise"): "a warm start loads no compiler",
    (
        _SCRIPTED,
        "scriptc.backends.llvm.entry.blocks",
    ): "most programs have no scripted classes",
    ("scriptc.deep_calls", "concurrent.futures"): "few programs nest so much",
    ("scriptc.values.adapt", "re"): "most calls are right",
    ("scriptc.driver", "scriptc.kernels.pipeline"): "plain modules have nothing for most passes",
    ("scriptc.driver", "scriptc.size_mismatches"): "most programs have no names of sizes",
    (_SPECIALISE, "scriptc.size_mismatches"): "most programs have no sizes to warn of",
    (
        "scriptc.specialise.specialise",
        "scriptc.backends.interp",
    ): "machine code needs no interpreter",
    ("scriptc.api", "scriptc.backends.cuda"): "only those who ask for CUDA pay for it",
    ("scriptc.saved.load", "scriptc.backends.cuda"): "only those who ask for CUDA pay for it",
    ("scriptc.saved.load", "scriptc.specialise.device_code"): "few load for a device",
    (_SPECIALISE, "scriptc.specialise.device_code"): "only those who ask for CUDA pay for it",
    (_SCRIPTED, "scriptc.backends.cuda"): "only those who ask for CUDA pay for it",
    (
        "scriptc.specialise.specialise",
        "scriptc.specialise.interpreted",
    ): "machine code needs no interpreter",
    (
        "scriptc.specialise.machine_code",
        "scriptc.classes.accessors",
    ): "most programs have no scripted classes",
    (
        _SCRIPTED,
        "scriptc.inspection.dump",
    ): "the command line's writers serve `f.dump`, too",
    (_SCRIPTED, "scriptc.inspection.explain"): "few ask why, and the whole compiler answers",
    ("scriptc.api", "scriptc.saved.save"): "most programs save nothing",
    (_SCRIPTED, "scriptc.saved.pickles"): "most programs pickle nothing",
    (_SCRIPTED, "scriptc.misuse"): "few have it do what it cannot",
    (_SCRIPTED, "scriptc.call_errors"): "few calls do not fit",
    (_SCRIPTED, "scriptc_runtime.named_classes"): "most programs have no scripted classes",
    ("scriptc.api", "scriptc.misuse"): "few programs give @script what it does not take",
    ("scriptc.saved.pickles", "dataclasses"): "those who have dataclasses have loaded it",
    ("scriptc_runtime.saved.loaded", "tempfile"): "few programs pickle saved modules",
    ("scriptc.api", "scriptc.saved.load"): "most programs load nothing",
    ("scriptc.compiling", "scriptc.inspection.progress"): "a warm start compiles nothing",
    ("scriptc.inspection.progress", "rich"): "60 ms, for long compilations on a terminal alone",
    ("scriptc.syntax", "unicodedata"): "few programs have names or escapes that need it",
    ("scriptc.cache.store", "scriptc.forks"): "a warm start compiles nothing",
    ("scriptc.cache.store", "scriptc.classes.generators"): "few programs give generators",
    ("scriptc.cache.store", "scriptc.classes.declaring"): "most programs have no scripted classes",
    (
        "scriptc.classes.scripted_class",
        "scriptc.classes.held_containers",
    ): "many classes have no fields that Python fills",
    (_SPECIALISE, "scriptc.classes.generators"): "machine code needs no interpreter",
    ("scriptc.check.subscripts", "scriptc.check.python"): "programs of numbers have no texts",
    (
        "scriptc.values.copies",
        "scriptc_runtime.written_containers",
    ): "most programs change no list of the caller's",
    (
        "scriptc.backends.llvm.rules.memory",
        "scriptc.backends.llvm",
    ): "few programs work on a device, or go through columns",
    ("scriptc.backends.llvm.emit", "scriptc.kernels.loops"): "plain modules have no kernels",
    (
        "scriptc.backends.llvm.emit",
        "scriptc.backends.llvm.rules.device",
    ): "few programs work on a device",
    ("scriptc.compiling", "scriptc.forks"): "a warm start compiles nothing",
    ("scriptc.cache.loader", "scriptc.values.adapt"): "arguments that fit are not looked at",
    ("scriptc.values.kinds", "scriptc_runtime.array_classes"): "few pass objects of subclasses",
    ("scriptc.values.kinds", "scriptc_runtime.typed_lists"): "most pass nothing of Numba's",
    (
        "scriptc_runtime.saved.loaded",
        "scriptc_runtime.array_classes",
    ): "a warm start calls no saved file",
    (
        "scriptc.classes.making",
        "scriptc.values.dataclass_members",
    ): "most programs have no scripted classes",
    (
        "scriptc.classes.scripted_class",
        "scriptc.values.adapt",
    ): "most programs set no field from outside",
    ("scriptc.classes.making", "scriptc.syntax"): "only those who are refused need a place",
    (
        "scriptc.backends.llvm.loading.machine_code",
        "scriptc.backends.llvm.loading.raising",
    ): "most programs raise nothing",
    (
        "scriptc.backends.llvm.loading.machine_code",
        "scriptc.backends.llvm.loading.texts",
    ): "most programs have no texts",
    (
        "scriptc.backends.llvm.loading.symbols",
        "scriptc.backends.llvm.loading.numpy_routines",
    ): "most programs call nothing of NumPy's, and it would load numpy.fft",
    (_SCRIPTED, "scriptc.cache.support_code"): "a warm start loads no compiler",
    (
        "scriptc.cache.support_code",
        "scriptc.backends.llvm.elementary",
    ): "few programs compute with numbers that are far",
    (
        "scriptc.cache.support_code",
        "scriptc.backends.llvm.vectors.row_sums",
    ): "few programs sum up rows of arrays in Fortran's order",
    (
        "scriptc.cache.support_code",
        "scriptc.backends.llvm.support.products",
    ): "few programs multiply matrices",
    (
        "scriptc.cache.support_code",
        "scriptc.backends.llvm.support.selection",
    ): "few programs look for a median",
    (
        "scriptc.cache.support_code",
        "scriptc.backends.llvm.vectors.blocks",
    ): "few programs sum up floats",
    (
        "scriptc.backends.llvm.rules.table",
        "scriptc.backends.llvm.rules",
    ): "most programs need few rules",
    (
        "scriptc.backends.llvm.routine_table",
        "scriptc.backends.llvm",
    ): "most programs need few routines",
    (
        "scriptc.backends.llvm.support.assemble",
        "scriptc.backends.llvm.support.threads",
    ): "plain loops start no pool",
    (
        "scriptc.backends.llvm.emit",
        "scriptc.backends.llvm.elementary",
    ): "plain loops call no functions",
    ("scriptc.backends.llvm.emit", "scriptc.backends.llvm.vectors"): "plain loops reduce nothing",
    ("scriptc.check.expressions", "scriptc.check.calls"): "a program of loops calls nothing",
    (
        "scriptc.check.expressions",
        "scriptc.check.desugar.iterator_values",
    ): "a program of loops has no generators",
    ("scriptc.check", "scriptc.check.desugar.comprehensions"): "a program of loops has none",
    ("scriptc.check", "scriptc.check.desugar.computed_stars"): "few programs have stars",
    (
        "scriptc.check.expressions",
        "scriptc.check.desugar.computed_keywords",
    ): "few programs have stars",
    ("scriptc.check", "scriptc.check.desugar.starred_zips"): "few programs have stars",
    (
        "scriptc.check.desugar.computed_stars",
        "scriptc.check.desugar.iterator_values",
    ): "few take columns apart",
    (
        "scriptc.check.desugar.comprehensions",
        "scriptc.check.desugar.loop_starts",
    ): "few sums begin with what is computed",
    ("scriptc.check.desugar", "scriptc.check.desugar.unpacked_columns"): "few take columns apart",
    (
        "scriptc.check.python.lists",
        "scriptc.check.library.call",
    ): "a program of loops calls nothing",
    ("scriptc.check.statements", "scriptc.check.exceptions"): "few programs raise or catch",
    ("scriptc.check", "scriptc.check.python.exception_values"): "few look at what they catch",
    ("scriptc.check", "scriptc.check.python.exception_arguments"): "few look at what they catch",
    (
        "scriptc.check.names",
        "scriptc.check.desugar.exception_attributes",
    ): "few look at what they catch",
    ("scriptc.check.names", "scriptc.check.desugar.stop_values"): "few look at what they catch",
    ("scriptc.check.names", "scriptc.check.function_attributes"): "few look at functions",
    ("scriptc.check.names", "scriptc.check.abstract_bases"): "few bases are incomplete",
    ("scriptc.check.statements", "scriptc.check.desugar.managers"): "few programs have `with`",
    ("scriptc.backends.llvm", "scriptc.backends.llvm.entry.raised_objects"): "few have exceptions",
    ("scriptc.backends.llvm", "scriptc.backends.llvm.loading.raised_classes"): "of their own",
    ("scriptc.lower.statements", "scriptc.lower.exceptions"): "few programs raise or catch",
    ("scriptc.check.statements", "scriptc.check.desugar.unpacking"): "few have several targets",
    ("scriptc.check.statements", "scriptc.check.desugar.matches"): "few programs have patterns",
    ("scriptc.check.loop_members", "scriptc.check.desugar.member_loops"): "few have unions",
    ("scriptc.check", "scriptc.check.desugar.declined"): "few have operators of their own",
    ("scriptc.check.calls", "scriptc.check.desugar.function_calls"): "few programs keep functions",
    ("scriptc.check", "scriptc.check.desugar.shape_targets"): "few shape arrays in place",
    ("scriptc.check.loops", "scriptc.check.desugar.index_loops"): "few loops run over several axes",
    ("scriptc.check.loops", "scriptc.check.desugar.field_loops"): "few loops run over fields",
    ("scriptc.check.loops", "scriptc.check.parallel_loops"): "few loops are over prange",
    ("scriptc.check.program", "scriptc.check.call_sizes"): "many programs are one function",
    ("scriptc.check.names", "scriptc.check.python.complex_numbers"): "few have complex numbers",
    ("scriptc.backends.llvm.entry.entry", "scriptc.backends.llvm.entry.lists"): "most "
    "programs hand over no lists",
    ("scriptc.backends.llvm.emit", "scriptc.backends.llvm.entry.lists"): "most programs hand over "
    "no lists",
    ("scriptc.backends.llvm.entry.entry", "scriptc.backends.llvm.generators"): "few programs draw "
    "random numbers",
    ("scriptc_runtime.verify.module", "scriptc_runtime.text.writer"): "valid IR is not written",
    ("scriptc.check", "scriptc.check.numpy"): "a third of the checker is for programs with NumPy",
    ("scriptc.check.inheritance", "scriptc.check.desugar.constructors"): "few constructors do so",
    ("scriptc.check.calls", "scriptc.check.desugar.constructors"): "few constructors call methods",
    ("scriptc.check", "scriptc.check.generic_classes"): "few classes are generic",
    (
        "scriptc.check.calls",
        "scriptc.check.desugar.attribute_functions",
    ): "few programs ask for attributes by name",
    (
        "scriptc.check",
        "scriptc.check.desugar.computed_attributes",
    ): "few programs compute the names of attributes",
    ("scriptc.check.calls", "scriptc.check.methods"): "methods of arrays are functions of NumPy",
    ("scriptc.check.calls", "scriptc.check.library.scipy_functions"): "few programs call SciPy",
    (
        "scriptc.check.python.text_operators",
        "scriptc.check.python.percent_formats",
    ): "few write texts, most by f-strings",
    ("scriptc.check", "scriptc.check.python.dicts"): "a program of loops has no dicts",
    ("scriptc.check", "scriptc.check.desugar.dict_loops"): "a program of loops has no dicts",
    (
        "scriptc.check",
        "scriptc.check.desugar.generator_loops",
    ): "few programs have generators",
    (
        "scriptc.check",
        "scriptc.check.desugar.generator_values",
    ): "few programs have generators",
    ("scriptc.lower", "scriptc.lower.generators"): "few programs have generators",
    ("scriptc.check", "scriptc.check.member_arms"): "few programs have unions",
    (
        "scriptc.check.desugar.never_returning",
        "scriptc.check.arm_errors",
    ): "few have such operations",
    (
        "scriptc.check.names",
        "scriptc.check.open_parameters",
    ): "few classes leave it to others what a list holds",
    ("scriptc.check.names", "scriptc.check.late_fields"): "few classes have such fields",
    ("scriptc.check.outside", "scriptc.check.function_tables"): "few programs have such tables",
    ("scriptc.check.names", "scriptc.check.desugar.bound_methods"): "few pass methods on",
    ("scriptc.check", "scriptc.check.present"): "most programs test before they write",
    (
        "scriptc.check.conditions",
        "scriptc.check.python.instance_tests",
    ): "few programs ask for classes",
    ("scriptc.lower", "scriptc.lower.member_arms"): "few programs have unions",
    ("scriptc.check", "scriptc.check.desugar.updates"): "few programs have unions",
    ("scriptc.check", "scriptc.check.desugar.lazy_variables"): "few programs have generators",
    ("scriptc.check", "scriptc.check.desugar.object_loops"): "few programs have containers",
    ("scriptc.check", "scriptc.check.desugar.outside_counts"): "few programs count outside",
    ("scriptc.check", "scriptc.check.outside_objects"): "few programs have objects outside",
    (
        "scriptc.cache.dependencies",
        "scriptc.cache.outside_objects",
    ): "few programs have objects outside",
    (
        "scriptc.values.outside_places",
        "scriptc_runtime.conversions",
    ): "few programs have objects outside",
    ("scriptc.check", "scriptc.check.python.containers"): "a program of loops has no dicts",
    ("scriptc.check", "scriptc.check.python.hash_sets"): "a program of loops has no sets",
    ("scriptc.check", "scriptc.check.desugar.made_containers"): "a program of loops has no dicts",
    ("scriptc.check", "scriptc.check.desugar.made_collections"): "few use `collections`",
    ("scriptc.check.calls", "scriptc.check.desugar.dict_calls"): "few programs have dicts",
    ("scriptc.check.desugar.short_calls", "scriptc.check.object_copies"): "few copy objects",
    ("scriptc.check", "scriptc.check.desugar.short_calls"): "few copy or take the largest by a key",
    ("scriptc.check", "scriptc.check.desugar.deep_copies"): "few copy what they nest",
    ("scriptc.check", "scriptc.check.python.deques"): "few use `collections`",
    ("scriptc.values.adapt", "scriptc_runtime.collection_classes"): "few use `collections`",
    ("scriptc_runtime.ops.outside", "scriptc_runtime.asked_functions"): "few ask for clocks",
    (
        "scriptc.backends.llvm.loading.machine_code",
        "scriptc_runtime.asked_functions",
    ): "few ask for clocks",
    (
        "scriptc.backends.llvm.loading.machine_code",
        "scriptc_runtime.printing",
    ): "few programs say how print ends, or where it writes to",
    ("scriptc.values.adapt", "scriptc_runtime.containers"): "few use `collections`",
    (
        "scriptc.backends.llvm.loading.machine_code",
        "scriptc.backends.llvm.loading.collection_functions",
    ): "few use `collections`",
    (
        "scriptc.backends.llvm.loading.machine_code",
        "scriptc.backends.llvm.loading.removed_items",
    ): "few programs give sets back",
    (
        "scriptc.backends.llvm.loading.machine_code",
        "scriptc_runtime.written_containers",
    ): "few programs write to dicts that they are given",
    ("scriptc.check", "scriptc.check.hashes"): "few programs ask for hashes, or have dicts",
    ("scriptc.check", "scriptc.check.named"): "few programs have enumerations and named tuples",
    (
        "scriptc.cache.store",
        "scriptc_runtime.named_classes",
    ): "few programs have enumerations and named tuples",
    ("scriptc.check", "scriptc.check.protocols"): "few programs have operators of their own",
    ("scriptc.check", "scriptc.check.equal_items"): "few programs have operators of their own",
    (
        "scriptc.check.desugar.inits",
        "scriptc.check.desugar.dataclass_inits",
    ): "few programs have dataclasses",
    (
        "scriptc.check.calls",
        "scriptc.check.desugar.dataclass_functions",
    ): "few programs have dataclasses",
    ("scriptc.check.desugar.dataclass_inits", "dis"): "few have a __post_init__ and are frozen",
    ("scriptc.check", "difflib"): "only those who mistype a name need it",
    ("scriptc_runtime.gufuncs", "numpy.fft"): "NumPy itself loads it for those who transform",
    ("scriptc_runtime.errors", "bisect"): "a program without mistakes asks for no place",
    (
        "scriptc.backends.llvm.loading.elfload",
        "scriptc.backends.llvm.llvm_linker",
    ): "only other machines than x86-64 Linux need LLVM's linker",
    (
        "scriptc.cache.manifest",
        "scriptc_runtime.text.type_names",
    ): "arguments that fit need no types",
    ("scriptc.cache.manifest", "scriptc_runtime.text.tokens"): "arguments that fit need no types",
    (f"{RUNTIME}.saved", f"{RUNTIME}.saved.link"): "a warm start reads no saved file",
    (f"{RUNTIME}.saved", f"{RUNTIME}.saved.file"): "a warm start reads no saved file",
    ("scriptc.backends.llvm", "llvmlite"): "the interpreter and a dump of the IR need no LLVM",
    ("scriptc.syntax.make_tables", "lark"): "the committed tables serve until the grammar changes",
    ("scriptc.syntax.tables", "scriptc.syntax.make_tables"): "only when the grammar has changed",
}
