"""A mail server for rooms of the fleet that send mails, and clocks with a history for rollouts."""

import pytest

from cloud.tests.fleet.rolling import SIZE, Fleet, published
from cloud.tests.people.conftest import mail_server, mailbox
from cloud.tests.stamping import Site

__all__ = ["mail_server", "mailbox"]


@pytest.fixture
def fleet(site: Site) -> Fleet:
    """Twelve clocks with a history of a week, and version 1.6.0."""
    published(site.world.platform, "1.6.0")
    return Fleet(site, SIZE)
