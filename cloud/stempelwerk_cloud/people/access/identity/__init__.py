"""Who calls: sessions, remembered devices, second factors, streams."""
