"""The calls of the room `privacy`, for the matrix."""

from cloud.tests.matrix.samples import Samples

_PAPER = "GET /api/companies/{id}/documents/{name}.pdf"

SAMPLES = Samples(
    who={
        "GET /api/companies/{id}/privacy-consent": "company with privacy",
        "PUT /api/companies/{id}/privacy-consent": "companyAdmin with privacy",
        _PAPER: "company with privacy",
    },
    rates={_PAPER: "30/minute"},
    bodies={"PUT /api/companies/{id}/privacy-consent": lambda _scene, _: {"accepted": True, "version": "v1.0"}},
    parameters={"documents/{name}": lambda _scene, _: "verfahrensdokumentation"},
)
