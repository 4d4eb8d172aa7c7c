"""Real hosts and their resolvers, as recipes that an adopter could copy."""
