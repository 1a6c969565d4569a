"""How system administrators' open pages hear that the registry has changed."""

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.live.topics import Hearer
from stempelwerk_cloud.people.directory.service import ADMIN
from stempelwerk_cloud.people.work import Work

TOPIC = "fleet"


def hears(session: Session, hearer: Hearer) -> list[str]:
    """System administrators hear of every clock."""
    return [TOPIC] if hearer.role == ADMIN else []


def refresh_pages(work: Work) -> None:
    """Pages that show clocks load them anew, once this is committed."""
    work.platform.live.publish(work.session, [TOPIC], {"type": "fleet_update"})
