"""Bodies of the import."""

from datetime import date

from stempelwerk_cloud.kit.http.schemas import Wire
from stempelwerk_cloud.people.directory.service import Role


class ImportedRow(Wire):
    """A line by its number in the table (the head's is 1), whom it names as it stands there, what is wrong with it.

    The rest is what the person has, or would have, as far as it could be read.
    """

    line: int
    username: str
    errors: list[str]
    tag_id: str | None = None
    role: Role | None = None
    personnel_number: str | None = None
    department: str | None = None
    entry_date: date | None = None
    weekly_target_minutes: int | None = None


class CreatedUser(Wire):
    """`password` is told this once, where none was given; it opens nothing but the choice of another, for 14 days."""

    user_id: str
    username: str
    password: str | None


class Imported(Wire):
    """`created` is empty on a dry run."""

    rows: list[ImportedRow]
    created: list[CreatedUser]
