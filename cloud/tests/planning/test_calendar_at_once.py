"""An address that is made while its person is locked or deleted does not outlast it."""

from functools import partial

from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.calendar.tables import CalendarAddress

from cloud.tests.meeting import all_at_once
from cloud.tests.world import Firm, World

ADDRESS = "/api/calendar-address"
ROUNDS = range(4)


def _addresses(platform: Platform) -> int:
    with platform.database.read(SYSTEM) as tx:
        return tx.query(CalendarAddress).count()


def test_no_address_is_made_past_a_lock_or_an_end(world: World, firm: Firm, platform: Platform) -> None:
    for number in ROUNDS:
        person = world.user(firm.id, f"person {number}")
        end_account = (
            partial(world.founder.put, f"/api/users/{person.id}/lock")
            if number % 2
            else partial(firm.boss.delete, f"/api/users/{person.id}")
        )
        address_answer, ended = all_at_once(platform, partial(person.post, ADDRESS), end_account)
        assert ended.is_success
        assert address_answer.status_code in {201, 401}
        assert _addresses(platform) == 0


def test_of_two_addresses_made_at_once_one_is_found(world: World, firm: Firm, platform: Platform) -> None:
    for _ in ROUNDS:
        answers = all_at_once(platform, *[partial(firm.anna.post, ADDRESS)] * 3)
        assert [answer.status_code for answer in answers] == [201] * 3
        found_statuses = [world.client.get(answer.json()["url"]).status_code for answer in answers]
        assert sorted(found_statuses) == [200, 404, 404]
        assert _addresses(platform) == 1
