"""Topics of live events, and who hears which.

Whom a topic is for stands in its name: `word:company:person` for one person, `word:company` for those of a company's
people whom a room lets hear it. What rooms name is held to that, so that no slip of a room tells anything to others.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from sqlalchemy.orm import Session


class Hearer(Protocol):
    """Whoever listens, as far as the kit needs to know them: a person with a session."""

    @property
    def user_id(self) -> str: ...

    @property
    def company_id(self) -> str: ...

    @property
    def role(self) -> str: ...


Hears = Callable[[Session, Hearer], Sequence[str]]
"""(session, hearer) -> the topics of a room that they hear now. The session shows the hearer's own company."""


def heard_by(rooms: Iterable[Hears], session: Session, hearer: Hearer) -> tuple[str, ...]:
    """All that they hear, each topic once. A topic that is not for them is a mistake of its room: ValueError."""
    topics = dict.fromkeys(topic for hears in rooms for topic in hears(session, hearer))
    for topic in topics:
        if not _is_for(topic, hearer):
            raise ValueError(f"{topic} is not for {hearer.user_id} of {hearer.company_id}")
    return tuple(topics)


def _is_for(topic: str, hearer: Hearer) -> bool:
    _, *whose = topic.split(":")
    return whose in ([hearer.company_id], [hearer.company_id, hearer.user_id])
