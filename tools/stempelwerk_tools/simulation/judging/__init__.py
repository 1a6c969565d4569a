"""Whether a simulated world came to rest as it must."""
