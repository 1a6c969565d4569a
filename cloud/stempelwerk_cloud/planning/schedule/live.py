"""How open pages hear of the plan: of one's own duties, leave, absences and hand-overs, and of a company's."""

from collections.abc import Iterable

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.live.topics import Hearer
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import COMPANY_ADMIN
from stempelwerk_cloud.people.work import Work

MODULES = {"schedule", "absences"}
"""Whoever has one of these looks at the company's plan."""


def tell(work: Work, company_id: str, user_ids: Iterable[str]) -> None:
    """Has these people's pages, and the administrators', look again."""
    topics = [f"plan:{company_id}:{user_id}" for user_id in sorted(set(user_ids))]
    work.platform.live.publish(work.session, [*topics, f"plan:{company_id}"], {"type": "plan_update"})


def hears(session: Session, hearer: Hearer) -> list[str]:
    """Everybody hears of their own plan, a company's administrators of all if they have a module for it."""
    heard = [f"plan:{hearer.company_id}:{hearer.user_id}"]
    if hearer.role == COMPANY_ADMIN and not MODULES.isdisjoint(directory.feature_keys(session, hearer.company_id)):
        heard.append(f"plan:{hearer.company_id}")
    return heard
