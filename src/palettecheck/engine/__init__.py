"""Calling a subject, watching it, judging it, and finding the least that shows a fault."""
