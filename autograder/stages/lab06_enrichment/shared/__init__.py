"""The cache in Redis that workers share: SharedCache."""
