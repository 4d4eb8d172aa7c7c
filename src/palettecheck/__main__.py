"""`python -m palettecheck` is the command."""

from palettecheck.cli import main

main()
