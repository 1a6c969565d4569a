"""How open pages hear of the plan: of one's own duties, leave, absences and hand-overs, and of a company's."""

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.live.topics import Hearer
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import COMPANY_ADMIN

MODULES = {"schedule", "absences"}
"""Whoever has one of these looks at the company's plan."""


def hears(session: Session, hearer: Hearer) -> list[str]:
    """Everybody hears of their own plan, a company's administrators of all if they have a module for it."""
    heard = [f"plan:{hearer.company_id}:{hearer.user_id}"]
    if hearer.role == COMPANY_ADMIN and not MODULES.isdisjoint(directory.feature_keys(session, hearer.company_id)):
        heard.append(f"plan:{hearer.company_id}")
    return heard
