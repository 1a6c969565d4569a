"""The monthly mail among real processes and a real mail server: no mail is lost, and duplicates have the same
Message-ID.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from stempelwerk_cloud.kit.outbox.queue import LEASE
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_POSTGRESQL, ON_SQLITE
from cloud.tests.mailbox import Mailbox
from cloud.tests.office import mailing_worker
from cloud.tests.office.mailing import ADVISER, OFFICE, change, comes_round, list_mails, mail_server
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
    """Starts `count` processes together, which are killed at a step; returns their exit codes."""

    def _run(step: str = "", count: int = 1) -> list[int]:
        settings = platform.settings
        arguments = [settings.database_url, str(settings.data_dir), mailbox.url, FIRST.isoformat(), step]
        return begin_together(mailing_worker.main, *arguments, count=count)

    return _run


def ids_by_recipient(mailbox: Mailbox) -> dict[str, set[str]]:
    ids_by_address: dict[str, set[str]] = {}
    for (recipient,), mail in mailbox.mails:
        ids_by_address.setdefault(recipient, set()).add(mail["Message-ID"])
    return ids_by_address


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
    assert {recipient: len(message_ids) for recipient, message_ids in ids.items()} == {OFFICE: 1, ADVISER: 1}
    assert len(mailbox.mails) == (3 if step == "sent" else 2)
    assert [(row["month"], row["state"]) for row in list_mails(firm)] == [("2026-11", "sent")] * 2


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
    assert sorted(recipient for recipient, _ in mailbox.mails) == [[OFFICE], [ADVISER]]
    assert [(row["month"], row["state"]) for row in list_mails(firm)] == [("2026-11", "sent")] * 2
