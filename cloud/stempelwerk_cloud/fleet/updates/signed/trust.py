"""Verification of signed files as clocks do it, with `TrustedMetadataSet` of the reference client (python-tuf). Pure,
except that it keeps the accepted files.

`_check_contract` adds rules of our contract that go beyond TUF.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from tuf.api.exceptions import ExpiredMetadataError, RepositoryError
from tuf.api.metadata import DelegatedRole, Key, Metadata, Root, Targets

from stempelwerk_cloud.fleet.updates import words
from stempelwerk_cloud.fleet.updates.signed.keys import ED25519
from stempelwerk_cloud.fleet.updates.signed.signing import OnlineFiles

CHANNELS = ("stable", "beta")
MIN_ROOT_KEYS = 2

BundleFiles = Mapping[tuple[str, int], bytes]


class Trusted:
    """The state of a client that has accepted a root and, after it, further files."""

    def __init__(self, root: bytes, now: datetime) -> None:
        """Trusts `root` if it is signed with its own keys. Raises 422."""
        # The client's package imports its HTTP client, 50 ms that no start waits for.
        from tuf.ngclient._internal.trusted_metadata_set import TrustedMetadataSet  # noqa: PLC0415
        from tuf.ngclient.config import EnvelopeType  # noqa: PLC0415

        with _refuse_untrusted():
            self._set = TrustedMetadataSet(root, EnvelopeType.METADATA)
        self._set.reference_time = now

    @property
    def root(self) -> Root:
        return self._set.root

    def follow(self, bundle_files: BundleFiles) -> dict[int, bytes]:
        """Accepts the roots of the bundle that follow the current one, and returns them by version number.

        Each must be signed by the threshold of its own keys and of the previous root's keys. Raises 422 for a bad
        signature or a missing version in between.
        """
        new: dict[int, bytes] = {}
        while (root := bundle_files.get((Root.type, self.root.version + 1))) is not None:
            with _refuse_untrusted():
                self._set.update_root(root)
            new[self.root.version] = root
        if any(role == Root.type and version > self.root.version for role, version in bundle_files):
            raise words.missing(f"{self.root.version + 1}.root.json")
        return new

    def accept(self, online: OnlineFiles, files: Mapping[str, bytes], new: set[str]) -> dict[str, Targets]:
        """Returns the signed targets of each channel, verified as a clock with this root does it. Raises 422 for files
        that a clock would refuse.

        `new`: the roles whose files this bundle brings. A channel outside of it may have expired; it is then left out,
        so that it does not prevent publishing in the other channel.
        """
        with _refuse_untrusted():
            self._set.update_timestamp(online.timestamp)
            self._set.update_snapshot(online.snapshot)
            targets = self._set.update_targets(files[Targets.type])
        _check_contract(self.root, targets)
        accepted = {}
        for channel in CHANNELS:
            with _refuse_untrusted():
                try:
                    signed = self._set.update_delegated_targets(files[channel], channel, Targets.type)
                except ExpiredMetadataError:
                    if channel in new:
                        raise
                    continue
            if signed.delegations is not None:
                raise words.delegates(channel)
            accepted[channel] = signed
        return accepted


def version_of(signed: bytes) -> int:
    """Returns the version number inside a signed file. Raises 422 if the file is unreadable."""
    with _refuse_untrusted():
        version: int = Metadata.from_bytes(signed).signed.version
    return version


@contextmanager
def _refuse_untrusted() -> Iterator[None]:
    try:
        yield
    except RepositoryError as wrong:
        raise words.not_trusted(str(wrong)) from None


def _check_contract(root: Root, targets: Targets) -> None:
    """Checks rules of our contract for publishers that clocks do not check. Raises 422."""
    delegations = targets.delegations
    roles: Mapping[str, DelegatedRole] = (delegations and delegations.roles) or {}
    keys: list[Key] = [*root.keys.values(), *(delegations.keys.values() if delegations else ())]
    if any((key.keytype, key.scheme) != (ED25519, ED25519) for key in keys):
        raise words.other_keys()
    if root.roles[Root.type].threshold < MIN_ROOT_KEYS:
        raise words.one_signature()
    if root.consistent_snapshot is not True:
        raise words.names_without_version()
    if targets.targets or roles.keys() != set(CHANNELS):
        raise words.other_targets()
    for channel, role in roles.items():
        if role.paths != [f"{channel}/*"] or not role.terminating:
            raise words.other_paths(channel)
