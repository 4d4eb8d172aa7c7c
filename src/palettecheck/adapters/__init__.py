"""Hosts of resolvers that other projects ship, ready for `certify --node`."""
