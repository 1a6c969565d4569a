"""What other rooms ask of records: a person's data in a larger archive, and how long times are kept."""

from stempelwerk_cloud.office.records.data import Person, written_into
from stempelwerk_cloud.office.records.settings import TIMES_YEARS

__all__ = ["TIMES_YEARS", "Person", "written_into"]
