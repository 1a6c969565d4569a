"""Fixtures for tests of people and accounts: mail and push servers, and a browser that logs in."""

from collections.abc import Iterator

import pytest
import trustme
from fastapi import FastAPI
from stempelwerk_cloud.kit.mail import Mailer
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.notices.push import pushing
from stempelwerk_cloud.people.notices.push.pushing import Pushing
from stempelwerk_cloud.people.notices.push.vapid import PushKey

from cloud.tests.logging_in import LoginClient
from cloud.tests.mailbox import Mailbox
from cloud.tests.people.push_service import PushService
from cloud.tests.world import Firm


@pytest.fixture(scope="session")
def mail_server() -> Iterator[Mailbox]:
    mailbox = Mailbox()
    mailbox.start()
    yield mailbox
    mailbox.stop()


@pytest.fixture
def mailbox(mail_server: Mailbox, platform: Platform) -> Mailbox:
    """Returns the installation's mail server, empty."""
    mail_server.empty()
    platform.mailer = Mailer(mail_server.url, "Stempelwerk <stempelwerk@example.org>", platform.clock, platform.ids)
    return mail_server


@pytest.fixture
def login(app: FastAPI, firm: Firm) -> LoginClient:
    """Returns a browser at the home address."""
    return LoginClient(app, firm)


@pytest.fixture(scope="session")
def push_server() -> Iterator[PushService]:
    service = PushService(trustme.CA())
    service.start()
    yield service
    service.stop()


@pytest.fixture
def push_service(push_server: PushService, platform: Platform) -> PushService:
    """Returns the push service that gets all notices of the test, whatever their endpoints."""
    push_server.empty()
    key = PushKey(platform.settings.data_dir)
    pushing.PUSHING.set(platform, Pushing(key, push_server.outward(), None))
    return push_server
