"""The clock and the cloud: signed messages, deliveries, heartbeats, and what the clock is there."""
