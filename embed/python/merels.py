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
import operator
import os
from typing import List, NamedTuple, Optional, Tuple

__all__ = ["Answer", "MerelsError", "Ply", "Position", "Tablebase", "version"]

WIN, DRAW, LOSS = 1, 0, -1
_SHORT, _FEN = 1, 2
_POSITION_BYTES, _PLY_BYTES, _MOST_PLIES = 160, 24, 4096


class MerelsError(Exception):
    """A call failed; `status` is a short name: "illegal position", "not covered", "missing", "bad input", ...

    All that this module refuses is such an error."""

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
    try:
        library = ctypes.CDLL(name)
        library.merels_status_text.restype = ctypes.c_char_p
        library.merels_version.restype = ctypes.c_char_p
        library.merels_point_name.restype = ctypes.c_char_p
    except (OSError, AttributeError, TypeError, ValueError) as error:
        raise MerelsError("missing", f"{name} is no libmerels: {error}") from error
    return library


_libraries = {}


def _library(path: Optional[str]) -> ctypes.CDLL:
    if path not in _libraries:
        _libraries[path] = _load(path)
    return _libraries[path]


def version(library: Optional[str] = None) -> str:
    """The version of the library."""
    return _library(library).merels_version().decode()


# ---- what callers give ---------------------------------------------------------------------


def _whole(value, limit: int) -> Optional[int]:
    """The value if it is a whole number from 0 to limit - 1, else None: no text, nothing rounded."""
    try:
        number = operator.index(value)
    except TypeError:
        return None
    return number if 0 <= number < limit else None


_LIMITS = {"white": 1 << 24, "black": 1 << 24, "white_hand": 256, "black_hand": 256,
           "black_to_move": 2, "removals_due": 256, "quiet_plies": 1 << 16}


def _inward(position: Position) -> _Position:
    try:
        fields = Position(*position)
    except TypeError as error:
        raise MerelsError("illegal position", f"no position: {position!r:.80}") from error
    for name, value in zip(Position._fields, fields):
        if _whole(value, _LIMITS[name]) is None:
            what = "set of points" if name in ("white", "black") else "count"
            raise MerelsError("illegal position", f"{name}: no {what}: {value!r:.80}")
    return _Position(*(operator.index(value) for value in fields))


def _text(what: str, text) -> bytes:
    """As C reads it: to the first NUL, so there must be none."""
    try:
        encoded = text.encode()
    except (AttributeError, UnicodeError) as error:
        raise MerelsError("bad input", f"{what}: no text: {text!r:.80}") from error
    if b"\0" in encoded:
        raise MerelsError("bad input", f"{what}: a NUL stands in it: {text!r:.80}")
    return encoded


def _path(path) -> bytes:
    try:
        encoded = os.fsencode(path)
    except (TypeError, UnicodeError) as error:
        raise MerelsError("bad input", f"no path: {path!r:.80}") from error
    if b"\0" in encoded:
        raise MerelsError("bad input", f"path: a NUL stands in it: {path!r:.80}")
    return encoded


# ---- what comes back -----------------------------------------------------------------------


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

    _handle = None

    def __init__(self, rules: str, path: str, cache_bytes: int = 64 << 20,
                 library: Optional[str] = None):
        self._library = _library(library)
        handle = ctypes.c_void_p()
        size = _whole(cache_bytes, 1 << 8 * ctypes.sizeof(ctypes.c_size_t))
        if size is None:
            raise MerelsError("bad input", f"cache_bytes: no size: {cache_bytes!r:.80}")
        self._call("merels_open", _text("rules", rules), _path(path), ctypes.c_size_t(size),
                   ctypes.byref(handle))
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
        handle, number = self._open_handle(), _whole(point, 1 << 24)
        if number is None and not isinstance(point, int):
            raise MerelsError("bad input", f"no point: {point!r:.80}")
        if number is None:
            return None
        name = self._library.merels_point_name(handle, ctypes.c_int(number))
        return None if name is None else name.decode()

    def parse(self, text: str) -> Position:
        """A position in any form of docs/NOTATION.md, also a game."""
        position = _Position()
        self._call("merels_parse", self._open_handle(), _text("position", text), ctypes.byref(position))
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
                   _text("ply", ply), ctypes.byref(after))
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
