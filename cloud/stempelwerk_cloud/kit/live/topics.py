"""Topics of live events, and who hears which.

Whom a topic is for stands in its name: `word:company:person` for one person, `word:company` for those of a company's
people whom a room lets hear it. What rooms name is held to that, so that no slip of a room tells anything to others.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol


class Subscriber(Protocol):
    """Whoever listens, as far as the kit needs to know them: a person with a session."""

    @property
    def user_id(self) -> str: ...

    @property
    def company_id(self) -> str: ...

    @property
    def role(self) -> str: ...


TopicResolver = Callable[[Subscriber, Collection[str]], Sequence[str]]
"""(hearer, modules of the hearer's company) -> the topics of a room that they hear."""


def heard_by(rooms: Iterable[TopicResolver], hearer: Subscriber, modules: Collection[str]) -> tuple[str, ...]:
    """All that they hear, each topic once. A topic that is not for them is a mistake of its room: ValueError."""
    topics = dict.fromkeys(topic for hears in rooms for topic in hears(hearer, modules))
    for topic in topics:
        if not _is_for(topic, hearer):
            raise ValueError(f"{topic} is not for {hearer.user_id} of {hearer.company_id}")
    return tuple(topics)


def _is_for(topic: str, hearer: Subscriber) -> bool:
    _, *whose = topic.split(":")
    return whose in ([hearer.company_id], [hearer.company_id, hearer.user_id])
