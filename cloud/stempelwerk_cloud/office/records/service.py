"""What other rooms ask of records: a person's data in a larger archive, how long times are kept, and since when."""

from stempelwerk_cloud.office.records.data import Person, written_into
from stempelwerk_cloud.office.records.settings import TIMES_YEARS
from stempelwerk_cloud.office.records.years import kept_from

__all__ = ["TIMES_YEARS", "Person", "kept_from", "written_into"]
