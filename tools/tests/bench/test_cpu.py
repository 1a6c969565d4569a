"""Processor time is that of the measured programs, children included, and is shown a request and a stamp."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from stempelwerk_tools.bench import cpu
from stempelwerk_tools.bench.cpu import Cpu
from stempelwerk_tools.bench.goals import PRODUCT
from stempelwerk_tools.bench.measures import rates
from stempelwerk_tools.bench.sides.side import Slice, Turns

# The child works for half a second of processor time, and both then wait to be looked at.
_WORK = "import time\nwhile time.process_time() < 0.5: pass\nprint('done', flush=True)\ninput()"
_PARENT = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {_WORK!r}])"


@pytest.fixture
def family() -> Iterator[int]:
    """A process whose child has worked."""
    with subprocess.Popen([sys.executable, "-c", _PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdin is not None
        assert parent.stdout.readline() == b"done\n"
        yield parent.pid
        parent.stdin.write(b"\n")


def test_the_time_of_a_servers_children_is_the_servers(family: int) -> None:
    family_cpu = cpu.used(family, None)
    # The kernel reports whole ticks, user's and system's apart, of parent and child.
    assert family_cpu.service >= 0.5 - 4 * cpu._TICK_S
    assert family_cpu.database is None


def test_earlier_use_does_not_count() -> None:
    assert Cpu(3.0, 5.0).used_since(Cpu(1.0, 4.5)) == Cpu(2.0, 0.5)
    assert Cpu(3.0, None).used_since(Cpu(1.0, None)) == Cpu(2.0, None)


def test_the_table_has_the_time_of_a_request_and_a_stamp_and_omits_unknown_sides() -> None:
    visible = Slice(1, 1, 1, stamps=500, requests=10, cpu=Cpu(0.04, 0.02))
    inside = Slice(1, 1, 1, stamps=500, requests=10, cpu=Cpu(0.05, None))
    turns = Turns(rates.NEW, {PRODUCT: [visible, visible], "embedded": [inside], "peer": [Slice(1, 1, 1, 500)]})
    lines = [line.split("  ") for line in rates.cpu_table([turns]).splitlines()[2:]]
    cpu_by_row = {cells[0]: cells[-1].strip() for cells in lines}
    assert cpu_by_row == {
        f"{PRODUCT}, a request": "4,000 + 2,000",
        f"{PRODUCT}, a stamp": "80 + 40",
        "embedded, a request": "5,000",
        "embedded, a stamp": "100",
    }
