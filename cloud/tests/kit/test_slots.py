"""Slots and ports: typed keys of shared values, and of questions to higher rooms."""

import threading
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy.orm import Session
from stempelwerk_cloud.app import ROOMS
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import NOBODY
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.ports import Port
from stempelwerk_cloud.kit.slots import Slot

AT_ONCE = 4


def test_threads_that_make_a_value_at_once_share_one(platform: Platform) -> None:
    barrier = threading.Barrier(AT_ONCE)

    def make(_: Platform) -> list[int]:
        barrier.wait()
        return []

    slot = Slot(make)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        values = list(pool.map(lambda _: slot.of(platform), range(AT_ONCE)))
    assert all(value is values[0] for value in values)


def test_each_transaction_has_its_own_value(platform: Platform) -> None:
    slot: Slot[Session, list[int]] = Slot(lambda _: [])
    with platform.database.read(NOBODY) as first, platform.database.read(NOBODY) as second:
        slot.of(first).append(1)
        assert (slot.of(first), slot.get(second), slot.of(second)) == ([1], None, [])


def test_two_slots_of_one_type_do_not_share_a_value(platform: Platform) -> None:
    first: Slot[Platform, int] = Slot(lambda _: 1)
    second: Slot[Platform, int] = Slot(lambda _: 2)
    first.set(platform, 3)
    assert (first.of(platform), second.of(platform)) == (3, 2)
    assert (first.pop(platform), first.pop(platform), first.of(platform)) == (3, None, 1)


def test_each_port_is_provided_by_one_room(platform: Platform) -> None:
    declared = {port for port in vars(ports).values() if isinstance(port, Port)}
    assert platform.ports.keys() == declared
    assert sum(len(room.ports) for room in ROOMS) == len(declared)
