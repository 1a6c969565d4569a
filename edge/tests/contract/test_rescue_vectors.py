"""The vectors of what a clock sends of another card's journal, on a real journal of each."""

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from stempelwerk_edge.ports import Database
from stempelwerk_edge.storage import rescue, salvage, schema
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.outbox import Cut, Outbox
from stempelwerk_edge.storage.rows import SEQ_BITS

from edge.tests.clockwork import TestIds, TestLog, draft
from edge.tests.contract.test_vectors import vectors


def write_card(path: Path, epochs: list[dict[str, Any]]) -> None:
    """A card's journal as the vector has it."""
    path.unlink(missing_ok=True)
    with closing(schema.open_file(path, connect_sqlite)) as database:
        for number, epoch in enumerate(epochs, 1):
            previous = epoch["previous"] or {"epoch": None, "lastSeq": 0}
            values = (number, epoch["epoch"], previous["epoch"], previous["lastSeq"], epoch["removedTo"])
            database.execute("INSERT INTO epochs VALUES (?, ?, ?, ?, ?)", values)
            for stamp in epoch["stamps"]:
                row = number << SEQ_BITS | stamp["seq"]
                content = (row, uuid_of(stamp["id"]), None, "04A1B2C3", "auto", 0, "boot-1", 0, "ntp", "reader", None)
                database.execute("INSERT INTO stamps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", content)
                if stamp["seq"] in epoch["delivered"]:
                    database.execute("INSERT INTO marks VALUES (?, 'stored', NULL, 0)", (row,))


def uuid_of(name: str) -> str:
    """The id that stands for a name like `stamp-a`."""
    return f"01927b5e-8c41-7e2a-9d55-{name.encode().hex()[-12:]:0>12}"


def rescued(journal: Journal, path: Path, epochs: list[dict[str, Any]], ids: TestIds) -> None:
    write_card(path, epochs)
    contents = salvage.read(path, connect_sqlite)
    journal.write(lambda database: rescue.take(database, contents, ids.new))


def as_sent(cut: Cut) -> dict[str, Any]:
    previous = None
    if cut.epoch.previous is not None:
        previous = {"epoch": cut.epoch.previous, "lastSeq": cut.epoch.previous_last_seq}
    return {
        "epoch": cut.epoch.id,
        "previous": previous,
        "gone": [list(lost) for lost in cut.lost_ranges],
        "stamps": [{"seq": row.seq, "id": row.draft.id} for row in cut.rows],
    }


def queue(journal: Journal) -> list[dict[str, Any]]:
    """Returns the batches that would be sent."""
    sent, outbox = [], Outbox(journal)

    def delivered(database: Database, cut: Cut) -> None:
        for row in cut.rows:
            database.execute("INSERT INTO marks VALUES (?, 'stored', NULL, 0)", (row.row,))
        database.execute("UPDATE gone SET told = 1 WHERE epoch = ?", (cut.epoch.number,))

    while (cut := outbox.cut(500)) is not None:
        sent.append(as_sent(cut))
        journal.write(partial(delivered, cut=cut))
    return sent


@vectors("rescue_on_clock")
def test_the_old_cards_rows_go_as_they_are_and_before_the_clocks_own(
    given: dict[str, Any], expected: dict[str, Any], tmp_path: Path
) -> None:
    ids = TestIds()
    journal = Journal(tmp_path, ids, TestLog(), reserve_bytes=4096)
    journal.open()
    own_ids = [journal.append(draft(uuid_of(stamp["id"]))).draft.id for stamp in given["own"]]
    for epochs in (given.get("before", []), given["card"]):
        rescued(journal, tmp_path / "old.db", epochs, ids)
    journal.close()
    journal = Journal(tmp_path, ids, TestLog(), reserve_bytes=4096)
    with closing(journal):
        sent = queue(journal)
    rescued_batches = [
        {**batch, "stamps": [{**stamp, "id": uuid_of(stamp["id"])} for stamp in batch["stamps"]]}
        for batch in expected["sent"]
    ]
    assert sent[: len(rescued_batches)] == rescued_batches
    assert [stamp["id"] for batch in sent[len(rescued_batches) :] for stamp in batch["stamps"]] == own_ids
