"""The memory of a transaction: its rows are read once, and again after a lock, a write or a rolled back savepoint."""

from collections.abc import Callable
from datetime import date

from sqlalchemy import update
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import savepoint
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.companies import find_company, set_setting_from, setting_changes, zone_of
from stempelwerk_cloud.people.directory.people import find_user, people_in
from stempelwerk_cloud.people.directory.tables import User

from cloud.tests.counting import statements_of
from cloud.tests.databases import ON_BOTH
from cloud.tests.world import Firm

SETTING = Change("time_zone", date.min, '"Europe/Lisbon"')


def _asks(platform: Platform, read: Callable[[], object]) -> bool:
    """Whether the database is asked."""
    return statements_of(platform, read) > 0


@ON_BOTH
def test_settings_and_people_are_read_once_until_a_lock_is_taken(firm: Firm, platform: Platform) -> None:
    with platform.database.write(SYSTEM) as session:
        reads: list[Callable[[], object]] = [
            lambda: setting_changes(session, firm.id),
            lambda: people_in(session, firm.id),
            lambda: find_company(session, firm.id),
        ]
        assert [_asks(platform, read) for read in reads * 2] == [True] * 3 + [False] * 3
        locks.take(session, Lock.PLAN, firm.id)
        assert [_asks(platform, read) for read in reads[:2]] == [True] * 2


@ON_BOTH
def test_another_companys_rows_are_no_memory_of_this_one(firm: Firm, platform: Platform) -> None:
    other_firm = firm.world.firm("Andere")
    with platform.database.read(SYSTEM) as session:
        for company_id in (firm.id, other_firm.id, firm.id):
            assert {user.company_id for user in people_in(session, company_id)} == {company_id}


@ON_BOTH
def test_a_write_is_read_at_once_and_its_rolled_back_savepoint_is_not(firm: Firm, platform: Platform) -> None:
    def zone(session: Session) -> str:
        return str(zone_of(session, firm.id, platform.clock.now()))

    with platform.database.write(SYSTEM) as session:
        assert zone(session) == "Europe/Berlin"
        step = savepoint(session)
        set_setting_from(session, firm.id, SETTING, platform.clock.now(), None)
        assert zone(session) == "Europe/Lisbon"
        step.rollback()
        assert zone(session) == "Europe/Berlin"


@ON_BOTH
def test_deleted_people_are_gone_from_the_memory_by_object_and_by_statement(firm: Firm, platform: Platform) -> None:
    with platform.database.write(SYSTEM) as session:

        def names() -> list[str]:
            return [user.username for user in people_in(session, firm.id)]

        assert names() == ["anna", "ben", "chefin"]
        find_user(session, firm.id, firm.anna.id).deleted_at = platform.clock.now()
        assert names() == ["ben", "chefin"]
        session.execute(update(User).where(User.id == firm.ben.id).values(deleted_at=platform.clock.now()))
        assert names() == ["chefin"]
