"""The interface of access for other rooms, apart from its guards: who is logged in, by which session, and how that
ends.

`sessions`, `remembered`, `second_factor`, `looks` and `throttle` are its parts, each with its own rules.
"""

from stempelwerk_cloud.people.access import actions, looks
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.access.guessing.failure_members import AccountRoute, failure_of, refused_for_size
from stempelwerk_cloud.people.access.identity import remembered, second_factor, sessions
from stempelwerk_cloud.people.access.identity.browsers import (
    ClientInfo,
    SessionOpened,
    client_of,
    device_name,
    shortened,
)
from stempelwerk_cloud.people.access.identity.revocation import end_access, end_unfinished
from stempelwerk_cloud.people.access.identity.streams import session_goes_on, stream_to
from stempelwerk_cloud.people.access.tables import EMAIL_LIMIT, PendingLogin
from stempelwerk_cloud.people.access.words import new_password_refused, same_password

__all__ = [
    "EMAIL_LIMIT",
    "AccountRoute",
    "ClientInfo",
    "PendingLogin",
    "SessionOpened",
    "actions",
    "client_of",
    "device_name",
    "end_access",
    "end_unfinished",
    "failure_of",
    "looks",
    "new_password_refused",
    "refused_for_size",
    "remembered",
    "same_password",
    "second_factor",
    "session_goes_on",
    "sessions",
    "shortened",
    "stream_to",
    "throttle",
]
