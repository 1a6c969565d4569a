"""The identity of callers: sessions, remembered devices, second factors, streams."""
