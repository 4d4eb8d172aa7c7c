"""What is behind the pytest items: the subjects that are called, the item that tells, the names."""
