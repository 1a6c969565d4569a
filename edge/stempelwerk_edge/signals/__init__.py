"""Light and sound at the clock itself. `patterns` has each signal; the settings choose the player."""

from stempelwerk_edge.configuration import SignalSettings
from stempelwerk_edge.ports import Signals
from stempelwerk_edge.signals.simulated import SimulatedSignals
from stempelwerk_edge.signals.sysfs import SysfsSignals


def signals_for(settings: SignalSettings) -> Signals:
    """Returns the signals of the configuration: LEDs and buzzer of the kernel, or the twin that only remembers."""
    if settings.green is None and settings.red is None and settings.buzzer is None:
        return SimulatedSignals()
    return SysfsSignals(settings)
