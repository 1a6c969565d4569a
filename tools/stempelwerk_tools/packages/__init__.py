"""Makes what is installed: a Debian package of each program, and an image of the service for containers.

`closure` says which of the locked Python packages a program needs, `program` lays a program with them into a folder
as it will lie under /opt, `debian` and `image` put such a folder into a package and an image. What the packages do on a
machine (units, users, scripts) stands in `cloud/deploy` and `edge/deploy`.
"""
