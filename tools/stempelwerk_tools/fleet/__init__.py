"""A fleet of clocks before a running cloud: the real agent, once for each, in one process."""
