"""The live topics of the plan (duties, leave, absences, hand-overs): one of each person, and one of the whole
company.
"""

from collections.abc import Collection

from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.people.directory.service import COMPANY_ADMIN

MODULES = {"schedule", "absences"}
"""An administrator whose company has one of these modules sees the company's plan."""


def topics_of(hearer: Subscriber, modules: Collection[str]) -> list[str]:
    """Returns the caller's topics: their own plan, and for an administrator of a company with one of `MODULES` all
    plans.
    """
    heard = [f"plan:{hearer.company_id}:{hearer.user_id}"]
    if hearer.role == COMPANY_ADMIN and not MODULES.isdisjoint(modules):
        heard.append(f"plan:{hearer.company_id}")
    return heard
