"""The sides of the measurement: the product, its peers, and the limits of the parts themselves."""
