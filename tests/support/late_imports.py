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
    (_SCRIPTED, "scriptc.calls_anew"): "few arguments need a script that calls the function",
    (_SCRIPTED, "scriptc.exits"): "few objects are left by an exception",
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
    (
        "scriptc.classes.scripted_class",
        "scriptc.kept_containers",
    ): "few fields are given lists that Python goes on to use",
    (
        "scriptc.classes.scripted_class",
        "scriptc.calls_anew",
    ): "few fields are given lists that Python goes on to use",
    (
        "scriptc.values.copies",
        "scriptc_runtime.written_containers",
    ): "most programs change no list of the caller's",
    ("scriptc.compiling", "scriptc.forks"): "a warm start compiles nothing",
    ("scriptc.cache.loader", "scriptc.values.adapt"): "arguments that fit are not looked at",
    ("scriptc.values.kinds", "scriptc_runtime.array_classes"): "few pass objects of subclasses",
    ("scriptc_runtime.records", "ctypes"): "most programs make no structured arrays",
    ("scriptc_runtime.records", "scriptc_runtime.array_classes"): "few pass objects of subclasses",
    ("scriptc.cache.modules_outside", "scriptc_runtime.conversions"): "most pass no objects",
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
    ("scriptc.backends.llvm.machine", "scriptc.backends.llvm.own_names"): "small ones are one part",
    ("scriptc.backends.llvm", "scriptc.backends.llvm.entry.held_values"): "few have exceptions",
    ("scriptc.backends.llvm", "scriptc.backends.llvm.loading.held_blocks"): "that hold lists",
    ("scriptc.backends.llvm", "scriptc.backends.llvm.entry.raised_objects"): "few have exceptions",
    ("scriptc.backends.llvm", "scriptc.backends.llvm.loading.raised_classes"): "of their own",
    ("scriptc.lower.statements", "scriptc.lower.exceptions"): "few programs raise or catch",
    ("scriptc_runtime.verify.module", "scriptc_runtime.text.writer"): "valid IR is not written",
    ("scriptc.lower", "scriptc.lower.generators"): "few programs have generators",
    ("scriptc.lower", "scriptc.lower.member_arms"): "few programs have unions",
    (
        "scriptc.cache.dependencies",
        "scriptc.cache.outside_objects",
    ): "few programs have objects outside",
    (
        "scriptc.values.outside_places",
        "scriptc_runtime.conversions",
    ): "few programs have objects outside",
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
    (
        "scriptc.cache.store",
        "scriptc_runtime.named_classes",
    ): "few programs have enumerations and named tuples",
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
