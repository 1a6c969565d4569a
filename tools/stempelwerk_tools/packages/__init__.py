"""Makes the installation packages: a Debian package of each program, and an image of the service for containers.

`closure` finds the locked Python packages that a program needs, `program` lays a program with them into a folder as it
will lie under /opt, `debian` and `image` put such a folder into a package and an image. `cloud/deploy` and
`edge/deploy` define what the packages do on a machine (units, users, scripts).
"""
