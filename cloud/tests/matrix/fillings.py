"""A valid body and valid path parameters for every call, so that only its declaration can refuse it.

A new call with a body or a new kind of parameter needs a line in its room's `…_calls.py`; the matrix reports it.
"""

from typing import Any

from cloud.tests.matrix import samples
from cloud.tests.matrix.promises import Call, parameters
from cloud.tests.matrix.scene import Scene
from cloud.tests.world import Somebody

_BODIES = samples.all_of("bodies")
_QUERIES = samples.all_of("queries")
_FORMS = samples.all_of("forms")
_UPLOADS = samples.all_of("uploads")
_PARAMETERS = samples.all_of("parameters")


def filled(call: Call, scene: Scene, caller: Somebody | None) -> tuple[str, dict[str, Any]]:
    """The path, and what else a request takes."""
    path = path_of(call, scene, caller)
    if str(call) in _QUERIES:
        form = {"data": _FORMS[str(call)]} if str(call) in _FORMS else {}
        return path, {"params": _QUERIES[str(call)](scene, caller)} | form
    if str(call) in _UPLOADS:
        upload = _UPLOADS[str(call)]
        return path, {"files": {"file": upload(scene, caller) if callable(upload) else upload}}
    if call.route.body_field is None:
        return path, {}
    assert str(call) in _BODIES, f"{call}: say in the room's samples (`bodies`) what a good body of it is."
    return path, {"json": _BODIES[str(call)](scene, caller)}


def path_of(call: Call, scene: Scene, caller: Somebody | None) -> str:
    """Returns the path of a call about an existing row."""
    path = call.path
    segments = path.split("/")
    # From right to left: the last parameter may decide the company of the scene.
    for name in reversed(parameters(path)):
        place = next(number for number, one in enumerate(segments) if one.startswith(f"{{{name}}}"))
        thing = f"{segments[place - 1]}/{{{name}}}"
        filling = _PARAMETERS.get(str(call)) or _PARAMETERS.get(f"{call.method} {thing}") or _PARAMETERS.get(thing)
        assert filling is not None, f"{call}: say in the room's samples (`parameters`) what a good {thing} is."
        path = path.replace(f"{{{name}}}", filling(scene, caller))
    return path
