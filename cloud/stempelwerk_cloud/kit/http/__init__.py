"""The web API: routes, problem documents, request bodies, paging, and the layers around every request."""
