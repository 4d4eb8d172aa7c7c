"""symfonic-core: targets to certify, and what is known of its versions."""
