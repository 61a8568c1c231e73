"""`make corpora` runs drivers that lie outside, and tells what became of the programs."""

from pathlib import Path

import pytest

from tests.benchmarks.bench_corpora import Corpus, Record, drivers, reasons, report, run

RUN = """\
import json, sys
rows = [
    dict(id="a", verdict="ok", detail=""),
    dict(id="b", verdict="refused", detail="error[set]"),
    dict(id="c", verdict="crash", detail="signal 11 /a/b/y.py"),
    dict(id="d", verdict="unusable", detail=""),
]
with open(sys.argv[sys.argv.index("--json") + 1], "w") as out:
    out.writelines(json.dumps(row) + "\\n" for row in rows)
print(sys.argv[1], "extracted 9 run 4")
"""
KINDS = "print('    1 str: index, slice: codon 1')\nprint('    1 in all, 1 kinds')\n"


def test_the_drivers_are_named_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder in ("", str(tmp_path)):
        monkeypatch.setenv("CORPORA_DIR", folder)
        with pytest.raises(SystemExit, match="CORPORA_DIR must name a folder with the drivers"):
            drivers()
    (tmp_path / "run.py").write_text("")
    assert drivers() == tmp_path.resolve()


def test_a_corpus_is_run_and_reported(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text(RUN)
    (tmp_path / "kinds.py").write_text(KINDS)
    raw = tmp_path / "codon.json"
    corpus = run(tmp_path, "codon", raw, ["--limit", "4"])
    assert corpus is not None
    assert (corpus.extracted, corpus.usable, len(corpus.records)) == (9, 3, 4)
    refused = reasons(tmp_path, [raw])
    assert refused == [("str: index, slice", 1, "codon 1")]
    text = report([corpus], refused)
    assert "| codon | 9 | 4 | 3 | 1 | 0 | 1 | 0 | 0 | 0 | 1 | 0 | 33 % |" in text
    assert "| codon | crash | `c` | signal 11 y.py |" in text


def test_a_corpus_that_does_not_run_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text("raise SystemExit('no checkout')\n")
    assert run(tmp_path, "codon", tmp_path / "codon.json", []) is None
    nothing = Corpus("codon", 0, [Record("codon", "a", "unusable", "")])
    assert "| codon | 0 | 1 | 0 |" in report([nothing], [])
