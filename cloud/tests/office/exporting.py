"""What tests of exports have in common."""

from stempelwerk_cloud.office.exports import content
from stempelwerk_cloud.office.exports.tables import Export

from cloud.tests.room import given
from cloud.tests.world import Somebody


def an_export(boss: Somebody, month: str = "2026-10") -> str:
    """A file that somebody of the company has made of an empty month; its id."""
    told, state = content.packed(content.Month(month, "Firma", ()))
    made = {"content": b"file", "digest": b"digest", "told": told, "state": state, "inputs": b"inputs"}
    return given(
        boss, Export, month=month, format="csv", progress="done", done=0, total=0, keep_until="2032-12-31", **made
    )
