"""`python tests/benchmarks`, from anywhere: measures the checkout that this file is part of."""

from __future__ import annotations

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_TESTS, _ROOT = _HERE.parent, _HERE.parents[1]
# Another checkout may be the installed one, and in here are modules called as others elsewhere.
_OURS = [str(folder) for folder in (_TESTS, _ROOT / "src", _ROOT / "reference")]

if __name__ == "__main__":
    sys.path[:] = [*_OURS, *(entry for entry in sys.path if Path(entry).resolve() != _HERE)]

    from benchmarks.cli import main

    main()
