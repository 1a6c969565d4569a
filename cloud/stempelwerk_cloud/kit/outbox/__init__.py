"""What is to be done beside the database once a transaction is committed: mail, push. It is durable, and gets done.

`add` writes a thing to do in the transaction of its effect, so that both happen or neither. A room declares what it can
do (`Room.tasks`): a `Task` runs outside of any transaction, and may open its own. One that raises is tried again later,
with growing pauses; `Later` says that this was to be expected, or when, `GivesUp` that there is no use. One whose
process dies is done again once its lease is over: a task may run twice, one after the other and never at once, so that
what it does is to be recognised by its id (a mail by its Message-ID). Rows of one kind, company and `together` that
wait are done as one.

A task ends by itself: it sets a deadline to whatever it waits for. Deliberately absent: an order among the rows.
"""

from stempelwerk_cloud.kit.outbox.loop import once, run
from stempelwerk_cloud.kit.outbox.queue import add, failed, is_coming, waiting
from stempelwerk_cloud.kit.outbox.tables import OutboxRow
from stempelwerk_cloud.kit.outbox.tasks import GivesUp, Later, Outbox, Task

__all__ = [
    "GivesUp",
    "Later",
    "Outbox",
    "OutboxRow",
    "Task",
    "add",
    "failed",
    "is_coming",
    "once",
    "run",
    "waiting",
]
