"""What each version's default resolver breaks: the rules with a breach, by target.

R20: it looks an unhashable `.name` up in a set, and `TypeError` escapes.
"""

BREAKS = {
    "9.12.0": {
        "one_role": {"R20"},
        "two_roles": {"R20"},
        "a_void_role": {"R20"},
        "a_wide_role": {"R20"},
        "no_role": set[str](),
    },
}
