"""A state that remembers whether anyone looked at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_LOOKING = (
    "__contains__ __delitem__ __eq__ __getitem__ __ior__ __iter__ __len__ __or__ __repr__ "
    "__reversed__ __ror__ __setitem__ clear copy get items keys pop popitem setdefault update "
    "values"
)


class RecordingState(dict[str, Any]):
    """A dict that sets `touched` when it is read or written."""

    touched = False


def _recording(name: str) -> Callable[..., Any]:
    plain = getattr(dict, name)

    def method(self: RecordingState, *args: Any, **named: Any) -> Any:
        self.touched = True
        return plain(self, *args, **named)

    return method


for _name in _LOOKING.split(" "):
    setattr(RecordingState, _name, _recording(_name))
