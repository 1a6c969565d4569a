"""The device registry: identities, assignments with their history, leases, heartbeats."""
