"""Live updates of system administrators' open pages about the device registry."""

from collections.abc import Collection

from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.people.directory import companies
from stempelwerk_cloud.people.directory.callers import ADMIN
from stempelwerk_cloud.people.work import UnitOfWork


def topic_of(operator_id: str) -> str:
    return f"fleet:{operator_id}"


def hears(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """Returns the topics of the registry that a subscriber receives: the operator's for system administrators, nothing
    for others.
    """
    return [topic_of(hearer.company_id)] if hearer.role == ADMIN else []


def refresh_pages(work: UnitOfWork) -> None:
    """Makes open pages that show clocks reload them, after the commit."""
    operator = companies.operator(work.session)
    if operator is not None:
        work.platform.live.publish(work.session, [topic_of(operator.id)], {"type": "fleet_update"})
