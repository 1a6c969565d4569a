"""Oddities that stop nothing but need a correction are reported once at the start, also to the cloud."""

from pathlib import Path

import pytest
from stempelwerk_edge.configuration import UnknownKey
from stempelwerk_tools.simulation.machines.loop import simulated_loop

from edge.tests.rig import Rig


@pytest.mark.parametrize("odd", [False, True])
def test_unknown_settings_and_an_unknown_source_of_the_time_are_said_once(memory: Path, odd: bool) -> None:
    with simulated_loop() as loop:
        rig = Rig(loop, memory)
        if odd:
            rig.time_untold = "Operation not permitted"
            rig.unknown = (UnknownKey("[cloud] uri", "[cloud] url"), UnknownKey("[x]", None))
        rig.start()
        rig.wait(hours=3)
        log_lines = [(e["level"], e["code"], e["message"]) for e in rig.cloud.logs.values() if e["level"] != "info"]
        rig.crash()
    odd_ones = [
        ("warn", "unknown_settings", "in the configuration, but no settings: [cloud] uri (perhaps [cloud] url), [x]"),
        (
            "warn",
            "time_source_unknown",
            "the kernel does not say whether a time service steers the clock: Operation not permitted",
        ),
    ]
    assert log_lines == (odd_ones if odd else [])
