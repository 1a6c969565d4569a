"""The additional interface of entries for `stamps` and `device_api` only: how arriving stamps become entries.

Stamps are placed with the inputs of a company's derivation (`derivation_inputs`); then the affected people are derived
again (`derivation`). `presence` is the list of people that a clock stores.
"""

from stempelwerk_cloud.timekeeping.entries import presence
from stempelwerk_cloud.timekeeping.entries.deriving import derivation, derivation_inputs
from stempelwerk_cloud.timekeeping.entries.deriving.derivation import Change, Person, merge_change, refresh
from stempelwerk_cloud.timekeeping.entries.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.entries.deriving.numbers import NotRemembered, numbers
from stempelwerk_cloud.timekeeping.entries.deriving.numbers import existing_numbers as numbers_known
from stempelwerk_cloud.timekeeping.entries.deriving.rows import (
    LAST_MS,
    EntriesWanted,
    EntryRow,
    StampRow,
    StampsWanted,
    StreamFacts,
)
from stempelwerk_cloud.timekeeping.entries.deriving.stretch import REACHES_MS
from stempelwerk_cloud.timekeeping.entries.repository import (
    STRETCHES,
    StatusChange,
    everybody,
    note_change,
    note_figures,
    write_statuses,
)
from stempelwerk_cloud.timekeeping.entries.repository import decode_stretches as stretches_found
from stempelwerk_cloud.timekeeping.entries.repository import stretch_parameters as stretches_wanted

__all__ = [
    "LAST_MS",
    "REACHES_MS",
    "STRETCHES",
    "Change",
    "DerivationInputs",
    "EntriesWanted",
    "EntryRow",
    "NotRemembered",
    "Person",
    "StampRow",
    "StampsWanted",
    "StatusChange",
    "StreamFacts",
    "derivation",
    "derivation_inputs",
    "everybody",
    "merge_change",
    "note_change",
    "note_figures",
    "numbers",
    "numbers_known",
    "presence",
    "refresh",
    "stretches_found",
    "stretches_wanted",
    "write_statuses",
]
