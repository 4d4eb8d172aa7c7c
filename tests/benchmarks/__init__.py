"""How fast the suite is, and how soon it finds what is wrong: `python tests/benchmarks`.

A machine is fast or slow, busy or idle; so what is measured is a ratio within one run, and nothing
here is a test that a busy machine could fail.
"""
