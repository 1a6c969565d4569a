"""Light and sound: every signal is unlike every other, and nothing about them can cost a tap."""

import io
import threading
from pathlib import Path

import pytest
from stempelwerk_edge.configuration import SignalSettings
from stempelwerk_edge.ports import Signal
from stempelwerk_edge.signals import signals_for
from stempelwerk_edge.signals.patterns import PATTERNS
from stempelwerk_edge.signals.simulated import SimulatedSignals
from stempelwerk_edge.signals.sysfs import SysfsSignals


@pytest.fixture
def kernel(tmp_path: Path) -> SignalSettings:
    """Folders as the kernel's LED and PWM classes show them."""
    for name, files in (
        ("green", ["brightness"]),
        ("red", ["brightness"]),
        ("pwm0", ["period", "duty_cycle", "enable"]),
    ):
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_text("0\n")
    return SignalSettings(green=tmp_path / "green", red=tmp_path / "red", buzzer=tmp_path / "pwm0")


class Steps:
    """Stands in for the waiting between steps and notes what lights and buzzer show then."""

    def __init__(self, settings: SignalSettings, count: int) -> None:
        self._settings, self._count = settings, count
        self.seen: list[tuple[bool, bool, int]] = []
        self.done = threading.Event()

    def wait(self, _condition: threading.Condition, _seconds: float) -> None:
        green, red, buzzer = self._settings.green, self._settings.red, self._settings.buzzer
        assert green
        assert red
        assert buzzer
        hertz = 0
        if (buzzer / "enable").read_text() == "1\n":
            hertz = round(1e9 / int((buzzer / "period").read_text()))
        lights = [(folder / "brightness").read_text() == "1\n" for folder in (green, red)]
        self.seen.append((lights[0], lights[1], hertz))
        if len(self.seen) == self._count:
            self.done.set()


def test_every_signal_has_a_light_and_a_tone_of_its_own() -> None:
    assert set(PATTERNS) == set(Signal)
    heard = [tuple((step.hertz, step.seconds) for step in steps if step.hertz) for steps in PATTERNS.values()]
    assert len(set(heard)) == len(PATTERNS)
    assert all(heard)
    assert all(any(step.green or step.red for step in steps) for steps in PATTERNS.values())


def test_coming_rises_going_falls_as_much_and_already_stamped_is_two_equal_tones() -> None:
    coming, going, double = (
        [(step.hertz, step.seconds) for step in PATTERNS[signal] if step.hertz]
        for signal in (Signal.OK_IN, Signal.OK_OUT, Signal.DOUBLE)
    )
    low, high = (hertz for hertz, _ in coming)
    assert low < high
    assert [hertz for hertz, _ in going] == [high, low]
    assert len(double) == 2
    assert double[0] == double[1]


def test_what_is_not_well_is_red_and_never_green() -> None:
    for signal in (Signal.NOT_SAVED, Signal.UNKNOWN, Signal.ERROR):
        assert not any(step.green for step in PATTERNS[signal])
        assert any(step.red for step in PATTERNS[signal])


@pytest.mark.parametrize("signal", list(Signal))
def test_the_kernels_files_show_each_step_and_are_dark_and_silent_at_the_end(
    kernel: SignalSettings, signal: Signal
) -> None:
    steps = Steps(kernel, len(PATTERNS[signal]))
    signals = SysfsSignals(kernel, wait=steps.wait)
    signals.play(signal)
    assert steps.done.wait(60)
    signals.close()
    assert steps.seen == [(step.green, step.red, step.hertz) for step in PATTERNS[signal]]
    assert kernel.green
    assert (kernel.green / "brightness").read_text() == "0\n"
    assert kernel.buzzer
    assert (kernel.buzzer / "enable").read_text() == "0\n"


def test_a_newer_signal_cuts_off_the_one_before(kernel: SignalSettings) -> None:
    steps = Steps(kernel, 1 + len(PATTERNS[Signal.UNKNOWN]))
    signals: SysfsSignals

    def wait(condition: threading.Condition, seconds: float) -> None:
        steps.wait(condition, seconds)
        if len(steps.seen) == 1:
            signals._next = Signal.UNKNOWN  # as play() does from another thread while this one waits

    signals = SysfsSignals(kernel, wait=wait)
    signals.play(Signal.NOT_SAVED)
    assert steps.done.wait(60)
    signals.close()
    assert [hertz for _, _, hertz in steps.seen] == [220, 330, 0]


def test_lights_that_are_missing_do_not_stop_the_signals(kernel: SignalSettings, tmp_path: Path) -> None:
    steps = Steps(kernel, 2)
    broken = SignalSettings(green=tmp_path / "nowhere", red=kernel.red, buzzer=kernel.buzzer)
    signals = SysfsSignals(broken, wait=steps.wait)
    signals.play(Signal.UNKNOWN)
    assert steps.done.wait(60)
    signals.close()
    assert steps.seen == [(False, True, 330), (False, True, 0)]


def test_the_twin_remembers_in_order_and_not_without_end() -> None:
    twin = SimulatedSignals()
    for _ in range(1000):
        twin.play(Signal.OK_IN)
    twin.play(Signal.NOT_SAVED)
    assert twin.played[-1] is Signal.NOT_SAVED
    assert len(twin.played) < 1000


def test_the_bell_rings_and_a_closed_terminal_is_borne() -> None:
    terminal = io.StringIO()
    twin = SimulatedSignals(bell=terminal)
    twin.play(Signal.OK_IN)
    assert terminal.getvalue() == "\a"
    terminal.close()
    twin.play(Signal.OK_OUT)
    assert twin.played == [Signal.OK_IN, Signal.OK_OUT]


def test_a_clock_without_lights_gets_the_twin(kernel: SignalSettings) -> None:
    assert isinstance(signals_for(SignalSettings()), SimulatedSignals)
    real = signals_for(kernel)
    assert isinstance(real, SysfsSignals)
    real.close()
