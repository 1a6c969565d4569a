"""Makes, signs and publishes releases of the clock's program (`docs/contract/v1/update.md`).

`keys` are files, each encrypted; `repository` is the folder with everything signed, and signs; `build` makes the wheels
of a version; `cloud` hands in what is new; `rehearsal` tries all of it on this machine.
"""
