"""How open pages hear of the plan: of one's own duties, leave, absences and hand-overs, and of a company's."""

from collections.abc import Collection

from stempelwerk_cloud.kit.live.topics import Hearer
from stempelwerk_cloud.people.directory.service import COMPANY_ADMIN

MODULES = {"schedule", "absences"}
"""Whoever has one of these looks at the company's plan."""


def hears(hearer: Hearer, modules: Collection[str]) -> list[str]:
    """Everybody hears of their own plan, a company's administrators of all if they have a module for it."""
    heard = [f"plan:{hearer.company_id}:{hearer.user_id}"]
    if hearer.role == COMPANY_ADMIN and not MODULES.isdisjoint(modules):
        heard.append(f"plan:{hearer.company_id}")
    return heard
