"""The end of a person's access, whole: sessions with tickets and streams, unfinished logins, remembered devices, and by
a signal whatever rooms above give to browsers.

Whoever changes what a person's access rests on (password, role, lock, factor) holds the lock of the person's row and
calls this in the same transaction, after everything else that locks: it waits for what is being committed in the
person's name (`sessions.keep`). Logins take the person's lock too, so none slips in between, and keep the company open,
so none slips in while it closes.
"""

from collections.abc import Collection

from sqlalchemy import delete
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.events import ACCESS_ENDED
from stempelwerk_cloud.people.access import remembered
from stempelwerk_cloud.people.access.sessions import end_sessions
from stempelwerk_cloud.people.access.tables import PendingLogin
from stempelwerk_cloud.people.work import Work


def end_access(work: Work, company_id: str, *, user_ids: Collection[str] | None = None) -> None:
    """Of everybody in the company, or only of these people."""
    end_sessions(work, company_id, user_ids=user_ids)
    end_unfinished(work.session, company_id, user_ids=user_ids)
    remembered.forget(work.session, company_id, user_ids)
    work.emit(ACCESS_ENDED, company_id=company_id, user_ids=user_ids)


def end_unfinished(session: Session, company_id: str, *, user_ids: Collection[str] | None = None) -> None:
    """Ends logins that wait for a step."""
    statement = delete(PendingLogin).where(PendingLogin.company_id == company_id)
    if user_ids is not None:
        statement = statement.where(PendingLogin.user_id.in_(list(user_ids)))
    session.execute(statement)
