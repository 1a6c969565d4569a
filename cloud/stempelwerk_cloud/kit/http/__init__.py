"""The web API: calls, refusals, bodies, lists, and the layers around every request."""
