"""The command line.

    scriptc check FILE.py[:NAME] ...
    scriptc dump FILE.py:NAME --stage ir
    scriptc explain FILE.py:NAME
    scriptc compile FILE.py:NAME --time
    scriptc run FILE.py:NAME 3.5 data.npy
    scriptc info [FILE.scriptc]
    scriptc cache [clear]
    scriptc help [CODE]
    scriptc completion bash
    scriptc --version

The exit status is 0, 1 where the program is refused, and 2 where the command is wrong.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType

from scriptc.check.roots import Root
from scriptc.cli import cache, info
from scriptc.cli.argument_types import read_types
from scriptc.cli.code_help import list_of_codes, page_of
from scriptc.cli.compile import compile_function, timed
from scriptc.cli.completion import SHELLS, completion
from scriptc.cli.explain import explanation, write_page
from scriptc.cli.inputs import read_entry, read_ir
from scriptc.cli.run import TAKEN, WAYS, run
from scriptc.cli.scripts import Untyped, root_of, scripted_names, starts_of
from scriptc.inspection import dump
from scriptc.inspection.annotate import with_source
from scriptc.inspection.colour import show, wants_colour
from scriptc.inspection.dump import STAGES, TEXT_STAGES, Start
from scriptc.inspection.target import (
    PYTHON,
    SAVED,
    Target,
    UsageError,
    import_file,
    public_names,
    read_target,
    show_exception,
)
from scriptc_runtime.errors import Diagnostic, ScriptError
from scriptc_runtime.record import replace
from scriptc_runtime.types import Type


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    if arguments is None:
        sys.excepthook = show_exception
    options = _parser().parse_args(arguments)
    try:
        return _COMMANDS[options.command](options)
    except UsageError as error:
        print(f"scriptc: {error}", file=sys.stderr)
        return 2
    except ScriptError as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader, `head` for one, has seen enough; nor may the exit of Python write to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scriptc", description="Run scripts, and look inside of them."
    )
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", required=True)
    _add_check(commands.add_parser("check", help="report what cannot be compiled"))
    _add_dump(commands.add_parser("dump", help="show what a stage of the compiler makes"))
    _add_explain(commands.add_parser("explain", help="say what became of each line of a function"))
    _add_compile(commands.add_parser("compile", help="compile a function into the cache"))
    _add_run(commands.add_parser("run", help="call a function, or an entry of a saved file"))
    _add_info(commands.add_parser("info", help="describe this machine, or a saved file"))
    _add_cache(commands.add_parser("cache", help="show or clear what is kept on disk"))
    _add_help(commands.add_parser("help", help="explain the code of an error"))
    _add_completion(commands.add_parser("completion", help="complete commands in your shell"))
    return parser


class _Version(argparse.Action):
    """Prints the version; it is looked up only then."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"scriptc {info.version_of('scriptc')}")
        parser.exit()


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Check every @script function and class of a file, or one function by its name. "
        "This imports the file, which executes it."
    )
    parser.add_argument("inputs", nargs="+", metavar="FILE.py[:NAME]")
    parser.add_argument(
        "--args", metavar="TYPES", help='types of the parameters of one function: --args "f64[N]"'
    )
    parser.add_argument(
        "--strict-sizes",
        action="store_true",
        help="sizes that have to be equal and have different names are errors, not warnings",
    )


def _add_dump(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show one function at a stage. The stages tokens and ast only read the file; the others "
        "import it, which executes it."
    )
    parser.add_argument(
        "input", metavar="INPUT", help="FILE.py:NAME (Class.method), FILE.scriptc:ENTRY or FILE.ir"
    )
    parser.add_argument("--stage", choices=STAGES, help="which stage; without it, ir")
    parser.add_argument("--passes", action="store_true", help="show what each pass changed")
    parser.add_argument(
        "--args", metavar="TYPES", help='types of the parameters: --args "f64[N], int"'
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    parser.add_argument(
        "--source",
        action=argparse.BooleanOptionalAction,
        help="put lines of the source between those of the IR; done on a terminal",
    )


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compile a function anew, and show its source with what became of each loop and array "
        "statement. This imports the file, which executes it."
    )
    parser.add_argument("input", metavar="FILE.py:NAME")
    parser.add_argument(
        "--args", metavar="TYPES", help='types of the parameters: --args "f64[N], int"'
    )
    parser.add_argument("--html", metavar="FILE", help="write a page that needs no network")
    parser.add_argument(
        "--library", action="store_true", help="also line by line what the standard library does"
    )
    parser.add_argument(
        "--cpu", metavar="NAME", default="", help="LLVM's name of another processor"
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def _add_compile(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compile a function for the types of its annotations, so that calls find it in the cache. "
        "This imports the file, which executes it."
    )
    parser.add_argument("input", metavar="FILE.py:NAME")
    parser.add_argument(
        "--args", metavar="TYPES", help='types of the parameters: --args "f64[N], int"'
    )
    parser.add_argument(
        "--time", action="store_true", help="compile it anew, and say what each stage takes"
    )
    parser.add_argument("--passes", action="store_true", help="the same, and what each pass takes")
    parser.add_argument("--json", action="store_true", help="the same, every run of each, as JSON")


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Call a function and print its result. FILE.py is imported, which executes it; "
        "a saved file is not."
    )
    parser.add_argument("input", metavar="INPUT", help="FILE.py:NAME or FILE.scriptc:ENTRY")
    parser.add_argument("arguments", nargs="*", help=TAKEN)
    parser.add_argument("--backend", choices=WAYS, help="what runs it; python is CPython itself")
    parser.add_argument("--output", metavar="FILE", help="write the result to a .npy or .npz file")
    parser.add_argument("--time", action="store_true", help="say how long calls take")


def _add_info(parser: argparse.ArgumentParser) -> None:
    parser.description = "Without a file: versions, processor, libraries, settings."
    parser.add_argument("input", nargs="?", metavar="FILE.scriptc")


def _add_cache(parser: argparse.ArgumentParser) -> None:
    parser.description = "Say how much compiled code is kept on disk and where, or remove it."
    parser.add_argument("action", nargs="?", choices=("show", "clear"), default="show")


def _add_help(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Explain the code that an error has in brackets, with a wrong and a right program. "
        "Without a code, list them all."
    )
    parser.add_argument("code", nargs="?", metavar="CODE", help="type-merge, for instance")


def _add_completion(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write what your shell has to run to complete commands, options and file names: "
        'eval "$(scriptc completion bash)", in ~/.bashrc for good.'
    )
    parser.add_argument("shell", choices=SHELLS)


# ------------------------------------------------------------------------------------------ check


def _check(options: argparse.Namespace) -> int:
    types = None if options.args is None else read_types(options.args)
    targets = list(map(read_target, options.inputs))
    if types is not None and not (len(targets) == 1 and targets[0].name):
        raise UsageError("--args has the types of one function: name it, FILE.py:NAME")
    strict: bool = options.strict_sizes
    return max(_check_input(target, types, strict=strict) for target in targets)


def _check_input(target: Target, types: Sequence[Type] | None, *, strict: bool) -> int:
    if target.kind != PYTHON:
        raise UsageError(f"{target.path}: only Python files are checked")
    module = import_file(target.path)
    names = [target.name] if target.name else scripted_names(module)
    if not names:
        raise UsageError(f"{target.path} has no @script; name a function: {target.path}:NAME")
    # One by one, so that a mistake in one does not hide those in the others.
    found = _Found(strict=strict)
    refused = [name for name in names if not _is_right(module, name, types, found)]
    untyped, warned = found.untyped, found.warned
    for name, lacking in untyped.items():
        print(f"{target.path}: only the syntax of {name} was checked: {lacking}")
    partly = {name.partition(".")[0] for name in untyped} if not target.name else set(untyped)
    typed = [name for name in names if name not in partly]
    if typed and not (refused or warned):
        print(f"{target.path}: nothing to report on {', '.join(typed)}")
    return 1 if refused or (strict and warned) else 0


class _Found:
    """What checking a file has found."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.untyped: dict[str, str] = {}  # what has no types, and why
        self.warned: dict[str, None] = {}  # the places of warnings: several functions call one


def _is_right(module: ModuleType, name: str, types: Sequence[Type] | None, found: _Found) -> bool:
    """Check a function, or a class method by method, and print what is wrong."""
    errors: dict[str, None] = {}
    lacking: dict[str, str] = {}
    # One by one, as above; what several methods rest on is reported once.
    for own, start in starts_of(module, name, types).items():
        try:
            if isinstance(start, Untyped):
                lacking[own] = start.lacking
                dump.check_syntax(start.functions)
            else:
                _warn(dump.check(start), found)
        except ScriptError as error:
            errors.update((diagnostic.render(), None) for diagnostic in error.diagnostics)
    for text in errors:
        print(text, end="\n\n", file=sys.stderr)
    if not errors:
        found.untyped |= lacking
    return not errors


def _warn(diagnostics: Sequence[Diagnostic], found: _Found) -> None:
    """Print warnings, each place once; they are errors if that is asked for."""
    for diagnostic in diagnostics:
        place = diagnostic.span.place if diagnostic.span else diagnostic.message
        if place not in found.warned:
            found.warned[place] = None
            shown = replace(diagnostic, severity="error") if found.strict else diagnostic
            print(shown.render(), end="\n\n", file=sys.stderr)


# ------------------------------------------------------------------------------------------- dump


def _dump(options: argparse.Namespace) -> int:
    target = read_target(options.input)
    types = None if options.args is None else read_types(options.args)
    stage = options.stage or ("opt" if options.passes else "ir")
    colour = wants_colour(options.color)
    text = _text(target, stage, types, passes=options.passes)
    source = colour if options.source is None else options.source
    if source and stage in ("ir", "opt", "low") and not options.passes:
        text = with_source(text)
    show(text, "passes" if options.passes else stage, colour=colour)
    return 0


def _text(target: Target, stage: str, types: tuple[Type, ...] | None, *, passes: bool) -> str:
    early = stage in (*TEXT_STAGES, "types")
    if passes and early:
        raise UsageError("--passes shows passes over the IR: give --stage opt or low")
    if target.kind != PYTHON and early:
        raise UsageError(f"{target.path} holds IR: its first stage is ir")
    if stage in TEXT_STAGES:
        return dump.text_stage(target, stage)
    if stage == "types":
        return dump.types_stage([_root(target, types)])
    start = _start(target, types)
    return dump.passes_stage(start, stage) if passes else dump.module_stage(start, stage)


def _start(target: Target, types: tuple[Type, ...] | None) -> Start:
    if target.kind == PYTHON:
        return dump.first_module([_root(target, types)])
    if types is not None:
        raise UsageError("--args belongs to Python files: IR has its types")
    return read_entry(target) if target.kind == SAVED else read_ir(target)


def _root(target: Target, types: tuple[Type, ...] | None) -> Root:
    module = import_file(target.path)
    if not target.name:
        known = ", ".join(scripted_names(module) or public_names(module))
        raise UsageError(f"name a function: {target.path}:NAME, with NAME one of {known}")
    return root_of(module, target.name, types)


# --------------------------------------------------------------- compile, run, info, cache, help


def _compile(options: argparse.Namespace) -> int:
    target = read_target(options.input)
    types = None if options.args is None else read_types(options.args)
    if options.time or options.passes or options.json:
        print(timed(target, types, passes=options.passes, as_json=options.json))
    else:
        print(compile_function(target, types))
    return 0


def _explain(options: argparse.Namespace) -> int:
    target = read_target(options.input)
    types = None if options.args is None else read_types(options.args)
    found = explanation(target, types, options.cpu)
    if options.html is not None:
        print(write_page(found.html, options.html))
    else:
        text = found.with_library if options.library else str(found)
        show(text, "explain", colour=wants_colour(options.color))
    return 0


def _run(options: argparse.Namespace) -> int:
    target = read_target(options.input)
    run(target, options.arguments, options.backend, options.output, timed=options.time)
    return 0


def _info(options: argparse.Namespace) -> int:
    given = options.input
    print(info.environment() if given is None else info.saved_file(read_target(given)))
    return 0


def _cache(options: argparse.Namespace) -> int:
    print(cache.clear() if options.action == "clear" else cache.report())
    return 0


def _help(options: argparse.Namespace) -> int:
    print(list_of_codes() if options.code is None else page_of(options.code))
    return 0


def _completion(options: argparse.Namespace) -> int:
    print(completion(options.shell, _parser()), end="")
    return 0


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "check": _check,
    "dump": _dump,
    "explain": _explain,
    "compile": _compile,
    "run": _run,
    "info": _info,
    "cache": _cache,
    "help": _help,
    "completion": _completion,
}

if __name__ == "__main__":
    sys.exit(main())
