"""The web API: calls, refusals, bodies, lists, and what stands around every request."""
