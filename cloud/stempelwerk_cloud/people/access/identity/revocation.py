"""The complete end of a person's access: sessions with tickets and streams, unfinished logins, remembered devices, and
by a signal all that upper rooms gave to browsers.

A change to what access rests on (password, role, lock, factor) holds the lock of the person's row and calls this in the
same transaction, after all other locks: it waits for pending commits in the person's name (`sessions.recheck_session`).
A login takes the person's lock too and keeps the company open. So no login can slip in between, nor while the company
closes.
"""

from collections.abc import Collection

from sqlalchemy import delete
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.events import ACCESS_ENDED
from stempelwerk_cloud.people.access.identity import remembered
from stempelwerk_cloud.people.access.identity.sessions import end_sessions
from stempelwerk_cloud.people.access.tables import PendingLogin
from stempelwerk_cloud.people.work import UnitOfWork


def end_access(work: UnitOfWork, company_id: str, *, user_ids: Collection[str] | None = None) -> None:
    """Ends the access of all the company's people, or only of these."""
    end_sessions(work, company_id, user_ids=user_ids)
    end_unfinished(work.session, company_id, user_ids=user_ids)
    remembered.forget(work.session, company_id, user_ids)
    work.emit(ACCESS_ENDED, company_id=company_id, user_ids=user_ids)


def end_unfinished(session: Session, company_id: str, *, user_ids: Collection[str] | None = None) -> None:
    """Ends the unfinished logins of the company's people, or only of these."""
    statement = delete(PendingLogin).where(PendingLogin.company_id == company_id)
    if user_ids is not None:
        statement = statement.where(PendingLogin.user_id.in_(list(user_ids)))
    session.execute(statement)
