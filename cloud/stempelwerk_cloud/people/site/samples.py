"""Samples for the public pages where the operator has set nothing: obviously samples, and marked as such."""

COUNTRY = "Deutschland"
"""No sample: the pages are for this country's law."""

SAMPLES = {
    "name": "Stempelwerk (in Gründung)",
    "represented": "Erika Mustermann",
    "street": "Musterstraße 1",
    "city": "12345 Musterstadt",
    "email": "kontakt@stempelwerk.example",
    "phone": "+49 30 0000000",
    "register_entry": "wird ergänzt",
    "vat_id": "wird ergänzt",
    "host": "Muster-Rechenzentrum, 12345 Musterstadt",
    "authority": "die Datenschutzaufsicht des Bundeslandes (wird ergänzt)",
}
