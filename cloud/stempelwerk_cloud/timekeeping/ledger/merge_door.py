"""The additional interface of entries for `stamps` and `device_api` only: how arriving stamps become entries.

Stamps are placed with the inputs of a company's derivation (`derivation_inputs`); then the affected people are derived
again (`derivation`). `presence` is the list of people that a clock stores.
"""

from stempelwerk_cloud.timekeeping.ledger.deriving import derivation, derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation import Change, Person, merge_change, refresh
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.ledger.deriving.queries import (
    STRETCHES,
    StatusChange,
    everybody,
    note_change,
    note_figures,
    write_statuses,
)
from stempelwerk_cloud.timekeeping.ledger.deriving.queries import decode_stretches as stretches_found
from stempelwerk_cloud.timekeeping.ledger.deriving.queries import stretch_parameters as stretches_wanted
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import (
    LAST_MS,
    EntriesWanted,
    EntryRow,
    NotRemembered,
    StampRow,
    StampsWanted,
    StreamFacts,
    numbers,
)
from stempelwerk_cloud.timekeeping.ledger.deriving.rows import existing_numbers as numbers_known
from stempelwerk_cloud.timekeeping.ledger.deriving.stretch import REACHES_MS

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
    "refresh",
    "stretches_found",
    "stretches_wanted",
    "write_statuses",
]
