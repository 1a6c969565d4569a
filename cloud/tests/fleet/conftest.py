"""A mail server for rooms of the fleet that write letters."""

from cloud.tests.people.conftest import mail_server, mailbox

__all__ = ["mail_server", "mailbox"]
