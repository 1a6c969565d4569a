"""Live updates of system administrators' open pages about releases."""

from collections.abc import Collection

from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.people.directory.service import ADMIN
from stempelwerk_cloud.people.work import UnitOfWork


def hears(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """Returns the topics of releases that a subscriber receives: the operator's for system administrators, nothing for
    others.
    """
    return [_topic(hearer.company_id)] if hearer.role == ADMIN else []


def refresh_pages(work: UnitOfWork, operator_id: str) -> None:
    """Makes open pages that show releases reload them, after the commit."""
    work.platform.live.publish(work.session, [_topic(operator_id)], {"type": "updates_update"})


def _topic(operator_id: str) -> str:
    return f"updates:{operator_id}"
