"""A company's settings for its times, as the domain gets them."""

import json
from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.settings import Rules
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.companies import TIME_ZONE, settings_on, zone_at
from stempelwerk_cloud.timekeeping.ledger import settings

from cloud.tests.world import Firm

ZONES = ["Europe/Berlin", "Europe/London", "Pacific/Kiritimati", "Pacific/Midway"]
DAYS = st.dates(date(2025, 1, 1), date(2025, 1, 6))
VALUES = st.tuples(st.just("max_shift_hours"), st.integers(8, 24)) | st.tuples(
    st.just("time_zone"), st.sampled_from(ZONES)
)


def test_the_domain_gets_every_change_with_its_day(firm: Firm, platform: Platform) -> None:
    path = f"/api/companies/{firm.id}/settings"
    firm.boss.put(path, json={"maxShiftHours": 12, "validFrom": "2026-06-01"})
    firm.boss.put(path, json={"timeZone": "Europe/London", "validFrom": "2026-09-01"})
    with platform.database.read(SYSTEM) as tx:
        rules = settings.rules_of(tx, firm.id)
        assert settings_on(tx, firm.id, date(2026, 9, 1))[TIME_ZONE] == "Europe/London"
    rules_of_days = [
        (rules.on(day).max_shift_h, str(rules.on(day).zone)) for day in (date(2026, 5, 31), date(2026, 6, 1))
    ]
    assert rules_of_days == [(16, "Europe/Berlin"), (12, "Europe/Berlin")]
    assert (rules.on(date(2026, 9, 1)).max_shift_h, str(rules.on(date(2026, 9, 1)).zone)) == (12, "Europe/London")


def test_where_nobody_has_set_anything_the_domains_own_defaults_hold() -> None:
    assert settings.dated_rules([]).on(date(2024, 12, 31)) == Rules()


@given(st.lists(st.tuples(VALUES, DAYS)), st.integers(0, 8 * 24))
def test_everybody_who_asks_for_the_zone_alone_is_told_the_rules_one(
    dated_values: list[tuple[tuple[str, object], date]], hours: int
) -> None:
    changes = {(name, day): Change(name, day, json.dumps(value)) for (name, value), day in dated_values}
    instant = datetime.fromtimestamp(datetime(2024, 12, 31, tzinfo=UTC).timestamp() + hours * 3600, UTC)
    assert zone_at(changes.values(), instant) == settings.dated_rules(changes.values()).at(instant).zone
