"""Golden cases: one text file holds an input and what each stage makes of it.

    # Why this case exists.
    === source
    def f(x: float) -> float:
        return x * 1.0
    === args
    float
    === opt
    ...

A section `pass NAME` shows what one pass does.  Sections up to the first output are the input;
each output is compared with what the stage of its name gives, and rewritten by `pytest --bless`.
The name of the file is the claim the case makes (`add_zero_is_kept`); the comment says why the
claim matters.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

CASES = Path(__file__).parents[1] / "cases"
# `source` is a program, `args` the types or values its first function is called with; a line of
# `sizes` says which sizes the case runs with besides the usual ones: `x0=70 y0=70`, where IR that
# comes of source names the axes of its parameters so.
INPUTS = ("source", "args", "sizes")
OUTPUTS = ("tokens", "ast", "ir", "opt", "low", "kernels", "error", "explain", "html")
PASS = "pass "  # an output as well, with the name of the pass behind it
# The folders of cases, each read by one test module.
FOLDERS = (
    *("device", "errors", "explain", "fusion", "kernels", "loops", "low", "lower", "opt", "passes"),
    "syntax",
)
_HEADER = "=== "

# What a stage makes of a case: the text of its section.
Stage = Callable[["Case"], str]


class MalformedCaseError(Exception):
    """A case file that does not have the form above."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case file, taken apart."""

    path: Path
    comment: str
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Take a case file apart, or say what is wrong with it."""
        comment, sections = _sections(path)
        names = list(sections)
        first = names[0]
        # IR text is an input too, where a case is about what comes after it.
        if first not in (*INPUTS, "ir"):
            raise MalformedCaseError(f"{path}: the first section is {first!r}, not an input")
        outputs = {n for n in names if n.startswith(PASS)}
        if unknown := sorted(set(names) - {*INPUTS, *OUTPUTS} - outputs):
            raise MalformedCaseError(f"{path}: no stage is called {unknown[0]!r}")
        inputs = {name: text for name, text in sections.items() if name in (first, *INPUTS)}
        outputs = {name: text for name, text in sections.items() if name not in inputs}
        if not comment.startswith("# ") or not outputs:
            raise MalformedCaseError(f"{path}: a case has a comment and at least one output")
        return cls(path, comment, inputs, outputs)

    @property
    def name(self) -> str:
        """`folder/claim`, as tests print it."""
        return str(self.path.relative_to(CASES).with_suffix(""))

    @property
    def passes(self) -> Sequence[str]:
        """The passes that have sections of their own."""
        return [name.removeprefix(PASS) for name in self.outputs if name.startswith(PASS)]

    @property
    def text(self) -> str:
        """The case as its file has it."""
        sections = {**self.inputs, **self.outputs}
        return self.comment + "".join(f"{_HEADER}{n}\n{text}\n" for n, text in sections.items())

    def check(self, stages: Mapping[str, Stage], *, bless: bool) -> None:
        """Compare each output with its stage; with `bless`, write the difference to the file."""
        if unmade := sorted(self.outputs.keys() - stages.keys()):
            made = ", ".join(stages)
            raise MalformedCaseError(f"{self.path}: {unmade[0]!r} is not made here, only {made}")
        actual = {name: stages[name](self).strip("\n") for name in self.outputs}
        if actual == self.outputs:
            return
        if bless:
            self.path.write_text(replace(self, outputs=actual).text, encoding="utf-8")
            return
        for name, text in actual.items():
            assert text == self.outputs[name], (
                f"section {name} of {self.path}; if the new text is right: make bless"
            )


def _sections(path: Path) -> tuple[str, dict[str, str]]:
    comment, *parts = ("\n" + path.read_text(encoding="utf-8")).split("\n" + _HEADER)
    sections: dict[str, str] = {}
    for part in parts:
        name, _, text = part.partition("\n")
        if name in sections:
            raise MalformedCaseError(f"{path}: two sections are called {name!r}")
        sections[name] = text.strip("\n")
    if not sections:
        raise MalformedCaseError(f"{path}: no section")
    return comment.removeprefix("\n") + "\n", sections


def case_paths(folder: str = "") -> list[Path]:
    """Return the case files under one folder of tests/cases, in a fixed order."""
    assert not folder or folder in FOLDERS
    return sorted((CASES / folder).rglob("*.txt"))
