"""Dated settings: an entry uses what held at its start."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from stempelwerk_cloud.domain.settings import DatedRules, Rules
from stempelwerk_cloud.domain.working_time_act import ADULT, UNDER_18, DatedLimits

from cloud.tests.domain.days import instant_of, rows, sheet, taps

CHANGE = date(2026, 11, 20)


def changed(old_rules: Rules, new_rules: Rules) -> DatedRules:
    return DatedRules([(None, old_rules), (CHANGE, new_rules)])


def test_a_change_holds_from_local_midnight() -> None:
    rules = changed(Rules(max_shift_h=16), Rules(max_shift_h=8))
    assert rules.at(instant_of("2026-11-19 23:59:59.999")).max_shift_h == 16
    assert rules.at(instant_of("2026-11-20 00:00")).max_shift_h == 8
    assert rules.on(date(2026, 11, 19)).max_shift_h == 16
    assert rules.on(CHANGE).max_shift_h == 8


def test_a_change_of_the_zone_holds_from_midnight_in_the_new_zone() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    rules = changed(Rules(), Rules(zone=tokyo))
    assert rules.at(instant_of("2026-11-20 00:00", tokyo)).zone is tokyo
    assert rules.at(instant_of("2026-11-20 00:00", tokyo) - timedelta(milliseconds=1)).zone is not tokyo


def test_before_the_first_day_the_first_settings_hold() -> None:
    rules = DatedRules([(CHANGE, Rules(max_shift_h=8)), (date(2026, 12, 1), Rules(max_shift_h=9))])
    assert rules.at(instant_of("2020-01-01 08:00")).max_shift_h == 8
    assert rules.on(date(2020, 1, 1)).max_shift_h == 8


def test_the_order_in_which_changes_are_told_does_not_matter() -> None:
    rules = DatedRules([(CHANGE, Rules(max_shift_h=8)), (None, Rules(max_shift_h=9))])
    assert rules.at(instant_of("2026-11-19 08:00")).max_shift_h == 9


def test_of_two_changes_of_one_day_the_later_told_holds() -> None:
    rules = DatedRules([(None, Rules()), (CHANGE, Rules(max_shift_h=8)), (CHANGE, Rules(max_shift_h=9))])
    assert rules.at(instant_of("2026-11-20 08:00")).max_shift_h == 9
    assert rules.on(CHANGE).max_shift_h == 9


def test_no_settings_at_all_are_an_error() -> None:
    with pytest.raises(ValueError, match="settings"):
        DatedRules([])


def test_the_maximal_shift_is_that_of_the_entrys_start() -> None:
    stamps = taps("2026-11-19 20:00", "2026-11-20 06:00")
    assert len(rows(stamps, rules=changed(Rules(max_shift_h=16), Rules(max_shift_h=8)))) == 1
    assert len(rows(stamps, rules=changed(Rules(max_shift_h=8), Rules(max_shift_h=16)))) == 2


def test_the_time_to_ask_is_that_of_the_entrys_start() -> None:
    stamps = taps("2026-11-19 20:00", "2026-11-20 02:00")
    assert rows(stamps, rules=changed(Rules(ask_after_h=4), Rules()))[0].flags == ("long_entry",)
    assert rows(stamps, rules=changed(Rules(), Rules(ask_after_h=4)))[0].flags == ()


def test_the_double_tap_window_is_that_of_the_entrys_start() -> None:
    stamps = taps("2026-11-19 20:00:00", "2026-11-20 02:00:00", "02:01:30")
    assert "s3" in sheet(stamps, rules=changed(Rules(double_tap_s=120), Rules())).uncounted
    assert "s3" not in sheet(stamps, rules=changed(Rules(), Rules(double_tap_s=120))).uncounted


def test_the_break_policy_is_that_of_the_shifts_start() -> None:
    stamps = taps("2026-11-19 20:00", "2026-11-20 03:00")
    assert rows(stamps, rules=changed(Rules(break_policy="none"), Rules()))[0].pause == 0
    assert rows(stamps, rules=changed(Rules(), Rules(break_policy="none")))[0].pause == 30


def test_the_zone_of_the_date_is_that_of_the_start() -> None:
    stamps = taps("2026-11-20 00:30", "04:00")
    entry_rows = rows(stamps, rules=(rules := changed(Rules(zone=ZoneInfo("UTC")), Rules())))
    assert rules.at(stamps[0].at).zone.key == "Europe/Berlin"
    assert entry_rows[0].day == "2026-11-20"


def test_a_persons_own_limits_hold_from_their_day_beside_the_companys_settings() -> None:
    rules = changed(Rules(), Rules(break_policy="none"))
    young = rules.for_person(DatedLimits(((date(2026, 11, 10), UNDER_18), (date(2026, 11, 25), ADULT))))
    assert [
        (young.on(day).limits is UNDER_18, young.on(day).break_policy)
        for day in (date(2026, 11, 9), date(2026, 11, 10), date(2026, 11, 20), date(2026, 11, 25))
    ] == [(False, "statutory"), (True, "statutory"), (True, "none"), (False, "none")]
