"""The tables of faults fit the sources: `make faults` and `make faults-device` plant them."""

from pathlib import Path

import pytest

from tests.faults.device_table import DEVICE_FAULTS
from tests.faults.table import FAULTS, Fault

REPO = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "fault", [*FAULTS, *DEVICE_FAULTS], ids=lambda fault: f"{fault.stage} {fault.breaks}"
)
def test_a_fault_has_its_place(fault: Fault) -> None:
    text = (REPO / fault.file).read_text(encoding="utf-8")
    assert text.count(fault.old) == 1, "the line has changed: change `old` and `new` with it"
    compile(text.replace(fault.old, fault.new), fault.file, "exec")
    paths = [word for word in fault.tests if word.startswith("tests/")]
    assert paths
    assert all((REPO / path).exists() for path in paths)


def test_there_are_faults_in_all_stages() -> None:
    stages = {fault.stage.split()[0] for fault in FAULTS}
    assert stages >= {
        *("syntax", "check", "lower", "passes", "fusion", "loops", "analysis", "llvm", "runtime"),
        *("cache", "specialise", "classes", "cuda", "stdlib"),
    }
    assert len(FAULTS) >= 30
    assert len(DEVICE_FAULTS) >= 30
