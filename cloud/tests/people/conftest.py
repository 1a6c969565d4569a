"""What the tests of people and accounts may ask for besides: a mail server, and somebody at the door."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from stempelwerk_cloud.kit.mail import Mailer
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.knocking import Knocker
from cloud.tests.mailbox import Mailbox
from cloud.tests.world import Firm


@pytest.fixture(scope="session")
def mail_server() -> Iterator[Mailbox]:
    mailbox = Mailbox()
    mailbox.start()
    yield mailbox
    mailbox.stop()


@pytest.fixture
def mailbox(mail_server: Mailbox, platform: Platform) -> Mailbox:
    """The installation's mail server, empty."""
    mail_server.empty()
    platform.mailer = Mailer(mail_server.url, "Stempelwerk <stempelwerk@example.org>", platform.clock, platform.ids)
    return mail_server


@pytest.fixture
def door(app: FastAPI, firm: Firm) -> Knocker:
    """A browser at home."""
    return Knocker(app, firm)
