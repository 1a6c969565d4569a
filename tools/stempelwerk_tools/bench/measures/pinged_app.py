"""The service with one more call, which only verifies a clock's signature: started by `heartbeats`.

Its cost is that of a signed request without the database.
"""

import sys

from fastapi import APIRouter, Response
from stempelwerk_cloud import app, serving
from stempelwerk_cloud.device_api.signed import gate
from stempelwerk_cloud.device_api.signed.gate import FromClock

PATH = "/api/devices/ping"


async def ping(arrived: FromClock) -> Response:
    """Answers a request whose signature has been verified, and does nothing else."""
    gate.authenticate(*arrived)
    return Response(b"{}", media_type="application/json")


if __name__ == "__main__":
    router = APIRouter()
    router.add_api_route(PATH, ping, methods=["POST"])
    app.CALLS["device_api"] += router.routes
    serving.serve(serving.bind(serving.Address("127.0.0.1", int(sys.argv[1]))), None)
