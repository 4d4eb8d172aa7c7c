"""How a certificate, and a rule, are put before a person or a program."""
