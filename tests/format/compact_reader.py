"""compact_reader: decodes the stored positions of a file of edition compact; written from docs/COMPACT.md alone.

It shares nothing with the program, and of the reader of tables the points, sets and hashes. Numbers in comments
are sections of docs/COMPACT.md. Values are "win", "draw" or "loss" for the mover. As slow as it is plain.
"""

import math
import struct
from functools import lru_cache
from math import comb

from second_reader import Board, Refusal, demand, points_of, xxh64

OUTCOMES = ("loss", "draw", "win")
TABLES = (400, 256, 100, 256, 400, 144, 100, 576, 81, 27, 257, 288, 108, 256, 225, 972, 972, 136, 102, 64, 512, 216, 1)
PIECE_COLUMNS = 32768
OPTIONS = ("fly", "fly-count", "mill-men", "removals", "blocked", "full-board", "turn", "mill", "least", "chooser")


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        demand(self.at + n <= len(self.data), "end of the body")
        self.at += n
        return self.data[self.at - n : self.at]

    def number(self, n):
        return int.from_bytes(self.take(n), "little")

    def short(self):
        """3: in groups of seven bits."""
        value, shift = 0, 0
        while True:
            byte = self.number(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            demand(shift < 28, "a number of five bytes")

    def list(self, n_bytes, element):
        return [element() for _ in range(self.number(n_bytes))]


class Coder:
    """8"""

    def __init__(self, data):
        self.data, self.at, self.range, self.code = data, 0, 2**32 - 1, 0
        for _ in range(4):
            self.code = self.code << 8 | self.byte()

    def byte(self):
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def decide(self, p):
        bound = self.range * p >> 16
        yes = self.code < bound
        if yes:
            self.range = bound
        else:
            self.code -= bound
            self.range -= bound
        while self.range < 1 << 24:
            self.range <<= 8
            self.code = self.code << 8 | self.byte()
        return yes


@lru_cache(None)
def probability(y):
    """7"""
    if y < 0:
        return 65536 - probability(-y)
    return min(65535, math.floor(65536 / (1 + math.exp(-y / 16)) + 0.5))


class Pattern:
    """6.1: its images, and the class of each index."""

    def __init__(self, points, symmetries):
        self.n = 3 ** len(points)
        images = {}
        for s in symmetries:
            images.setdefault(frozenset(s[p] for p in points), tuple(s[p] for p in points))
        self.images = list(images.values())
        places = [[points.index(s[p]) for p in points] for s in symmetries if {s[p] for p in points} == set(points)]
        digits = [[i // 3**k % 3 for k in range(len(points))] for i in range(self.n)]
        smallest = [min(sum(d[k] * 3 ** q[k] for k in range(len(points))) for q in places) for d in digits]
        number = {i: k for k, i in enumerate(sorted(set(smallest)))}
        self.classes, self.n_classes = [number[i] for i in smallest], len(number)


class File:
    def __init__(self, data):
        self.data = data
        demand(data[:8] == b"MERELSCE" and len(data) >= 64, "magic")
        demand(struct.unpack_from("<I", data, 12)[0] == xxh64(data[:12]) & 0xFFFFFFFF, "version")
        demand(data[8:12] == b"\1\0\0\0", "version", "newer")
        demand(struct.unpack_from("<Q", data, 56)[0] == xxh64(data[:56]), "head")
        self.fingerprint = data[16:32]
        length, self.n_head, zero, body_sum = struct.unpack_from("<QIIQ", data, 32)
        demand(length == len(data) and zero == 0 and 64 <= self.n_head <= length, "length")
        demand(xxh64(data[64 : self.n_head]) == body_sum, "body")
        self.read_body(Bytes(data[64 : self.n_head]))

    def read_body(self, body):
        self.options = {name: body.number(1) for name in OPTIONS}
        n, self.dark = body.number(1), body.number(4)
        edges = body.list(1, lambda: tuple(body.take(2)))
        mills = body.list(1, lambda: tuple(body.take(3)))
        self.board = Board([str(p) for p in range(n)], edges, mills)
        self.symmetries = body.list(1, lambda: tuple(body.take(n)))
        demand(set(self.symmetries) == set(self.board.symmetries), "symmetries")
        self.patterns = [Pattern(list(p), self.symmetries) for p in body.list(1, lambda: body.take(body.number(1)))]
        self.most_plies, self.most_bytes = body.number(1), body.number(4)
        body.list(1, lambda: self.check_rows(body, n))
        n_models, n_subspaces = body.number(2), body.number(2)
        self.models = [(body.number(8), body.number(4), body.number(8)) for _ in range(n_models)]
        self.subspaces = {}
        for _ in range(n_subspaces):
            counts, strands, zero = tuple(body.take(4)), body.number(1), body.number(1)
            demand(strands <= 4 and zero == 0, "strands")
            self.subspaces[counts] = (strands, body.number(2), body.number(4), body.number(8))
        demand(body.number(2) == 0, "layers")
        self.rules_text = body.take(body.number(2)).decode("latin-1")
        demand(body.at == len(body.data), "end of the head")

    def check_rows(self, body, n):
        """3, item 6: the counts by prefix, against the sets themselves."""
        men, s = body.number(1), min(n, 12)
        counts = []
        while len(counts) < 1 << (n - s):
            counts.append(body.short())
            if counts[-1] == 0:
                counts += [0] * body.short()
        canonical = self.board.rows(men)[0]
        demand(counts == [sum(x >> s == prefix for x in canonical) for prefix in range(1 << (n - s))], "rows")

    def has_parity(self, counts):
        """1"""
        images = {sum(1 << s[p] for p in points_of(self.dark)) for s in self.symmetries}
        return self.dark != 0 and (images == {self.dark} or (counts[0] + counts[1]) % 2 == 0)

    @lru_cache(None)
    def model(self, number):
        """7: the bytes as (won?, lost?) of each entry."""
        offset, n, checksum = self.models[number]
        stored = self.data[offset : offset + n]
        demand(len(stored) == n <= self.most_bytes and xxh64(stored) == checksum, "model")
        coder, chances = Coder(stored), [[32768] * 256, [32768] * 256]
        entries = []
        for _ in range(sum(p.n_classes for p in self.patterns) + sum(TABLES)):
            pair = []
            for chance in chances:
                j = 1
                for _ in range(8):
                    bit = coder.decide(chance[j])
                    chance[j] += (65536 - chance[j]) // 32 if bit else -(chance[j] // 32)
                    j = 2 * j + bit
                pair.append(j - 256 if j < 384 else j - 512)
            entries.append(pair)
        return entries

    def group(self, counts, number):
        """4: the rows of a group and its blocks, in order."""
        _, _, n_rows, index = self.subspaces[counts]
        all_rows, n_columns = self.board.shape(*counts[:2])
        (begin, checksum), (end, _) = struct.iter_unpack("<QQ", self.data[index + 16 * number : index + 16 * number + 32])
        stored = Bytes(self.data[begin:end])
        demand(end - begin <= self.most_bytes and xxh64(stored.data) == checksum, "group")
        rows = range(number * n_rows, min((number + 1) * n_rows, all_rows))
        keys = [(row, piece) for row in rows for piece in range(-(-n_columns // PIECE_COLUMNS))]
        lengths = [stored.short() for _ in keys]
        return {key: stored.take(n) for key, n in zip(keys, lengths)}

    def block(self, counts, row, piece):
        stored = self.group(counts, row // self.subspaces[counts][2])[row, piece]
        return Block(self, counts, row, piece, stored)


class Block:
    """5: the walk; values: {column: 0 lost, 1 drawn, 2 won} of the stored slots."""

    def __init__(self, file, counts, row, piece, stored):
        self.file, self.board = file, file.board
        a, b, self.ha, self.hb = counts
        self.coder = Coder(stored)
        self.R = self.board.rows(b)[0][row]
        n_columns = self.board.shape(a, b)[1]
        columns = range(PIECE_COLUMNS * piece, min(n_columns, PIECE_COLUMNS * (piece + 1)))
        strands, model, _, _ = file.subspaces[counts]
        demand((strands == 4) != file.has_parity(counts) or strands == 0, "strands")
        self.keeping = [t for t in self.board.tables if self.board.image(t, self.R) == self.R]
        self.start_weights(file.model(model))
        self.nodes, self.values, self.last = {}, {}, (0, 0, 0)
        self.decisions = []  # (slots before it, 0 won? or 1 lost?, sum, p, answer, features)
        sets = [(column, self.board.position_at(a, b, row * n_columns + column)[0]) for column in columns]
        self.columns = {A: column for column, A in sets}
        for parity in (0, 1) if strands == 3 else (strands - 1,):
            for column, A in sets:
                if strands == 4 or ((A | self.R) & file.dark).bit_count() % 2 == parity:
                    self.take(column, A)

    def start_weights(self, entries):
        """7: for each feature, for each decision, the weights."""
        self.weights, first = [], 0
        for pattern in self.file.patterns:
            for _ in pattern.images:
                self.weights.append([[4096 * entries[first + c][d] for c in pattern.classes] for d in (0, 1)])
            first += pattern.n_classes
        self.n_of_patterns = len(self.weights)
        for n in TABLES:
            self.weights.append([[4096 * entries[first + k][d] for k in range(n)] for d in (0, 1)])
            first += n

    def take(self, column, A):
        images = [self.columns.get(self.board.image(t, A), column) for t in self.keeping]
        arrivals = self.arrivals(A)
        value = self.values[min(images)] if min(images) < column else self.decode(self.features(A, arrivals))
        self.values[column] = value
        self.note(arrivals, value)
        self.last = (value, *self.last[:2])

    def decode(self, features):
        if self.decision(features, 0):
            return 2
        return 0 if self.decision(features, 1) else 1

    def decision(self, features, d):
        x = sum(self.weights[k][d][i] for k, i in enumerate(features))
        p = probability((max(-720896, min(720896, x)) + 2048) // 4096)
        yes = self.coder.decide(p)
        self.decisions.append((len(self.values), d, x, p, yes, features))
        error = (65536 if yes else 0) - p
        if abs(error) >= 1024:
            for k, i in enumerate(features):
                change = abs(error) * (72 if k < self.n_of_patterns else 20) // 1024
                self.weights[k][d][i] += change if error > 0 else -change
        return yes

    # ---- arrivals ----

    def closed(self, A, p):
        return sum(1 for mill in self.board.mills if mill >> p & 1 and mill & A == mill)

    def arrivals(self, A):
        options, full = self.file.options, (1 << self.board.n) - 1
        free = full & ~A & ~self.R
        most = 2 if options["removals"] == 1 else 1
        found = []
        if self.ha > 0:
            for q in points_of(free):
                found.append((A | 1 << q, "placed", min(most, self.closed(A | 1 << q, q))))
        if self.ha == 0 or options["turn"] == 1:
            flies = A.bit_count() + (self.ha if options["fly-count"] == 1 else 0) <= options["fly"]
            for p in points_of(A):
                for q in points_of(free if flies else free & self.board.neighbours[p]):
                    after = A & ~(1 << p) | 1 << q
                    found.append((after, "moved", min(most, self.closed(after, q))))
        return found

    def note(self, arrivals, value):
        nodes = self.nodes
        if value == 0:
            nodes.update((arrival, 0) for arrival in arrivals)
            return
        above = [arrival for arrival in arrivals if nodes.get(arrival, 3) >= 3]
        if value == 1:
            nodes.update((arrival, 1) for arrival in above)
            draws = [arrival for arrival in arrivals if nodes[arrival] in (1, 2)]
            if len(draws) == 1:
                nodes[draws[0]] = 2
        elif len(above) == 1:
            nodes[above[0]] = 255
        else:
            for arrival in above:
                node = nodes.get(arrival, 3)
                nodes[arrival] = node if node == 255 else min(254, node + 1 + 11 // len(above))

    # ---- features ----

    def features(self, A, arrivals):
        found = []
        for pattern in self.file.patterns:
            for image in pattern.images:
                found.append(sum(3**k * ((A >> p & 1) + 2 * (self.R >> p & 1)) for k, p in enumerate(image)))
        return found + self.of_counts(A) + self.of_arrivals(A, arrivals) + self.of_neighbours(A) + [0]

    def side(self, men, others, hand):
        near, mills = self.board.neighbours, self.board.mills
        free = (1 << self.board.n) - 1 & ~men & ~others

        def closes(q):
            if hand > 0:
                return self.closed(men | 1 << q, q) > 0
            return any(self.closed(men & ~(1 << p) | 1 << q, q) for p in points_of(men & near[q]))

        closable = [q for q in points_of(free) if closes(q)]
        made = [m for m in mills if m & men == m]
        opened = [m for m in made if any(near[p] & free for p in points_of(m))]
        return {
            "slides": sum((near[p] & free).bit_count() for p in points_of(men)),
            "blocked": sum(1 for p in points_of(men) if not near[p] & free),
            "c": len(closable),
            "safe": sum(1 for q in closable if not near[q] & others),
            "mills": len(made),
            "open": len(opened),
            "running": sum(1 for m in made if any(near[p] & free and not near[p] & others for p in points_of(m))),
            "pairs": sum(1 for m in mills if (m & men).bit_count() == 2 and not m & others),
            "in mills": sum(1 for p in points_of(men) if any(m >> p & 1 for m in made)),
        }

    def of_counts(self, A):
        o, x = self.side(A, self.R, self.ha), self.side(self.R, A, self.hb)
        self.o, self.x = o, x
        pair = lambda name, m: [(o[name], m), (x[name], m)]
        return [
            number(pair("slides", 19)),
            number(pair("c", 3) + pair("mills", 3)),
            number(pair("blocked", 9)),
            number(pair("open", 3) + pair("running", 3)),
            number(pair("pairs", 4) + pair("c", 3)),
            number(pair("safe", 2) + pair("c", 3)),
            number(pair("in mills", 9)),
            number([(x["slides"], 7)] + pair("c", 2) + [(o["slides"], 7)]),
            number(pair("running", 2) + pair("c", 2)),
            number([(value, 2) for value in self.last]),
        ]

    def of_arrivals(self, A, arrivals):
        nodes = [(self.nodes.get(arrival, 3), arrival[2] > 0) for arrival in arrivals]
        kind = lambda e: e if e < 4 else 4 if e < 9 else 5 if e < 15 else 6 if e < 255 else 7
        evidence = lambda e: 96 if e == 255 else max(0, e - 3)
        q, z = [0] * 8, [0] * 8
        for node, closing in nodes:
            (z if closing else q)[kind(node)] += 1
        k = [i + j for i, j in zip(q, z)]
        greatest = lambda some: max((i for i in range(8) if some[i]), default=8)
        Q, Z, B, S = greatest(q), greatest(z), greatest(k), int(k[7] > 0)
        c_o, c_x, slides_x = self.o["c"], self.x["c"], self.x["slides"]

        def most(best, closing):
            if best == 8:
                return 0
            return 1 if best < 3 else 2 + min(31, max(evidence(e) for e, f in nodes if f == closing) // 3)

        s = sum(evidence(e) + (0 if e == 255 else 2) for e, _ in nodes if e >= 3)
        return [
            0 if S else 1 + number([(k[6], 3), (k[5], 3), (k[4], 3), (k[3], 3)]),
            number([(sum(q[3:]), 7), (sum(z[3:]), 3), (B, 8)]),
            number([(B, 8), (k[1], 3), (k[2], 2)]),
            number([(S, 1), (k[3], 7), (z[3], 3), (c_o, 3)]),
            number([(k[6], 4), (z[6], 4), (B, 8)]),
            number([(Q, 8), (Z, 8), (q[3], 3), (z[3], 2)]),
            number([(Q, 8), (Z, 8), (c_x, 3), (slides_x // 3, 2)]),
            number([(most(Q, False), 33), (q[3], 3)]),
            number([(most(Z, True), 33), (z[3], 2)]),
            min(63, 2 * s // 3),
        ]

    def of_neighbours(self, A):
        quiet, closing = [0] * 3, [0] * 3
        for p in points_of(A):
            for q in points_of(self.board.neighbours[p] & ~A & ~self.R):
                after = A & ~(1 << p) | 1 << q
                value = self.values.get(self.columns.get(after))
                if value is not None:
                    (closing if self.closed(after, q) else quiet)[value] += 1
        w, d, l = quiet[2], quiet[1], quiet[0]
        return [
            number([(w, 7), (d, 7), (l, 7)]),
            number([(closing[2], 2), (closing[1], 2), (closing[0], 2), (w, 7)]),
        ]


def number(pairs):
    """6.2: a list with bounds as one number, the last changing fastest; [x]m is min(x, m)."""
    total = 0
    for x, m in pairs:
        total = total * (m + 1) + min(x, m)
    return total
