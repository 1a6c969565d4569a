"""Bodies of the import."""

from datetime import date

from stempelwerk_cloud.kit.http.schemas import Wire
from stempelwerk_cloud.people.directory.service import Role


class ImportedRow(Wire):
    """A line by its number in the table (the head's is 1), its username as written there, and its errors.

    The other fields are the person's values, or the would-be values if they could be read.
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
    """`password` is returned this once, if no password was given; it only permits the choice of another one, for 14
    days.
    """

    user_id: str
    username: str
    password: str | None


class Imported(Wire):
    """`created` is empty on a dry run."""

    rows: list[ImportedRow]
    created: list[CreatedUser]
