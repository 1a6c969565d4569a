"""What happens here by itself: when people go, and when time passes."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import expiry
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation import deciding

KEPT = timedelta(days=2 * 366)


def people_changed(work: Work, company_id: str, user_ids: Collection[str]) -> None:
    """Whoever was deleted waits for no decision any more; a new person, or another name, changes nothing here."""
    gone = [one for one in user_ids if directory.find_person(work.session, company_id, one) is None]
    deciding.decline_for_the_gone(work, company_id, gone)


def purge(session: Session, now: datetime) -> None:
    """Forgets requests two years after their last day. Approved vacation stays: later years' balances rest on it."""
    over = VacationRequest.end_date < (now - KEPT).date()
    in_no_balance = (VacationRequest.status != "approved") | (VacationRequest.kind == "wish")
    expiry.remove(session, VacationRequest, over & in_no_balance)
