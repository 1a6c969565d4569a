"""Transactional outbox: tasks outside of the database, such as mail and push, that run after a commit. It is durable:
every task is done.

`add` writes a row in the transaction of its effect, so that both happen or neither. A room declares its tasks
(`Room.tasks`): a `Task` runs outside of any transaction, and may open its own. One that raises is tried again later,
with growing pauses; `RetryLater` marks an expected failure, and may set the pause, `PermanentFailure` a permanent one.
A task whose process dies is done again after its lease: it may run twice, one after the other and never at once, so its
effect must be recognisable by its id (a mail by its Message-ID). Waiting rows of one kind, company and `together` are
done as one.

A task must end: it sets a deadline for everything it waits for. Deliberately absent: an order among the rows.
"""

from stempelwerk_cloud.kit.outbox.loop import once, run
from stempelwerk_cloud.kit.outbox.queue import add, failed, is_pending, waiting
from stempelwerk_cloud.kit.outbox.tables import OutboxRow
from stempelwerk_cloud.kit.outbox.tasks import PermanentFailure, RetryLater, Task

__all__ = [
    "OutboxRow",
    "PermanentFailure",
    "RetryLater",
    "Task",
    "add",
    "failed",
    "is_pending",
    "once",
    "run",
    "waiting",
]
