"""The clock's side of the cloud: signed messages, deliveries, heartbeats and membership."""
