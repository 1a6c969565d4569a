"""Bodies of the notes' calls."""

from pydantic import Field

from stempelwerk_cloud.kit.http.schemas import DayField, Wire
from stempelwerk_cloud.planning.notes.tables import TEXT_LIMIT


class NoteRow(Wire):
    id: str
    date: DayField
    text: str


class NewNote(Wire):
    date: DayField
    text: str = Field(max_length=TEXT_LIMIT)
