"""examples: what docs/FORMAT.md prints (dumps, slots, hashes, a manifest) against tables and program."""

import io
import os
import re
import struct

from program import position_text
from second_reader import (NONE32, Manifest, Rules, Table, Tablebase, ZSTD, arising, parse_subspace, sha256,
                           xxh64)

# The version of libzstd that made the example of section 9: stored bytes depend on it.
EXAMPLE_ZSTD = 10504


class Document:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        parts = re.split(r"^## (\d+) ", self.text, flags=re.M)
        self.sections = {int(n): body for n, body in zip(parts[1::2], parts[2::2])}

    def rows(self, section, n_columns):
        """The table rows of a section that have so many columns, without heads and rules."""
        for line in self.sections[section].splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if line.startswith("|") and len(cells) == n_columns and "---" not in line:
                yield cells

    def dumps(self):
        """(name of the file, rules, bytes) of every hex dump."""
        title, data = None, bytearray()
        for line in self.sections[14].splitlines() + [""]:
            found = re.search(r"`([0-9-]+\.(?:mtb|wdl))` of `(\S+)`", line)
            dump = re.fullmatch(r"    ([0-9a-f]{8}): ((?:[0-9a-f]{2,4} )+) .*", line)
            if dump:
                assert int(dump[1], 16) == len(data), f"offsets of the dump of {title}"
                data += bytes.fromhex(dump[2])
            elif data:
                yield *title, bytes(data)
                data = bytearray()
            title = found.groups() if found else title

    def rules_texts(self):
        """The rules texts and fingerprints that section 14 prints."""
        pattern = r"((?:    (?:points|edges|mills|[a-z-]+) [^\n]*\n)+)\nand its fingerprint ([0-9a-f]{32})"
        for text, fingerprint in re.findall(pattern, self.sections[14]):
            yield Rules(text.replace("    ", "")), fingerprint


def sets_of(board, men):
    return sum(1 << board.names.index(p) for p in men.split()) if men != "none" else 0


def check_slots(document, rules):
    """The first table of section 14."""
    rows = [cells for cells in document.rows(14, 7) if cells[0] != "own"]
    assert len(rows) >= 6
    for own, other, name, row, column, slot, images in rows:
        sets = []
        for cell in (own, other):
            men, _, number = cell.partition(" = ")
            sets.append(sets_of(rules.board, men))
            assert not number or int(number, 16) == sets[-1], cell
        a, b, _, _ = parse_subspace(name)
        slots = rules.board.slots_of(*sets)
        n_columns = rules.board.shape(a, b)[1]
        assert int(row) * n_columns + int(column) == int(slot) and int(slot) in slots, slot
        assert len(slots) == int(images) and rules.board.slot(*sets) in slots, slot


def check_values(document, program, directory):
    """The ten slots of 3-3: by the tables, by the second reader and by the program."""
    dtm, wdl = Tablebase(directory, "dtm"), Tablebase(directory, "wdl")
    board, subspace = dtm.rules.board, (3, 3, 0, 0)
    rows = [cells for cells in document.rows(14, 5) if cells[0] != "slot"]
    assert len(rows) == 10, "ten slots"
    texts = []
    for slot, own, other, byte, code in rows:
        own, other, slot = sets_of(board, own), sets_of(board, other), int(slot)
        assert board.position_at(3, 3, slot) == (own, other), f"slot {slot}"
        outcome, depth = dtm.table(subspace).value(slot)
        assert int(byte) == (255 if depth is None else depth), f"slot {slot}"
        assert wdl.table(subspace).value(slot)[0] == outcome, f"slot {slot}"
        assert ("draw", "win", "loss")[int(code)] == outcome, f"slot {slot}"
        texts.append(position_text(board, own, other, 0, 0))
    for row, answer in zip(rows, program.probe("nine", directory, texts)):
        assert int(row[3]) == (255 if answer["plies"] is None else answer["plies"]), row
    for edition, base in (("dtm", dtm), ("wdl", wdl)):
        printed = re.search(f"`3-3` of `nine`, {edition}: `([0-9a-f]{{64}})`", document.sections[14])
        assert printed[1] == base.table(subspace).values_hash.hex(), f"hash of {edition}"


def check_manifest(document, directory):
    """The example of section 9: its whole lines are those of a manifest of 3-3."""
    with open(os.path.join(directory, "MANIFEST"), encoding="ascii") as file:
        lines = file.read().splitlines()
    example = re.findall(r"^    (# (?:Merels|fingerprint|edition|table 3-3).*)$", document.sections[9], re.M)
    assert len(example) == 4
    for line in example:
        if ZSTD.ZSTD_versionNumber() != EXAMPLE_ZSTD:
            line = re.sub(r"bytes=\d+ ", "", line)
            lines = [re.sub(r"bytes=\d+ ", "", other) for other in lines]
        assert line in lines, f"example of the manifest: '{line}'"


def wide_file(rules):
    """7: the file of 0-1-9-8 with four values of two bytes, made as the document says."""
    values = struct.pack("<4H", 301, 65535, 300, 254)
    end = 256 + 16 + 16 + len(values)
    entries = struct.pack("<2Q", end, xxh64(values))
    groups = struct.pack("<2Q", end - len(values), xxh64(entries))
    start = b"MERELSTB" + struct.pack("<I", 2)
    header = start + struct.pack("<I", xxh64(start) & 0xFFFFFFFF) + rules.fingerprint
    header += bytes([1, 2, 24, 0, 0, 1, 9, 8]) + struct.pack("<2I", 16384, 128)
    header += struct.pack("<8Q", 4, 4, 1, 4, 1, 1, 2, 0) + struct.pack("<2I", 301, 300)
    header += struct.pack("<5Q", 0, 2, 1, end, xxh64(groups)) + sha256(sha256(values)) + bytes(56)
    return header + struct.pack("<Q", xxh64(header)) + groups + entries + values


def check_wide(program, rules, directory):
    """Two programs read a file with values of two bytes that was made by a third."""
    data = wide_file(rules)
    table = Table(io.BytesIO(data), "0-1-9-8.mtb", rules)
    assert [table.value(k) for k in range(4)] == [("win", 301), ("draw", None), ("loss", 300), ("loss", 254)]
    assert table.compute_values_hash() == table.values_hash
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "0-1-9-8.mtb"), "wb") as file:
        file.write(data)
    texts = [position_text(rules.board, 0, rules.board.rows(1)[0][k], 9, 8) for k in range(4)]
    answers = program.probe("nine", directory, texts)
    found = [(answer["value"], answer["plies"]) for answer in answers]
    assert found == [table.value(k) for k in range(4)], found
    return data


def values_of(data, name, rules):
    table = Table(io.BytesIO(data), name, rules)
    return [table.value(k) for k in range(table.facts["slots"])]


def check_counted(document, rules):
    """The tables of metric dtc and of a count differ in what takes more plies than are counted."""
    values = {game: values_of(data, name, rules[game]) for name, game, data in document.dumps() if name == "1-3.mtb"}
    plain, counted = values.values()
    assert set(plain) == {("loss", depth) for depth in (0, 2, 4, 6)}, set(plain)
    assert counted == [value if value[1] <= 4 else ("draw", None) for value in plain]


def check_dumps(document, files, rules):
    """Every dump is the file that was made here, to the byte; files: {(name, rules): bytes}. What another
    version of libzstd has compressed must hold the same values."""
    dumps = {(name, game): data for name, game, data in document.dumps()}
    assert dumps.keys() == files.keys(), f"dumps of {list(dumps)}"
    for key, data in dumps.items():
        same = data == files[key]
        if not same and ZSTD.ZSTD_versionNumber() != EXAMPLE_ZSTD:
            same = values_of(data, key[0], rules[key[1]]) == values_of(files[key], key[0], rules[key[1]])
        assert same, f"dump of {key[0]} of {key[1]}"


def check_rules_texts(document, all_rules):
    printed = list(document.rules_texts())
    assert len(printed) == len(all_rules)
    for (rules, fingerprint), expected in zip(printed, all_rules):
        assert rules.text == expected.text and rules.fingerprint.hex() == fingerprint


def check_arising(document, program):
    """13: how many subspaces, and slots, for starts of several games, against the document and plan."""
    rows = [cells for cells in document.rows(13, 5) if cells[0] != "game"]
    assert len(rows) >= 4
    for game, start, count, empty, slots in rows:
        rules = program.rules(game.strip("`"))
        found = arising(rules, *map(int, start.split("-")))
        shapes = [rules.board.shape(a, b) for a, b, _, _ in found]
        assert len(found) == int(count), f"{game}: {len(found)} subspaces"
        assert sum(s[2:] == (0, 0) for s in found) == int(empty), f"{game}: empty hands"
        assert sum(r * c for r, c in shapes) == int(slots.replace(",", "")), f"{game}: slots"
