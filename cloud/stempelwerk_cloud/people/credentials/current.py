"""The check of a person's current password, which some calls require in spite of a session: an unattended screen has a
session, too.

Guesses are throttled across all calls that require it.
"""

from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.http.problems import Problem, unauthorized
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.people import find_person
from stempelwerk_cloud.people.directory.tables import User

SIGNED_OUT_EVERYWHERE = Action("user.signed_out_everywhere")
PASSWORD_RESET_ALL = Action("user.password_reset_all")
LOCKED = Action("user.locked")
SECOND_FACTOR_ENABLED = Action("user.second_factor_enabled")
SECOND_FACTOR_DISABLED = Action("user.second_factor_disabled")


def attempt(caller: Caller, address: str) -> throttle.Attempt:
    return throttle.attempt(caller.company_id, caller.user_id, address, throttle.CURRENT)


async def compare(
    platform: Platform, caller: Caller, password: str, attempt: throttle.Attempt, refusal: Problem
) -> User:
    """Compares the caller's password and returns their user. Raises `refusal` for a wrong password, 429 for too many.
    The caller of this function holds a permit of `hashing`.

    The caller takes back the counted failure after a right password (`throttle.reset_failures`), in the transaction
    that required it.
    """
    user = await platform.bulkheads.steps.run(_count, platform, caller, attempt)
    if not await platform.bulkheads.hashing.run(passwords.verify, user.password_hash, password):
        raise refusal
    return user


def _count(platform: Platform, caller: Caller, attempt: throttle.Attempt) -> User:
    with platform.database.write(of_company(caller.company_id)) as session:
        throttle.refuse(throttle.count(session, attempt, platform.clock.now()))
        user = find_person(session, caller.company_id, caller.user_id)
    if user is None:
        raise unauthorized()
    return user
