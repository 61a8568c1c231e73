"""Programs that are larger than any sample: what is refused of small ones is not what is large."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from scriptc import ScriptError, script


def _program(folder: Path, name: str, text: str) -> Any:
    """Return a program as a module: the parser reads it from a file."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main


@pytest.mark.parametrize("base", ["def at(self, x):\n        return x", "pass"])
def test_a_method_of_a_hundred_classes_is_called(tmp_path: Path, base: str) -> None:
    heirs = "".join(
        f"class Heir{i}(Base):\n    def at(self, x):\n        return x * {i}\n\n\n"
        for i in range(100)
    )
    objects = ", ".join(f"Heir{i}()" for i in range(100))
    main = f"def main(x):\n    return [h.at(x) for h in [{objects}]]\n"
    text = f"class Base:\n    {base}\n\n\n{heirs}{main}"
    compiled = script(_program(tmp_path, "heirs", text))
    assert compiled(3) == [3 * i for i in range(100)]


def test_a_dict_holds_a_hundred_functions(tmp_path: Path) -> None:
    functions = "".join(f"def f{i}(x):\n    return x + {i}\n\n\n" for i in range(100))
    table = ", ".join(f"'f{i}': f{i}" for i in range(100))
    main = f"def main(x):\n    table = {{{table}}}\n    return [table[k](x) for k in table]\n"
    compiled = script(_program(tmp_path, "functions", functions + main))
    assert compiled(3) == [3 + i for i in range(100)]


def _length(items: Any) -> int:
    return len(items)


def test_what_holds_itself_has_no_type() -> None:
    items: list[Any] = [1]
    items.append(items)
    table: dict[str, Any] = {}
    table["self"] = table
    for held in (items, table, [items], (table,)):
        with pytest.raises(ScriptError, match="holds itself"):
            script(_length)(held)
