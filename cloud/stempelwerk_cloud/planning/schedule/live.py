"""How open pages hear of the plan: of one's own duties, leave, absences and hand-overs, and of a company's."""

from collections.abc import Collection

from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.people.directory.service import COMPANY_ADMIN

MODULES = {"schedule", "absences"}
"""Administrators with one of these see the company's plan."""


def topics_of(hearer: Subscriber, modules: Collection[str]) -> list[str]:
    """Returns the topics: employees get their own plan, a company's administrators all plans if they have a module for
    it.
    """
    heard = [f"plan:{hearer.company_id}:{hearer.user_id}"]
    if hearer.role == COMPANY_ADMIN and not MODULES.isdisjoint(modules):
        heard.append(f"plan:{hearer.company_id}")
    return heard
