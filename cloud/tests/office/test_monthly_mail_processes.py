"""The monthly mail among real processes and a real mail server: never none, and twice only by the same Message-ID."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from stempelwerk_cloud.kit.outbox.queue import LEASE
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_POSTGRESQL, ON_SQLITE
from cloud.tests.mailbox import Mailbox
from cloud.tests.office import mailing_worker
from cloud.tests.office.mailing import ADVISER, OFFICE, change, comes_round, listed, mail_server
from cloud.tests.processes import begin_together
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm

FIRST = datetime(2026, 12, 1, 2, tzinfo=UTC)
KILLED = -9


@pytest.fixture
def mailbox(platform: Platform) -> Iterator[Mailbox]:
    with mail_server(platform) as mailbox:
        yield mailbox


@pytest.fixture
def run(platform: Platform, mailbox: Mailbox) -> Callable[..., list[int]]:
    """Lets so many processes begin together, which are killed at a step; how each ended."""

    def _run(step: str = "", count: int = 1) -> list[int]:
        settings = platform.settings
        arguments = [settings.database_url, str(settings.data_dir), mailbox.url, FIRST.isoformat(), step]
        return begin_together(Path(mailing_worker.__file__), arguments, count)

    return _run


def ids_by_recipient(mailbox: Mailbox) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for (to,), mail in mailbox.mails:
        found.setdefault(to, set()).add(mail["Message-ID"])
    return found


@ON_SQLITE
@pytest.mark.parametrize("step", mailing_worker.STEPS)
def test_whatever_a_process_dies_at_each_gets_the_month_by_one_message_id(
    step: str,
    firm: Firm,
    mailbox: Mailbox,
    clock: SettableClock,
    platform: Platform,
    run: Callable[..., list[int]],
) -> None:
    change(firm, OFFICE, ADVISER)
    assert run(step) == [KILLED]
    for _ in range(2):
        comes_round(platform, clock, max(clock.now(), FIRST) + LEASE)
    ids = ids_by_recipient(mailbox)
    assert {to: len(found) for to, found in ids.items()} == {OFFICE: 1, ADVISER: 1}
    assert len(mailbox.mails) == (3 if step == "sent" else 2)
    assert [(row["month"], row["state"]) for row in listed(firm)] == [("2026-11", "sent")] * 2


@ON_POSTGRESQL
def test_of_two_processes_at_once_one_plans_the_month(
    firm: Firm,
    mailbox: Mailbox,
    clock: SettableClock,
    platform: Platform,
    run: Callable[..., list[int]],
) -> None:
    change(firm, OFFICE, ADVISER)
    assert run(count=2) == [0, 0]
    comes_round(platform, clock, FIRST + timedelta(minutes=5))
    assert sorted(to for to, _ in mailbox.mails) == [[OFFICE], [ADVISER]]
    assert [(row["month"], row["state"]) for row in listed(firm)] == [("2026-11", "sent")] * 2
