"""merels: the tablebases of Merels from Python, over libmerels and the standard library alone.

    import merels
    with merels.Tablebase("nine", "/data/nine") as base:
        position = base.parse("w a7,g7,g4 d7,g1,d1 0/0")
        print(base.probe(position))
        for ply in base.rank(position):
            print(ply.text, ply.value, ply.plies)

The directory may hold tables of edition dtm or wdl, or it is a file of edition compact. The library is
the one named by $MERELS_LIBRARY, else the one that the system finds as libmerels. query/merels.h says
what each call does; threads may share a Tablebase.
"""

import ctypes
import ctypes.util
import os
from typing import List, NamedTuple, Optional, Tuple

__all__ = ["Answer", "MerelsError", "Ply", "Position", "Tablebase", "version"]

WIN, DRAW, LOSS = 1, 0, -1
_SHORT, _FEN = 1, 2
_POSITION_BYTES, _PLY_BYTES, _MOST_PLIES = 160, 24, 4096


class MerelsError(Exception):
    """A call failed; `status` is a short name: "illegal position", "not covered", "missing", ..."""

    def __init__(self, status: str, text: str):
        super().__init__(text)
        self.status = status


class Position(NamedTuple):
    """Bit p of a set is point p; `quiet_plies` count under rules with n-move alone."""

    white: int
    black: int
    white_hand: int = 0
    black_hand: int = 0
    black_to_move: bool = False
    removals_due: int = 0
    quiet_plies: int = 0


class Answer(NamedTuple):
    """`plies` is None for a draw, and where there are no depths; query/merels.h says what they count."""

    value: int
    plies: Optional[int]
    has_depths: bool


class Ply(NamedTuple):
    """`origin` is None for a placement; `to` too for a pass or a removal that was due."""

    text: str
    origin: Optional[int]
    to: Optional[int]
    removed: Tuple[int, ...]
    value: int
    plies: Optional[int]


# ---- the library ---------------------------------------------------------------------------


class _Failure(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 512)]


class _Position(ctypes.Structure):
    _fields_ = [
        ("white", ctypes.c_uint32),
        ("black", ctypes.c_uint32),
        ("white_hand", ctypes.c_uint8),
        ("black_hand", ctypes.c_uint8),
        ("black_to_move", ctypes.c_uint8),
        ("removals_due", ctypes.c_uint8),
        ("quiet_plies", ctypes.c_uint16),
    ]


class _Answer(ctypes.Structure):
    _fields_ = [("value", ctypes.c_int), ("plies", ctypes.c_int), ("has_depths", ctypes.c_int)]


class _Ply(ctypes.Structure):
    _fields_ = [
        ("origin", ctypes.c_int8),
        ("to", ctypes.c_int8),
        ("n_removed", ctypes.c_int8),
        ("removed", ctypes.c_int8 * 6),
        ("value", ctypes.c_int),
        ("plies", ctypes.c_int),
        ("text", ctypes.c_char * _PLY_BYTES),
    ]


def _load(path: Optional[str]) -> ctypes.CDLL:
    name = path or os.environ.get("MERELS_LIBRARY") or ctypes.util.find_library("merels")
    if not name:
        raise MerelsError("missing", "there is no libmerels; name it in $MERELS_LIBRARY")
    library = ctypes.CDLL(name)
    library.merels_status_text.restype = ctypes.c_char_p
    library.merels_version.restype = ctypes.c_char_p
    library.merels_point_name.restype = ctypes.c_char_p
    return library


_libraries = {}


def _library(path: Optional[str]) -> ctypes.CDLL:
    if path not in _libraries:
        _libraries[path] = _load(path)
    return _libraries[path]


def version(library: Optional[str] = None) -> str:
    """The version of the library."""
    return _library(library).merels_version().decode()


def _inward(position: Position) -> _Position:
    for field, most in zip(position, (1 << 32, 1 << 32, 256, 256, 2, 256, 1 << 16)):
        if not 0 <= int(field) < most:
            raise MerelsError("bad input", f"no field of a position: {field}")
    return _Position(*(int(field) for field in position))


def _outward(position: _Position) -> Position:
    return Position(
        position.white,
        position.black,
        position.white_hand,
        position.black_hand,
        bool(position.black_to_move),
        position.removals_due,
        position.quiet_plies,
    )


def _plies(plies: int) -> Optional[int]:
    return None if plies < 0 else plies


def _point(point: int) -> Optional[int]:
    return None if point < 0 else point


# ---- tablebases ----------------------------------------------------------------------------


class Tablebase:
    """Tables of `rules` ("nine", "six,men=3") in a directory, or a file of edition compact."""

    def __init__(self, rules: str, path: str, cache_bytes: int = 64 << 20,
                 library: Optional[str] = None):
        self._handle = None
        self._library = _library(library)
        handle = ctypes.c_void_p()
        self._call("merels_open", rules.encode(), os.fsencode(path),
                   ctypes.c_size_t(cache_bytes), ctypes.byref(handle))
        self._handle = handle

    def close(self) -> None:
        """May be called again."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._library.merels_close(handle)

    def __enter__(self) -> "Tablebase":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def _call(self, name: str, *arguments) -> None:
        failure = _Failure()
        status = getattr(self._library, name)(*arguments, ctypes.byref(failure))
        if status != 0:
            raise MerelsError(self._library.merels_status_text(status).decode(),
                              failure.text.decode(errors="replace"))

    def _open_handle(self) -> ctypes.c_void_p:
        if self._handle is None:
            raise MerelsError("bad input", "the tablebase is closed")
        return self._handle

    def point_name(self, point: int) -> Optional[str]:
        """"a7"; None if the board has no such point."""
        name = self._library.merels_point_name(self._open_handle(), ctypes.c_int(point))
        return None if name is None else name.decode()

    def parse(self, text: str) -> Position:
        """A position in any form of docs/NOTATION.md, also a game."""
        position = _Position()
        self._call("merels_parse", self._open_handle(), text.encode(), ctypes.byref(position))
        return _outward(position)

    def format(self, position: Position, fen: bool = False) -> str:
        text = ctypes.create_string_buffer(_POSITION_BYTES)
        self._call("merels_format", self._open_handle(), ctypes.byref(_inward(position)),
                   ctypes.c_int(_FEN if fen else _SHORT), text)
        return text.value.decode()

    def apply(self, position: Position, ply: str) -> Position:
        """The position after a ply: "d6", "a1-a4xd7"."""
        after = _Position()
        self._call("merels_apply", self._open_handle(), ctypes.byref(_inward(position)),
                   ply.encode(), ctypes.byref(after))
        return _outward(after)

    def probe(self, position: Position) -> Answer:
        """The value for the side to move: 1 won, 0 drawn, -1 lost."""
        answer = _Answer()
        self._call("merels_probe", self._open_handle(), ctypes.byref(_inward(position)),
                   ctypes.byref(answer))
        return Answer(answer.value, _plies(answer.plies), bool(answer.has_depths))

    def rank(self, position: Position) -> List[Ply]:
        """All plies, best first."""
        plies = (_Ply * _MOST_PLIES)()
        n = ctypes.c_size_t()
        self._call("merels_rank", self._open_handle(), ctypes.byref(_inward(position)), plies,
                   ctypes.c_size_t(_MOST_PLIES), ctypes.byref(n), None)
        return [
            Ply(ply.text.decode(), _point(ply.origin), _point(ply.to),
                tuple(ply.removed[:ply.n_removed]), ply.value, _plies(ply.plies))
            for ply in plies[:n.value]
        ]
