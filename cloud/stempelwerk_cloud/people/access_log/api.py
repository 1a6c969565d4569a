"""The call about the access log."""

from sqlalchemy import select

from stempelwerk_cloud.domain.instants import day_end, day_start
from stempelwerk_cloud.kit.http.paging import BoundsDep, PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.people.access import looks
from stempelwerk_cloud.people.access.guards import Council
from stempelwerk_cloud.people.directory.callers import ADMIN
from stempelwerk_cloud.people.directory.companies import zone_of
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import Reading


class Looked(Wire):
    """A person whose times were read. `username` null: the person is no longer known."""

    user_id: str
    username: str | None


class AccessRow(Wire):
    """An entry of the access log: the first read by `actor` (an id) within a clock hour. Without `subjects`: of the
    whole company's times.
    """

    id: str
    at: InstantField
    actor: str
    actor_name: str | None
    what: looks.LookKind
    subjects: list[Looked]


router = room_router("access log")

SYSTEM_ADMINISTRATOR = "System-Admin"
"""The name of an actor from no company, or from the operator's: companies do not learn which one it was."""


@router.get("/api/companies/{id}/access-log")
def access_log(caller: Council, work: Reading, paging: PagingDep, bounds: BoundsDep) -> list[AccessRow]:
    """Lists which administrator read whose times on these local days, newest first. Only for the works council."""
    session, company_id = work.session, caller.subject_company_id
    zone = zone_of(session, company_id, work.now())
    start = None if bounds.first is None else day_start(bounds.first, zone)
    end = None if bounds.last is None else day_end(bounds.last, zone)
    rows = paging.cut(looks.page(session, company_id, start, end, paging.page_request))
    concerned = {user_id for row in rows for user_id in (row.actor, row.subject) if user_id is not None}
    query = select(User.id, User.username, User.role).where(User.company_id == company_id, User.id.in_(concerned))
    names = {user.id: SYSTEM_ADMINISTRATOR if user.role == ADMIN else user.username for user in session.execute(query)}
    return [
        AccessRow(
            id=row.id,
            at=row.at,
            actor=row.actor,
            actor_name=names.get(row.actor, SYSTEM_ADMINISTRATOR),
            what=row.what,
            subjects=[] if row.subject is None else [Looked(user_id=row.subject, username=names.get(row.subject))],
        )
        for row in rows
    ]
