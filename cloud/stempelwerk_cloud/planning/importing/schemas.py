"""Bodies of the import."""

from stempelwerk_cloud.kit.http.schemas import Wire


class ImportedRow(Wire):
    """A line by its number in the table (the head's is 1), whom it names as it stands there, what is wrong with it."""

    line: int
    username: str
    errors: list[str]


class CreatedUser(Wire):
    """`password` is told this once, where none was given; it opens nothing but the choice of another, for 14 days."""

    user_id: str
    username: str
    password: str | None


class Imported(Wire):
    """`created` is empty on a dry run."""

    rows: list[ImportedRow]
    created: list[CreatedUser]
