"""What other rooms ask of records: a person's data in a larger archive, and how long times are kept."""

from stempelwerk_cloud.office.records.data import PACKS, Person, steps, switched_off
from stempelwerk_cloud.office.records.page import Sheet
from stempelwerk_cloud.office.records.settings import TIMES_YEARS

__all__ = ["PACKS", "TIMES_YEARS", "Person", "Sheet", "steps", "switched_off"]
