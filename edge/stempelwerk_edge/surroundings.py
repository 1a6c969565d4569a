"""The world as the parts of the agent meet it while they run, and who the clock is in it, as one value."""

from dataclasses import dataclass

from stempelwerk_edge.machine.hardware import Machine
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.ports import Ids, Random, Report, Screen


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The objects that live from the start of the program to its end; the cloud receives `profile` and `version`."""

    time: TrustedTime
    ids: Ids
    random: Random
    screen: Screen
    report: Report
    machine: Machine
    profile: str
    version: str
