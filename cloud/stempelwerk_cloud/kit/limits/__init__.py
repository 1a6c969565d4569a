"""Limits on callers, one module for each mechanism. Other modules name a policy: the figures and the keys.

A key names a person, a company, a device, or the network of an address. It never names a session, a token or the path
as it was spelled. `docs/decisions/0029-limits.md` lists every limit with its scope.

- `rates`: sliding windows, of a process or of the installation, and token buckets, of a process.
- `backoff`: pauses after failures, by any key, for the installation.
- `fair_semaphore`: requests at once, by person, company or address, on an event loop.
- `bulkheads`: threads of a kind of work, of a process.
- `machine_semaphore`: work at once, by any key, on a machine.
- `connections`: open connections by address, of a process.
"""
