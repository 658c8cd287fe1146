"""second_reader: reads the tables and the manifest of Merels; written from docs/FORMAT.md alone.

It shares nothing with the program: Python's standard library, and libzstd for the frames. Numbers in
comments are sections of docs/FORMAT.md. Whatever it does not believe it raises as Refusal, whose kind is
the word of section 12; it never answers with a value that it doubts. Sets of points are integers, a
subspace is (a, b, ha, hb), a value is (outcome, depth) with the outcome "win", "draw" or "loss" for the
mover, and the depth None where it is not known.
"""

import ctypes
import hashlib
import io
import itertools
import os
import re
import struct
from functools import lru_cache, reduce
from math import comb
from operator import or_


class Refusal(Exception):
    """kind: damaged, newer, older, other rules, missing, not kept, illegal."""

    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


def demand(condition, text, kind="damaged"):
    if not condition:
        raise Refusal(kind, text)


# ---- 1 hashes and frames ----------------------------------------------------------------------------

P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5, M64 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5, (1 << 64) - 1


def rotate(x, k):
    return (x << k | x >> (64 - k)) & M64


def xxh64(data):
    """XXH64 with seed 0."""
    stripes = len(data) // 32
    if stripes:
        lanes = [(P1 + P2) & M64, P2, 0, -P1 & M64]
        words = struct.unpack_from(f"<{4 * stripes}Q", data)
        for k in range(4):
            lane = lanes[k]
            for word in words[k::4]:
                lane = (lane + word * P2) & M64
                lane = (lane << 31 & M64 | lane >> 33) * P1 & M64
            lanes[k] = lane
        h = sum(rotate(lane, k) for lane, k in zip(lanes, (1, 7, 12, 18))) & M64
        for lane in lanes:
            lane = rotate(lane * P2 & M64, 31) * P1 & M64
            h = ((h ^ lane) * P1 + P4) & M64
    else:
        h = P5
    h = (h + len(data)) & M64
    at = 32 * stripes
    while at + 8 <= len(data):
        lane = rotate(struct.unpack_from("<Q", data, at)[0] * P2 & M64, 31) * P1 & M64
        h = (rotate(h ^ lane, 27) * P1 + P4) & M64
        at += 8
    if at + 4 <= len(data):
        h ^= struct.unpack_from("<I", data, at)[0] * P1 & M64
        h = (rotate(h, 23) * P2 + P3) & M64
        at += 4
    for byte in data[at:]:
        h = rotate(h ^ byte * P5 & M64, 11) * P1 & M64
    h = (h ^ h >> 33) * P2 & M64
    h = (h ^ h >> 29) * P3 & M64
    return h ^ h >> 32


def sha256(data):
    return hashlib.sha256(data).digest()


ZSTD = ctypes.CDLL("libzstd.so.1")
ZSTD.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
for function in ("ZSTD_findFrameCompressedSize", "ZSTD_decompress"):
    getattr(ZSTD, function).restype = ctypes.c_size_t


def unpack_frame(stored, plain_bytes):
    """7.2: one frame that states its size and ends with the stored bytes."""
    size = ctypes.c_size_t(len(stored))
    demand(stored[:4] == b"\x28\xb5\x2f\xfd", "no zstd frame")
    demand(ZSTD.ZSTD_getDictID_fromFrame(stored, size) == 0, "a frame with a dictionary")
    demand(ZSTD.ZSTD_getFrameContentSize(stored, size) == plain_bytes, "size stated by a frame")
    demand(ZSTD.ZSTD_findFrameCompressedSize(stored, size) == len(stored), "end of a frame")
    plain = ctypes.create_string_buffer(plain_bytes)
    got = ZSTD.ZSTD_decompress(plain, ctypes.c_size_t(plain_bytes), stored, size)
    demand(got == plain_bytes, "a frame that does not decode")
    return plain.raw


# ---- 2, 3 boards and symmetries ---------------------------------------------------------------------


def points_of(points):
    while points:
        low = points & -points
        yield low.bit_length() - 1
        points ^= low


def subsets(n, k):
    """All sets of k of n points, ascending."""
    x, end = (1 << k) - 1, 1 << n
    while x < end:
        yield x
        if x == 0:
            return
        low = x & -x
        ripple = x + low
        x = ripple | ((x ^ ripple) >> 2) // low


class Board:
    """Points, edges and mills, and all permutations of the points that keep both."""

    def __init__(self, names, edges, mills):
        self.names, self.n = names, len(names)
        self.neighbours = [0] * self.n
        for p, q in edges:
            self.neighbours[p] |= 1 << q
            self.neighbours[q] |= 1 << p
        self.mills = [sum(1 << p for p in mill) for mill in mills]
        self.men_in_mills = self.least_unions()
        self.symmetries = list(self.find_symmetries([]))
        self.tables = [self.byte_tables(s) for s in self.symmetries]

    def least_unions(self):
        """13: element k: the fewest points of k mills that have a point in common."""
        least = [0]
        for k in itertools.count(1):
            groups = [
                group
                for p in range(self.n)
                for group in itertools.combinations([m for m in self.mills if m >> p & 1], k)
            ]
            if not groups:
                return least
            least.append(min(reduce(or_, group).bit_count() for group in groups))

    def find_symmetries(self, images):
        p = len(images)
        if p == self.n:
            move = lambda m: sum(1 << images[q] for q in points_of(m))
            if {move(m) for m in self.mills} == set(self.mills):
                yield tuple(images)
            return
        for q in range(self.n):
            if q not in images and all(
                (self.neighbours[p] >> r & 1) == (self.neighbours[q] >> image & 1)
                for r, image in enumerate(images)
            ):
                yield from self.find_symmetries(images + [q])

    def byte_tables(self, symmetry):
        tables = []
        for base in range(0, self.n, 8):
            images = symmetry[base : base + 8] + (0,) * 8
            tables.append([sum(1 << images[i] for i in points_of(x)) for x in range(256)])
        return tables + [[0] * 256] * (3 - len(tables))

    @staticmethod
    def image(tables, points):
        low, middle, high = tables
        return low[points & 255] | middle[points >> 8 & 255] | high[points >> 16]

    @lru_cache(None)
    def rows(self, b):
        """5: the canonical sets of b points, ascending, and the number of each."""
        rest = self.tables
        canonical = [
            x for x in subsets(self.n, b) if all(self.image(t, x) >= x for t in rest)
        ]
        return canonical, {x: row for row, x in enumerate(canonical)}

    @lru_cache(None)
    def n_orbits(self, a, b):
        """12: pairs of disjoint sets that no symmetry maps to each other (Burnside)."""
        total = 0
        for symmetry in self.symmetries:
            ways = {(0, 0): 1}
            for cycle in cycle_lengths(symmetry):
                grown = {}
                for (i, j), count in ways.items():
                    for key in ((i, j), (i + cycle, j), (i, j + cycle)):
                        if key[0] <= a and key[1] <= b:
                            grown[key] = grown.get(key, 0) + count
                ways = grown
            total += ways.get((a, b), 0)
        return total // len(self.symmetries)

    def shape(self, a, b):
        """Rows and columns."""
        return self.n_orbits(0, b), comb(self.n - b, a)

    def slots_of(self, own, other):
        """5: all slots that hold a position, ascending."""
        images = [(self.image(t, other), self.image(t, own)) for t in self.tables]
        canonical = min(images)[0]
        a, b = own.bit_count(), other.bit_count()
        first = self.rows(b)[1][canonical] * comb(self.n - b, a)
        return sorted({first + self.column(A, R) for R, A in images if R == canonical})

    def slot(self, own, other):
        best = min(self.tables, key=lambda t: self.image(t, other))
        R, A = self.image(best, other), self.image(best, own)
        a, b = own.bit_count(), other.bit_count()
        return self.rows(b)[1][R] * comb(self.n - b, a) + self.column(A, R)

    @staticmethod
    def column(A, R):
        total = 0
        for k, point in enumerate(points_of(A), 1):
            total += comb(point - (R & ((1 << point) - 1)).bit_count(), k)
        return total

    def position_at(self, a, b, slot):
        """5, the way back: own and other side's men of a slot."""
        row, column = divmod(slot, comb(self.n - b, a))
        R = self.rows(b)[0][row]
        free = [p for p in range(self.n) if not R >> p & 1]
        A, q = 0, len(free) - 1
        for k in range(a, 0, -1):
            while comb(q, k) > column:
                q -= 1
            column -= comb(q, k)
            A |= 1 << free[q]
            q -= 1
        return A, R


def cycle_lengths(symmetry):
    seen = set()
    for start in range(len(symmetry)):
        length, p = 0, start
        while p not in seen:
            seen.add(p)
            p, length = symmetry[p], length + 1
        if length:
            yield length


# ---- 4 subspaces ------------------------------------------------------------------------------------


def subspace_name(subspace):
    return "-".join(map(str, subspace if any(subspace[2:]) else subspace[:2]))


def parse_subspace(text):
    demand(re.fullmatch(r"(0|[1-9]\d?)(-(0|[1-9]\d?)){1}((-(0|[1-9]\d?)){2})?", text), f"name {text}")
    counts = tuple(map(int, text.split("-")))
    subspace = counts if len(counts) == 4 else counts + (0, 0)
    demand(subspace_name(subspace) == text, f"name {text}")
    return subspace


def listing_key(subspace):
    a, b, ha, hb = subspace
    return ha + hb, a + b, a, b, ha, hb


# ---- 8 rules ----------------------------------------------------------------------------------------

OPTIONS = {  # key: values, the usual one first; None: a number
    "fly": (None, "3"),
    "fly-count": ("board", "total"),
    "mill-men": ("removable-if-all", "removable", "safe"),
    "removals": ("one", "each"),
    "blocked": ("loses", "draws", "passes"),
    "full-board": ("draws", "mover-loses"),
    "turn": ("place-then-move", "place-or-move"),
    "mill": ("removes", "wins"),
    "least": (None, "3"),
    "chooser": ("mover", "opponent"),
    "metric": ("dtm", "dtc"),
    "n-move": (None, "0"),
}


@lru_cache(None)
def read_rules(text):
    return Rules(text)


class Rules:
    """A rules text, taken apart; refused if the same rules would be written in another way."""

    def __init__(self, text):
        self.text = text
        self.fingerprint = sha256(text.encode("latin-1"))[:16]
        demand(text.endswith("\n"), "rules text without an end")
        lines = [line.partition(" ") for line in text[:-1].split("\n")]
        demand([key for key, _, _ in lines[:3]] == ["points", "edges", "mills"], "rules without a board")
        names, edges, mills = (value.split(" ") for _, _, value in lines[:3])
        number = {name: p for p, name in enumerate(names)}
        demand(len(number) == len(names) <= 24, "points")
        edges = self.lists(edges, number, 2)
        self.board = Board(names, edges, self.lists(mills, number, 3))
        self.read_options([(key, value) for key, _, value in lines[3:]])

    def all_convert(self, a, b, ha, hb):
        """6: with metric dtc, of counts: every ply converts, and there is no depth to show."""
        moves_too = self.is_("turn", "place-or-move")
        must_place = [hand > 0 and not (men > 0 and moves_too) for men, hand in ((a, ha), (b, hb))]
        return self.is_("metric", "dtc") and any(must_place)

    @staticmethod
    def lists(words, number, length):
        found = []
        for word in words:
            parts = word.split("-")
            demand(len(parts) == length and all(p in number for p in parts), f"'{word}'")
            found.append(tuple(number[p] for p in parts))
            demand(list(found[-1]) == sorted(set(found[-1])), f"order in '{word}'")
        demand(found == sorted(set(found)), "order of edges or mills")
        return found

    def read_options(self, given):
        keys = [key for key, _ in given]
        demand(keys == [key for key in OPTIONS if key in keys], "unknown, doubled or disordered options")
        values = {key: self.usual(key) for key in OPTIONS}
        for key, value in given:
            is_number = OPTIONS[key][0] is None
            digits = "[0-9]{0,2}" if key == "n-move" else "[0-9]?"
            fits = re.fullmatch("0|[1-9]" + digits, value) if is_number else value in OPTIONS[key]
            demand(fits and value != self.usual(key), f"option {key} {value}")
            values[key] = value
        self.options = values
        self.fly, self.least = int(values["fly"]), int(values["least"])

    @staticmethod
    def usual(key):
        return OPTIONS[key][1 if OPTIONS[key][0] is None else 0]

    def is_(self, key, value):
        return self.options[key] == value

    # -- rules of play

    def in_mill(self, men, among):
        return sum(1 for m in self.board.mills if m & men == m and m & among)

    def may_fly(self, men, hand):
        if self.is_("fly-count", "total"):
            return men.bit_count() + hand <= self.fly
        return hand == 0 and men.bit_count() <= self.fly

    def can_ply(self, men, free, hand):
        """Whether a side can place or move."""
        if hand or men and self.may_fly(men, hand):
            return free != 0
        return any(self.board.neighbours[p] & free for p in points_of(men))

    def removable(self, men):
        free_of_mills = sum(1 << p for p in points_of(men) if not self.in_mill(men, 1 << p))
        if self.is_("mill-men", "removable"):
            return men
        if self.is_("mill-men", "safe"):
            return free_of_mills
        return free_of_mills or men

    def after_removals(self, men, hand, owed):
        """All sets that can be left of men when so many are taken, one after another."""
        choice = self.removable(men)
        if not owed or not choice or men.bit_count() + hand < self.least:
            return {men}
        left = (self.after_removals(men & ~(1 << p), hand, owed - 1) for p in points_of(choice))
        return set().union(*left)

    def end(self, own, other, ha, hb):
        """The value of a finished game, for the mover; None: the game goes on."""
        demand(other.bit_count() + hb >= self.least, "the game was over before", "illegal")
        wins = self.is_("mill", "wins")
        demand(not (wins and self.in_mill(own, -1)), "the mover has won before", "illegal")
        if own.bit_count() + ha < self.least or wins and self.in_mill(other, -1):
            return "loss", 0
        free = (1 << self.board.n) - 1 & ~(own | other)
        if not free:
            return ("draw", None) if self.is_("full-board", "draws") else ("loss", 0)
        if self.can_ply(own, free, ha):
            return None
        if self.is_("blocked", "passes"):
            return None if self.can_ply(other, free, hb) else ("draw", None)
        return ("draw", None) if self.is_("blocked", "draws") else ("loss", 0)


# ---- 13 which subspaces arise -----------------------------------------------------------------------


def arising(rules, first, second):
    """The subspaces with tables that a game from first against second men can come to."""
    n, least = rules.board.n, rules.least
    start = (0, 0, first, second)
    if first < least or second < least:
        return set()
    found, waiting = {start}, [start]
    while waiting:
        for after in ways_on(rules, waiting.pop(), n):
            if after[0] + after[2] >= least and after not in found:
                found.add(after)
                waiting.append(after)
    return found


def ways_on(rules, subspace, n):
    a, b, ha, hb = subspace
    if a + b == n:
        return
    arrivals = []
    if ha:
        arrivals.append((a + 1, ha - 1))
    if a and (ha == 0 or rules.is_("turn", "place-or-move")):
        arrivals.append((a, ha))
    needed = rules.board.men_in_mills[: 2 if rules.is_("removals", "one") else None]
    if rules.is_("mill", "wins"):
        needed = needed[:1]
    for men, hand in arrivals:
        yield b, men, hb, hand
        for k in range(1, len(needed)):
            if men >= needed[k] and b >= k and b - (k - 1) + hb >= rules.least:
                yield b - k, men, hb, hand


# ---- 7 the table file -------------------------------------------------------------------------------

EDITIONS = {"dtm": (1, ".mtb", 16384), "wdl": (2, ".wdl", 262144), "dtc": (4, ".mtb", 16384)}
NONE32 = 0xFFFFFFFF
FACTS = ("slots rows columns orbits win draw loss none max_win max_loss max_win_slot max_loss_slot "
         "blocks bytes").split()


def check_facts(facts, edition, subspace, rules):
    """12, points 4 and 6, as far as counts go: what no header and no line of a manifest may say."""
    a, b, _, _ = subspace
    rows, columns = rules.board.shape(a, b)
    computed = {"rows": rows, "columns": columns, "slots": rows * columns,
                "orbits": rules.board.n_orbits(a, b)}
    for key, value in computed.items():
        demand(facts[key] == value, f"{key}")
    demand(all(facts[k] <= facts["orbits"] for k in ("win", "draw", "loss", "none")), "counts of orbits")
    total = facts["win"] + facts["draw"] + facts["loss"] + facts["none"]
    demand(total == facts["orbits"], "sum of orbits")
    demand(facts["none"] == 0 or rules.is_("mill", "wins"), "slots that are no position")
    for key, parity, kind in (("max_win", 1, "win"), ("max_loss", 0, "loss")):
        depth, slot = facts[key], facts[key + "_slot"]
        if depth == NONE32:
            demand(slot == 0, f"slot of no {key}")
            demand(edition == "wdl" or facts[kind] == 0, f"no {key}")
        else:
            fits = depth % 2 == parity if edition == "dtm" else depth >= parity
            demand(fits and facts[kind] > 0 and slot < facts["slots"], f"{key}")
    per_block = EDITIONS[edition][2]
    demand(facts["blocks"] == -(-facts["slots"] // per_block), "number of blocks")


def check_widths(width, edition, depths):
    demand(width in ((0,) if edition == "wdl" else (1, 2)), "bytes per value")
    limit = {0: -1, 1: 254, 2: 65534}[width]
    limit = limit // 2 if edition == "dtc" else limit
    demand(all(d == NONE32 or d <= limit for d in depths), "depths")


class Table:
    """One file, opened and believed as far as header and groups; look-ups read entries and blocks."""

    def __init__(self, file, name, rules):
        self.file, self.name, self.rules = file, name, rules
        self.edition = "wdl" if name.endswith(".wdl") else rules.options["metric"]
        self.subspace = parse_subspace(name.rsplit(".", 1)[0])
        self.length = file.seek(0, io.SEEK_END)
        header = self.read(0, min(256, self.length))
        self.check_version(header)
        self.check_header(header)
        self.check_groups(header)
        self.entries, self.plain = {}, {}

    def read(self, offset, length):
        self.file.seek(offset)
        data = self.file.read(length)
        demand(len(data) == length, "cut short")
        return data

    @staticmethod
    def check_version(header):
        """12, points 1 to 3."""
        demand(len(header) >= 16, "shorter than 16 bytes")
        demand(header[:8] == b"MERELSTB", "magic")
        version, check = struct.unpack_from("<II", header, 8)
        demand(check == xxh64(header[:12]) & 0xFFFFFFFF, "check of the version")
        demand(version <= 2, f"version {version}", "newer")
        demand(version != 1, "version 1; solve again", "older")
        demand(version == 2 and len(header) == 256, "header")
        demand(struct.unpack_from("<Q", header, 248)[0] == xxh64(header[:248]), "header checksum")

    def check_header(self, header):
        """12, points 4 to 6."""
        edition, width, n, zero = header[32:36]
        names = {number: (e, per_block) for e, (number, _, per_block) in EDITIONS.items()}
        demand(edition in names, "edition")
        found, per_block = names[edition]
        self.per_block, group = struct.unpack_from("<II", header, 40)
        a, b, ha, hb = header[36:40]
        max_win, max_loss = struct.unpack_from("<II", header, 112)
        check_widths(width, found, (max_win, max_loss))
        demand(self.per_block == per_block and group == 128, "sizes of blocks and groups")
        demand(n <= 24 and a + b <= n, "points")
        demand(zero == 0 and not any(header[192:248]), "reserved bytes")
        demand(header[16:32] == self.rules.fingerprint, self.name, "other rules")
        demand(n == self.rules.board.n, "points of the board")
        demand((found, (a, b, ha, hb)) == (self.edition, self.subspace), "another file's header")
        numbers = struct.unpack_from("<8Q2I4Q", header, 48)
        self.facts = dict(zip(FACTS, numbers))
        self.width, self.values_hash = width, header[160:192]
        check_facts(self.facts, self.edition, self.subspace, self.rules)
        demand(self.facts["bytes"] == self.length, "length of the file")

    def check_groups(self, header):
        """12, the end of point 6."""
        blocks = self.facts["blocks"]
        n_groups = -(-blocks // 128)
        begin = 256 + 16 * n_groups + 16 * blocks
        demand(self.length >= begin, "length of the file")
        groups = self.read(256, 16 * n_groups)
        demand(xxh64(groups) == struct.unpack_from("<Q", header, 152)[0], "checksum of the groups")
        words = struct.unpack(f"<{2 * n_groups}Q", groups)
        self.begins, self.checks = list(words[::2]) + [self.length], words[1::2]
        demand(self.begins[0] == begin, "begin of group 0")
        for g in range(n_groups):
            stored = self.begins[g + 1] - self.begins[g]
            last = min(128 * g + 128, blocks)
            demand(0 < stored <= sum(map(self.plain_bytes, range(128 * g, last))), "begins of groups")

    def plain_bytes(self, block):
        values = min(self.per_block, self.facts["slots"] - block * self.per_block)
        return values * self.width if self.width else (values + 3) // 4

    def group(self, g):
        """12, point 7: the entries (end, check) of a group."""
        if g not in self.entries:
            blocks = self.facts["blocks"]
            first, last = 128 * g, min(128 * g + 128, blocks)
            data = self.read(256 + 16 * len(self.checks) + 16 * first, 16 * (last - first))
            demand(xxh64(data) == self.checks[g], "checksum of a group")
            words = struct.unpack(f"<{2 * (last - first)}Q", data)
            ends = [self.begins[g]] + list(words[::2])
            for k in range(last - first):
                demand(0 < ends[k + 1] - ends[k] <= self.plain_bytes(first + k), "ends of blocks")
            demand(ends[-1] == self.begins[g + 1], "end of a group")
            self.entries[g] = ends, words[1::2]
        return self.entries[g]

    def block(self, k):
        """12, point 8: the plain values of a block."""
        if k not in self.plain:
            ends, checks = self.group(k // 128)
            begin, end = ends[k % 128], ends[k % 128 + 1]
            stored = self.read(begin, end - begin)
            demand(xxh64(stored) == checks[k % 128], "checksum of a block")
            plain_bytes = self.plain_bytes(k)
            is_plain = len(stored) == plain_bytes
            self.plain[k] = stored if is_plain else unpack_frame(stored, plain_bytes)
        return self.plain[k]

    def value(self, slot):
        """6, and 12, point 9."""
        demand(0 <= slot < self.facts["slots"], "slot", "illegal")
        k, at = divmod(slot, self.per_block)
        data = self.block(k)
        if self.edition == "wdl":
            code = data[at // 4] >> 2 * (at % 4) & 3
            demand(code != 3, "code 3")
            outcome = ("draw", "win", "loss")[code]
            demand(outcome == "draw" or self.facts[outcome], f"a {outcome} where there is none")
            return outcome, None
        number = int.from_bytes(data[at * self.width : (at + 1) * self.width], "little")
        if number == (1 << 8 * self.width) - 1:
            return "draw", None
        outcome = "win" if number % 2 else "loss"
        depth = (number + 1) // 2 if self.edition == "dtc" else number
        longest = self.facts["max_" + outcome]
        demand(longest != NONE32 and depth <= longest, "a depth beyond the longest")
        return outcome, None if self.rules.all_convert(*self.subspace) else depth

    def compute_values_hash(self):
        """7.1: the hash of the values, from the blocks."""
        per_piece = 1048576 // self.per_block
        pieces = b""
        for first in range(0, self.facts["blocks"], per_piece):
            last = min(first + per_piece, self.facts["blocks"])
            pieces += sha256(b"".join(self.block(k) for k in range(first, last)))
        return sha256(pieces)


# ---- 9, 10 the manifest -----------------------------------------------------------------------------

NUMBER = "(0|[1-9][0-9]*)"
FACTS_LINE = re.compile(
    "# (table|dropped) ([0-9-]+) "
    + " ".join(f"{key}={NUMBER}" for key in "format width slots rows columns orbits win draw loss none".split())
    + f" max-win=({NUMBER}|-) max-win-slot={NUMBER} max-loss=({NUMBER}|-) max-loss-slot={NUMBER}"
    + f" bytes={NUMBER} values=([0-9a-f]{{64}})"
)
FIRST_LINE = re.compile(f"# Merels tablebase manifest, version {NUMBER}")


class Listed:
    """What a manifest says of one table."""

    def __init__(self, line, edition, rules):
        match = FACTS_LINE.fullmatch(line)
        demand(match, f"line '{line[:40]}'")
        groups = list(match.groups())
        self.dropped = groups.pop(0) == "dropped"
        self.subspace = parse_subspace(groups.pop(0))
        del groups[14], groups[11]  # the inner groups of the two depths
        self.values_hash = bytes.fromhex(groups.pop())
        keys = ("format width slots rows columns orbits win draw loss none max_win max_win_slot "
                "max_loss max_loss_slot bytes").split()
        self.facts = {k: NONE32 if v == "-" else int(v) for k, v in zip(keys, groups)}
        demand(all(v < 1 << 53 for v in self.facts.values()), "a number of 2^53 or more")
        self.edition = edition
        self.check(rules)

    def check(self, rules):
        facts, (a, b, _, _) = self.facts, self.subspace
        demand(facts.pop("format") == 2, "format of a table")
        self.width = facts.pop("width")
        demand(a + b <= rules.board.n, "men of a table")
        check_widths(self.width, self.edition, (facts["max_win"], facts["max_loss"]))
        facts["blocks"] = -(-facts["slots"] // EDITIONS[self.edition][2])
        check_facts(facts, self.edition, self.subspace, rules)
        index = 256 + 16 * facts["blocks"] + 16 * -(-facts["blocks"] // 128)
        plain = facts["slots"] * self.width if self.width else (facts["slots"] + 3) // 4
        demand(index + facts["blocks"] <= facts["bytes"] <= index + plain, "length of a table")

    @property
    def name(self):
        return subspace_name(self.subspace) + EDITIONS[self.edition][1]

    def line(self):
        depth = lambda key: "-" if self.facts[key] == NONE32 else self.facts[key]
        counts = " ".join(f"{key}={self.facts[key]}" for key in FACTS[:8])
        return (f"# {'dropped' if self.dropped else 'table'} {subspace_name(self.subspace)} format=2 "
                f"width={self.width} {counts} "
                f"max-win={depth('max_win')} max-win-slot={self.facts['max_win_slot']} "
                f"max-loss={depth('max_loss')} max-loss-slot={self.facts['max_loss_slot']} "
                f"bytes={self.facts['bytes']} values={self.values_hash.hex()}\n")


class Edition:
    def __init__(self, name):
        self.name, self.tables, self.file_hashes = name, {}, {}

    def complete(self, rules):
        there = {s for s, t in self.tables.items() if not t.dropped}
        starts = sorted(s[2:] for s in there if s[:2] == (0, 0))
        return [s for s in starts if arising(rules, *s) <= there]

    def root(self, rules):
        lines = (f"{rules.fingerprint.hex()} {subspace_name(s)} {self.tables[s].values_hash.hex()}\n"
                 for s in sorted(self.tables, key=listing_key))
        return sha256("".join(lines).encode())

    def text(self, rules):
        starts = " ".join(f"{x}-{y}" for x, y in self.complete(rules)) or "-"
        lines = [f"# edition {self.name}\n# complete {starts}\n# tables {len(self.tables)}\n"]
        for subspace in sorted(self.tables, key=listing_key):
            table = self.tables[subspace]
            lines.append(table.line())
            if not table.dropped:
                lines.append(f"{self.file_hashes[subspace]}  {table.name}\n")
        return "".join(lines) + f"# root {self.root(rules).hex()}\n"


class Manifest:
    """Parsed line by line, then written again and compared: 12, points 10 to 12."""

    def __init__(self, data, expected=None):
        first, _, rest = data.partition(b"\n")
        match = FIRST_LINE.fullmatch(first.decode("latin-1"))
        demand(match, "no first line of a manifest")
        demand(int(match[1]) <= 2, "manifest", "newer")
        demand(int(match[1]) == 2, "manifest", "older")
        demand(data.endswith(b"\n"), "a line without an end")
        self.lines = data.decode("latin-1")[:-1].split("\n")[::-1]
        self.lines.pop()
        fingerprint = self.take("# fingerprint ([0-9a-f]{32})")
        rules_lines = []
        while self.next_is("# rules "):
            rules_lines.append(self.lines.pop()[8:] + "\n")
        text = "".join(rules_lines)
        demand(sha256(text.encode("latin-1"))[:16].hex() == fingerprint, "fingerprint")
        self.rules = read_rules(text)
        self.editions = {}
        while self.next_is("# edition "):
            self.read_edition()
        self.optional = []
        while self.next_is("#? "):
            self.optional.append(self.lines.pop() + "\n")
        self.take("# checksum ([0-9a-f]{16})")
        demand(not self.lines, "lines behind the checksum")
        self.check_editions()
        demand(self.text().encode("latin-1") == data, "not what its content gives when written again")
        demand(expected is None or self.rules.text == expected.text, "manifest", "other rules")

    def next_is(self, begin):
        return self.lines and self.lines[-1].startswith(begin)

    def take(self, pattern):
        demand(self.lines, "cut short")
        match = re.fullmatch(pattern, self.lines.pop())
        demand(match, f"no line '{pattern}'")
        return match[1]

    def read_edition(self):
        edition = Edition(self.take("# edition (dtm|dtc|wdl)"))
        demand(edition.name not in self.editions, "an edition twice")
        self.take(f"# complete (-|{NUMBER}-{NUMBER}( {NUMBER}-{NUMBER})*)")
        count = int(self.take(f"# tables {NUMBER}"))
        while self.next_is("# table ") or self.next_is("# dropped "):
            listed = Listed(self.lines.pop(), edition.name, self.rules)
            demand(listed.subspace not in edition.tables, "a table twice")
            edition.tables[listed.subspace] = listed
            if not listed.dropped:
                hash_ = self.take(f"([0-9a-f]{{64}})  {re.escape(listed.name)}")
                edition.file_hashes[listed.subspace] = hash_
        demand(count == len(edition.tables), "number of tables")
        self.take("# root ([0-9a-f]{64})")
        self.editions[edition.name] = edition

    def check_editions(self):
        depths = self.rules.options["metric"]
        demand(list(self.editions) in ([depths], ["wdl"], [depths, "wdl"]), "editions")
        if len(self.editions) == 2 or "wdl" in self.editions:
            demand(all(e.tables for e in self.editions.values()), "an edition without tables")

    def text(self):
        rules = self.rules.text[:-1].split("\n")
        text = "# Merels tablebase manifest, version 2\n"
        text += f"# fingerprint {self.rules.fingerprint.hex()}\n"
        text += "".join(f"# rules {line}\n" for line in rules)
        text += "".join(e.text(self.rules) for e in self.editions.values()) + "".join(self.optional)
        return text + f"# checksum {xxh64(text.encode('latin-1')):016x}\n"


# ---- 11 looking up a position -----------------------------------------------------------------------


def turned(value):
    """The value for the side that made a ply, from that of the other side behind it."""
    outcome, depth = value
    outcome = {"win": "loss", "loss": "win", "draw": "draw"}[outcome]
    return outcome, None if depth is None else depth + 1


def merit(value):
    """Better values for the mover are greater: fast wins, draws, long losses."""
    outcome, depth = value
    if outcome == "win":
        return 1, float("-inf") if depth is None else -depth
    return -1 if outcome == "loss" else 0, depth or 0


class Tablebase:
    """A directory, one edition of it."""

    def __init__(self, directory, edition, rules=None):
        with open(os.path.join(directory, "MANIFEST"), "rb") as file:
            self.manifest = Manifest(file.read(), rules)
        self.directory, self.edition, self.rules = directory, edition, self.manifest.rules
        self.listed = self.manifest.editions[edition].tables
        self.opened = {}

    def table(self, subspace):
        if subspace not in self.opened:
            listed = self.listed.get(subspace)
            name = subspace_name(subspace) + EDITIONS[self.edition][1]
            demand(not (listed and listed.dropped), name, "not kept")
            try:
                file = open(os.path.join(self.directory, name), "rb")
            except FileNotFoundError:
                raise Refusal("missing", name) from None
            table = Table(file, name, self.rules)
            if listed:
                same = (table.facts, table.width, table.values_hash)
                demand(same == (listed.facts, listed.width, listed.values_hash),
                       f"{name}: other facts than in the manifest")
            self.opened[subspace] = table
        return self.opened[subspace]

    def before_conversion(self, value, own, other, ha, hb):
        """The value of a removal that is due, for who makes it."""
        outcome, depth = turned(value)
        if self.edition != "dtc" or outcome == "draw" or depth == 1:
            return outcome, depth
        return outcome, None if self.rules.all_convert(own.bit_count(), other.bit_count(), ha, hb) else 1

    def value(self, own, other, ha, hb, owed=0):
        """11: of a position, or of the middle of a turn with removals owed."""
        if owed:
            demand(self.rules.in_mill(own, -1) and self.rules.removable(other), "removal due", "illegal")
            left = self.rules.after_removals(other, hb, owed)
            values = [self.before_conversion(self.value(men, own, hb, ha), own, other, ha, hb) for men in left]
            chooser = max if self.rules.is_("chooser", "mover") else min
            return chooser(values, key=merit)
        end = self.rules.end(own, other, ha, hb)
        if end:
            return end
        table = self.table((own.bit_count(), other.bit_count(), ha, hb))
        return table.value(self.rules.board.slot(own, other))
