"""The nightly search for people who missed their duty."""
