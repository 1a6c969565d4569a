"""The service of the composed limit: started by `limits`, with the database's URL in COMPOSED_URL. Not a product."""

from __future__ import annotations

import os
from typing import Any

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from sqlalchemy import create_engine

from stempelwerk_tools.bench.sides.merge import MERGE, columns

app = FastAPI()
_engine = create_engine(os.environ["COMPOSED_URL"], pool_size=20)


def _merge(stamps: list[dict[str, Any]]) -> set[str]:
    with _engine.begin() as connection:
        rows = connection.exec_driver_sql(MERGE, columns(stamps)).all()
    return {str(row[0]) for row in rows}


@app.post("/merge")
async def merge(request: Request) -> dict[str, Any]:
    """Merges a batch, commits, and returns for each stamp whether it was new."""
    stamps = (await request.json())["stamps"]
    new = await run_in_threadpool(_merge, stamps)
    return {
        "results": [{"id": stamp["id"], "outcome": "stored" if stamp["id"] in new else "duplicate"} for stamp in stamps]
    }
