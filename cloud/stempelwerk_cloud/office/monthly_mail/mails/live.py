"""The live topic about changes of a company's monthly mail."""

from collections.abc import Collection

from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN
from stempelwerk_cloud.people.work import UnitOfWork

MODULE = "monthly_mail"


def hears(hearer: Subscriber, modules: Collection[str]) -> list[str]:
    """Returns the caller's topics: that of the company, for administrators whose company has the module for exports."""
    if hearer.role != COMPANY_ADMIN or MODULE not in modules:
        return []
    return [_topic(hearer.company_id)]


def notify_pages(work: UnitOfWork, company_id: str) -> None:
    """Sends an event to the pages of the company's administrators, which then refetch the mails."""
    work.platform.live.publish(work.session, [_topic(company_id)], {"type": "export_mails_update"})


def _topic(company_id: str) -> str:
    return f"monthly_mail:{company_id}"
