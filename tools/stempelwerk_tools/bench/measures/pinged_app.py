"""The service with one call more, which checks a clock's signature and does nothing: started by `heartbeats`.

It is the cost of a signed request without the database.
"""

import sys

from fastapi import APIRouter, Response
from stempelwerk_cloud import app, serving
from stempelwerk_cloud.device_api.signed import gate
from stempelwerk_cloud.device_api.signed.gate import FromClock

PATH = "/api/devices/ping"


async def ping(arrived: FromClock) -> Response:
    """Checks the signature, and nothing else."""
    gate.authenticate(*arrived)
    return Response(b"{}", media_type="application/json")


if __name__ == "__main__":
    router = APIRouter()
    router.add_api_route(PATH, ping, methods=["POST"])
    app.CALLS["device_api"] += router.routes
    serving.serve(serving.bind(serving.Address("127.0.0.1", int(sys.argv[1]))), None)
