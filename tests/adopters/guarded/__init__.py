"""A guard around a policy, in a real agent, for copying."""
