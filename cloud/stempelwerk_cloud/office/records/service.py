"""The interface of records for other rooms: a person's data for a larger archive, and the retention of times."""

from stempelwerk_cloud.office.records.data import PACKS, Person, steps, switched_off
from stempelwerk_cloud.office.records.page import Sheet
from stempelwerk_cloud.office.records.years import TIMES_YEARS

__all__ = ["PACKS", "TIMES_YEARS", "Person", "Sheet", "steps", "switched_off"]
