"""The call of the room `importing`, for the matrix."""

from cloud.tests.matrix.samples import Samples

IMPORT = "POST /api/companies/{id}/users/import"

SAMPLES = Samples(
    who={IMPORT: "company with manage_employees"},
    rates={IMPORT: "30/minute"},
    uploads={IMPORT: ("leute.csv", "Benutzername;Tag-ID;Abteilung\r\nclara;04ABCDEF;Büro\r\n".encode())},
)
