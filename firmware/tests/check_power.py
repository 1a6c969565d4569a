"""The power that a scanner draws, as a state machine and over weeks; ticks; signals."""

import draw
from kit import Chance
from scanner import power, signal
from scanner.timebase import Timebase

MINUTE, HOUR = 60 * 1000, 3600 * 1000


def test_states():
    for label, steps, expected in (
        ("docked", [(0, True, 50)], "docked"),
        ("taken out it is awake", [(9 * HOUR, True, 50), (9 * HOUR + 1, False, 50)], "awake"),
        ("after a minute it watches", [(0, False, 50), (MINUTE, False, 50)], "watching"),
        ("after four hours it rests", [(0, False, 50), (4 * HOUR, False, 50)], "resting"),
        ("flat", [(0, False, 2)], "empty"),
        ("it does not flutter", [(0, False, 2), (1, False, 5)], "empty"),
        ("recovered", [(0, False, 2), (1, False, 8)], "awake"),
        ("fed though flat", [(0, False, 2), (1, True, 2)], "docked"),
        ("without a battery", [(0, False, None), (9 * HOUR, False, None)], "docked"),
    ):
        machine = power.Power()
        for now, docked, level in steps:
            machine.step(now, docked, level)
        yield label, machine.state, expected


def test_a_tap_wakes_it():
    machine = power.Power()
    machine.step(5 * HOUR, False, 50)
    assert machine.state == "resting"
    machine.used(5 * HOUR)
    assert machine.step(5 * HOUR + 1, False, 50) == "awake"


def test_any_course_of_things_keeps_the_laws():
    for seed in range(1, 9):
        chance, machine, now, used, was = Chance(seed), power.Power(), 0, 0, "awake"
        for _ in range(300):
            now += chance.below(HOUR)
            docked, level = not chance.below(4), chance.below(101)
            if not chance.below(3):
                machine.used(now)
                used = now
            state = machine.step(now, docked, level)
            used = now if docked else used
            assert (state == "docked") == docked
            assert state != "empty" or level < 8
            assert docked or level >= 3 or state == "empty"
            assert docked or state == "empty" or (state == "awake") == (now - used < MINUTE)
            was = state
        assert was


def test_a_battery_lasts_for_weeks():
    # A 2,500 mAh cell: two hours with taps, six between, the rest at night in a drawer; 150 taps a day.
    work = {power.AWAKE: 0.5, power.WATCHING: 8.5, power.RESTING: 15}
    drawer = {power.RESTING: 24}
    yield "on a working day", 14 < draw.days(2500, work, 150) < 40, True
    yield "in a drawer", draw.days(2500, drawer) > 28, True
    yield "empty, from its last 3 %", draw.days(75, {power.EMPTY: 24}) > 1.5, True


def test_what_draws_more_is_more():
    draws = [draw.draw(state) for state in (power.AWAKE, power.WATCHING, power.RESTING, power.EMPTY)]
    assert draws == sorted(draws, reverse=True) and draws[0] > 4 * draws[1]


def test_percent_falls_with_the_voltage_and_stays_within_0_and_100():
    levels = [power.percent(millivolts) for millivolts in range(4400, 2800, -5)]
    assert levels == sorted(levels, reverse=True) and levels[0] == 100 and levels[-1] == 0


def test_ticks_never_jump_where_the_counter_wraps():
    ticks = [1073741824 - 500]
    base = Timebase(lambda: ticks[0], lambda new, old: (new - old + 536870912) % 1073741824 - 536870912)
    elapsed = 0
    for _ in range(400):
        ticks[0] = (ticks[0] + 5 * 86400 * 1000) % 1073741824
        assert base.now() - elapsed == 5 * 86400 * 1000
        elapsed = base.now()
    assert elapsed == 2000 * 86400 * 1000
    ticks[0] -= 7  # a counter that stumbles backwards
    assert base.now() == elapsed


def test_the_clock_tells_the_time_unless_it_has_none():
    ticks = [0]
    base = Timebase(lambda: ticks[0], lambda new, old: new - old)
    base.set_wall(1795507083214, 0)
    assert base.wall() is None
    base.set_wall(1795507083214, 3)
    ticks[0] = 1000
    assert base.wall() == 1795507084214


class Recorder:
    def __init__(self):
        self.played = []

    def tone(self, hertz):
        self.played.append(hertz)

    def light(self, colour):
        self.colour = colour

    def vibrate(self, on):
        self.vibrates = on


def test_a_pattern_is_played_to_its_end_and_then_all_is_quiet():
    for name in signal.PATTERNS:
        outputs = Recorder()
        player = signal.Player(outputs)
        player.play(name, 1000)
        now = 1000
        remaining = player.step(now)
        while remaining is not None:
            now += remaining
            remaining = player.step(now)
        total = sum([step[0] for step in signal.PATTERNS[name]])
        yield name, [now - 1000, outputs.played[-1], outputs.colour, outputs.vibrates], [total, 0, "", 0]


def test_a_newer_signal_takes_the_place_of_an_older_one_and_a_late_step_skips_none_forever():
    outputs = Recorder()
    player = signal.Player(outputs)
    player.play("full", 0)
    player.play("stored", 10)
    assert outputs.played[-1] == 1047
    assert [player.step(now) for now in (5000, 10000, 15000, 20000)][-1] is None


def test_what_is_well_cannot_be_taken_for_what_is_not():
    looks = [tuple([(step[0], step[2]) for step in pattern]) for pattern in signal.PATTERNS.values()]
    assert len(set(looks)) == len(looks)
    for name in signal.PATTERNS:
        colours = set([step[2] for step in signal.PATTERNS[name] if step[2]])
        yield name, list(colours), ["g" if name in ("stored", "double", "adopted", "ready") else "r"]


def test_what_was_not_kept_is_felt():
    for name in ("refused", "failed", "full", "unadopted"):
        felt = [step[0] for step in signal.PATTERNS[name] if step[3]]
        yield name, len(felt) > 1, True
