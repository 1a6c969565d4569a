"""JSON answers of the import."""

from datetime import date

from stempelwerk_cloud.kit.http.schemas import Wire
from stempelwerk_cloud.people.directory.service import Role


class ImportedRow(Wire):
    """A line with its number in the table (that of the head is 1), the username as it was typed, and its errors.

    The other fields are the person's values; null for those that could not be read.
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
    """A new person. `password`: the generated one, unless the table had a password; it is returned only in this answer.

    It only permits choosing another password, within 14 days.
    """

    user_id: str
    username: str
    password: str | None


class Imported(Wire):
    """The result of an import: its lines, and the new people; on a dry run there are no new people."""

    rows: list[ImportedRow]
    created: list[CreatedUser]
