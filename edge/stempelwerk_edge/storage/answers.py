"""People's answers on the screen about a missing Gehen, until the cloud has them and some time longer.

A person's answer is written down before the screen confirms it, and stays until the cloud has its outcome; then it is
kept as long as delivered stamps are, and sent again together with them (`replay` in `outbox.py`).
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from stempelwerk_edge.cloud.delivery import lacks_answers
from stempelwerk_edge.cloud.wire import AnswersTaken
from stempelwerk_edge.machine.clock import from_ms, to_ms
from stempelwerk_edge.ports import Database
from stempelwerk_edge.storage.clock_state import RETENTION, get, is_instant, put
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.rows import GoneAnswer

MARK = "answers_mark"


class Answers:
    """The answers in a journal. Raises JournalError; thread-safe as the journal is."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._generation = journal.generation
        self._rows: dict[str, int | None] = {}  # of the stamps that answers are about: found once, they never change

    def add(self, answer: GoneAnswer) -> None:
        """Stores a person's answer."""
        values = (answer.id, answer.stamp_id, answer.date, answer.new_end, to_ms(answer.at))
        self._journal.write(lambda database: database.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", values))

    def to_send(self, limit: int, avoid: Collection[str] = ()) -> list[GoneAnswer]:
        """Returns the oldest answers without a final outcome whose stamp the cloud has; leaves out the ids in
        `avoid`.
        """

        def work(database: Database) -> list[GoneAnswer]:
            answers: list[GoneAnswer] = []
            for identifier, stamp_id, date, new_end, at_ms in list(
                database.execute(
                    "SELECT id, stamp_id, date, new_end, at FROM answers"
                    " WHERE NOT EXISTS (SELECT 1 FROM answered WHERE answered.id = answers.id) ORDER BY at, id"
                )
            ):
                if len(answers) == limit:
                    break
                if identifier not in avoid and is_instant(at_ms) and not self._is_waiting(database, stamp_id):
                    answers.append(GoneAnswer(identifier, stamp_id, date, new_end, from_ms(at_ms)))
            return answers

        return self._journal.read(work)

    def _is_waiting(self, database: Database, stamp_id: str) -> bool:
        """Returns whether a stamp is not delivered yet. A stamp that the journal no longer holds was delivered long
        ago.
        """
        if self._generation != self._journal.generation:
            self._generation = self._journal.generation
            self._rows.clear()
        if stamp_id not in self._rows:
            # Newest first: it is among the last stamps as a rule, and the table has no index by name.
            newest_first = "SELECT row FROM stamps WHERE id = ? ORDER BY row DESC LIMIT 1"
            rows = list(database.execute(newest_first, (stamp_id,)))
            self._rows[stamp_id] = rows[0][0] if rows else None
        row = self._rows[stamp_id]
        return row is not None and bool(list(database.execute("SELECT 1 FROM waiting WHERE row = ?", (row,))))

    def mark(self) -> str | None:
        """Returns the mark that the cloud gave when it last settled answers; None without one."""
        return self._journal.read(lambda database: get(database, MARK))

    def settle(self, response: AnswersTaken, now: datetime) -> None:
        """Stores the outcomes of answers, so that they are not sent again unless the cloud may have lost them.

        The stored mark covers all settled answers. If the cloud had another mark before this request, it may lack
        earlier ones: then only the outcomes of this response count as settled.
        """

        def work(database: Database) -> None:
            if lacks_answers(get(database, MARK), response.mark_before):
                database.execute("DELETE FROM answered")
            for identifier, result in response.results.items():
                values = (identifier, result.outcome, result.code, to_ms(now))
                database.execute("INSERT OR REPLACE INTO answered VALUES (?, ?, ?, ?)", values)
            if response.mark is None:
                database.execute("DELETE FROM meta WHERE name = ?", (MARK,))
            else:
                put(database, MARK, response.mark)

        if response.results:
            self._journal.write(work)

    def send_again(self, held_mark: str | None, mark: str) -> None:
        """Makes all answers unsettled and stores the cloud's new `mark`; does nothing if `held_mark` is not the stored
        one.
        """

        def work(database: Database) -> None:
            if get(database, MARK) == held_mark:
                database.execute("DELETE FROM answered")
                put(database, MARK, mark)

        self._journal.write(work)

    def forget(self, now: datetime, keep: timedelta = RETENTION) -> None:
        """Deletes answers that were settled longer than `keep` ago."""
        cutoff = (to_ms(now - keep),)

        def work(database: Database) -> None:
            database.execute("DELETE FROM answers WHERE id IN (SELECT id FROM answered WHERE at < ?)", cutoff)
            database.execute("DELETE FROM answered WHERE at < ?", cutoff)

        self._journal.write(work)
        self._rows.clear()
