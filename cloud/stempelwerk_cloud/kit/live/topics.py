"""Topics of live events, and who may subscribe to which.

A topic's name contains its audience: `word:company:person` for one person, `word:company` for the people of a company
that a room admits. `heard_by` checks the topics of all rooms against this, so that a room's mistake reveals nothing to
others.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol


class Subscriber(Protocol):
    """A person with a session who subscribes to live events, with the attributes that the kit needs."""

    @property
    def user_id(self) -> str: ...

    @property
    def company_id(self) -> str: ...

    @property
    def role(self) -> str: ...


TopicResolver = Callable[[Subscriber, Collection[str]], Sequence[str]]
"""(subscriber, modules of the subscriber's company) -> the topics of one room that the subscriber receives."""


def heard_by(rooms: Iterable[TopicResolver], hearer: Subscriber, modules: Collection[str]) -> tuple[str, ...]:
    """Returns the topics of all rooms for a subscriber, each once. Raises ValueError for a topic that is not for them:
    a mistake of its room.
    """
    topics = dict.fromkeys(topic for hears in rooms for topic in hears(hearer, modules))
    for topic in topics:
        if not _is_for(topic, hearer):
            raise ValueError(f"{topic} is not for {hearer.user_id} of {hearer.company_id}")
    return tuple(topics)


def _is_for(topic: str, hearer: Subscriber) -> bool:
    _, *whose = topic.split(":")
    return whose in ([hearer.company_id], [hearer.company_id, hearer.user_id])
