"""What is measured side by side: the product, its peers, and what the parts themselves can do."""
