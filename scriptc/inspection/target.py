"""What a command is about: `file.py:name`, `file.scriptc:entry`, or a file of IR text.

Finding a definition in a Python file reads the file; `live_object` imports it, which executes it.
"""

import importlib
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, TracebackType

from scriptc.syntax import nodes as n
from scriptc.syntax.parser import parse_module
from scriptc_runtime.errors import Source
from scriptc_runtime.record import record

PYTHON, SAVED, IR_TEXT = ".py", ".scriptc", ".ir"
KINDS = (PYTHON, SAVED, IR_TEXT)


class UsageError(Exception):
    """The command cannot be carried out as it was typed; the message says what to type."""


@record
class Target:
    """A file, and the name of what is meant in it; no name means the whole file."""

    path: Path
    name: str

    @property
    def kind(self) -> str:
        """What the file holds: one of `KINDS`."""
        return self.path.suffix


def read_target(text: str) -> Target:
    """Take `file` or `file:name` apart.  Raises UsageError."""
    path, name = Path(text), ""
    # A colon may be part of the path: of a drive, or of an odd name.
    if not path.is_file() and ":" in text:
        before, _, name = text.rpartition(":")
        path = Path(before)
    if path.suffix not in KINDS:
        raise UsageError(f"{text}: expected FILE.py:NAME, FILE.scriptc:ENTRY or FILE.ir")
    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    return Target(path, name)


def read_source(path: Path) -> Source:
    """Return the text of a file.  Raises UsageError."""
    try:
        return Source(str(path), path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not text in UTF-8: {error.reason}") from None


# ----------------------------------------------------------------------------- without executing


def definition(target: Target, source: Source) -> n.Node:
    """Return the tree of the definition that is meant, or of the whole file.

    Raises ParseError, UsageError.
    """
    module = parse_module(source)
    if not target.name:
        return module
    found = dict(_definitions(module.body, ""))
    if target.name not in found:
        raise UsageError(f"{target.path} has no {target.name!r}{_choice(list(found))}")
    return found[target.name]


def _definitions(body: n.Body, prefix: str) -> Iterator[tuple[str, n.FunctionDef | n.ClassDef]]:
    for statement in body:
        if isinstance(statement, n.FunctionDef | n.ClassDef):
            yield prefix + statement.name, statement
        if isinstance(statement, n.ClassDef):
            yield from _definitions(statement.body, f"{prefix}{statement.name}.")


# ------------------------------------------------------------------------------------- executing


def import_file(path: Path) -> ModuleType:
    """Import a file as `python file.py` would find it, but not as `__main__`.

    Raises ParseError for a file that is no Python, and whatever the file itself raises.
    """
    parse_module(read_source(path))
    folder, names = path.resolve().parent, [path.stem]
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    sys.path.insert(0, str(folder))
    if len(names) > 1:
        return importlib.import_module(".".join(names))
    # Not by its name: `random.py` would give the standard library's.
    name = names[0] if names[0] not in sys.modules else f"{names[0]}_"
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def show_exception(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print an exception; where a file that is imported raised it, its frames alone."""
    frames = trace
    while frames is not None and frames.tb_frame.f_code is not import_file.__code__:
        frames = frames.tb_next
    while frames is not None and _imports(frames):
        frames = frames.tb_next
    sys.__excepthook__(kind, error.with_traceback(frames or trace), frames or trace)


def _imports(frame: TracebackType) -> bool:
    code = frame.tb_frame.f_code
    return code is import_file.__code__ or code.co_filename.startswith("<frozen importlib")


def live_object(module: ModuleType, name: str) -> tuple[object, type | None]:
    """Return what a dotted name stands for, and the class that it is a member of.

    Raises UsageError.
    """
    owner: type | None = None
    value: object = module
    for part in name.split("."):
        owner = value if isinstance(value, type) else None
        # A class keeps what a descriptor would hide.
        members = vars(value) if isinstance(value, type | ModuleType) else {}
        if part not in members:
            raise UsageError(f"{module.__file__} has no {name!r}{_choice(public_names(module))}")
        value = members[part]
    return value, owner


def public_names(module: ModuleType) -> list[str]:
    """Return the names of the functions and classes that a module defines."""
    own = (
        name
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", None) == module.__name__
    )
    return [name for name in own if not name.startswith("_")]


def _choice(names: list[str]) -> str:
    return f"; it has {', '.join(names)}" if names else ", nor any other definition"
