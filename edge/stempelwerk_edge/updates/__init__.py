"""New versions of the clock's program: fetched, judged and unpacked by a user of their own, tried, and kept or left.

`launcher` starts whichever version is right and counts the tries; the package installs it as a separate file. `trust`
is the reference client of TUF. `fetching` is the agent's part, `slots` the other user's, who writes what the agent runs
and trusts no statement of the agent. `window` decides when a clock may go over, `health` whether a new version works;
`loop` is what the agent does of all this. `launcher.Places` has the paths.
"""
