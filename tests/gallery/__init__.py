"""Resolvers of known character: faulty ones, each with the rules that it breaks, and correct ones.

A member is a class or a factory under `faulty` or `correct`; its module says what kind of fault it
is about. Members are written as adopters write, so none of them imports the suite.
"""
