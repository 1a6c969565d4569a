"""New releases: unpacked, checked, published."""
