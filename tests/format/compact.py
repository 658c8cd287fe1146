"""compact: a second decoder of edition compact, written from docs/COMPACT.md alone, against the program.

    python3 compact.py PROGRAM COMPACT.md DATA [--short]

The stored positions of files that the program makes, and of the starter files in DATA, must have the values of the
tables with depths, as second_reader.py reads them; the example of the document must be what is in
three.mce; a head with any byte changed must be refused. --short (for slow programs): fewer positions.
"""

import os
import random
import re
import sys
import tempfile
import time

import compact_reader
import second_reader
from program import Program, named

SEED = 20

# Whole and in strands, with every option that a walk over a block depends on.
GAMES = [
    "three",
    "six",
    "four,turn=place-or-move,men=3",
    "three,mill=removes,removals=each,men=4",
    "three,mill=removes,turn=place-or-move,fly=3,fly-count=total,men=4-5",
]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def solve(program, game, root):
    directory, path = os.path.join(root, game), os.path.join(root, game + ".mce")
    program.run("solve", *named(game), "--db", directory, "--threads", "1")
    program.run("export", *named(game), "--db", directory, "--edition", "compact", "--out", path, "--threads", "1")
    return directory, path


def check_values(file, directory, n_slots):
    """Rows of every stored subspace, some n_slots in each, against the tables."""
    tables = second_reader.Tablebase(directory, "dtm")
    assert file.fingerprint == tables.rules.fingerprint and file.rules_text == tables.rules.text
    assert set(file.subspaces) == set(tables.listed), "subspaces"
    n = 0
    for counts, (strands, *_) in file.subspaces.items():
        if strands == 0:
            continue
        table, (n_rows, n_columns) = tables.table(counts), file.board.shape(*counts[:2])
        for row in random.sample(range(n_rows), min(n_rows, 1 + n_slots // n_columns)):
            for piece in range(-(-n_columns // compact_reader.PIECE_COLUMNS)):
                n += check_block(file.block(counts, row, piece).values, table, row * n_columns, f"{counts}, row {row}")
    return n


def check_block(values, table, first, where):
    n = 0
    for column, value in values.items():
        try:
            outcome, _ = table.value(first + column)
        except second_reader.Refusal as refusal:
            assert refusal.kind == "illegal", where  # no position that needs a value
            continue
        assert outcome == compact_reader.OUTCOMES[value], f"{where}, column {column}"
        n += 1
    return n


def check_heads(data):
    head = int.from_bytes(data[40:44], "little")
    for at in range(head):
        damaged = bytearray(data)
        damaged[at] ^= 1 << at % 8
        try:
            compact_reader.File(bytes(damaged))
        except second_reader.Refusal:
            continue
        raise AssertionError(f"byte {at} of a head")
    return head


def check_example(document, data):
    """11: the bytes that it shows, and the decisions of one row."""
    section = document[document.index("## 11 "):]
    shown = 0
    for at, text in re.findall(r"^    ([0-9a-f]{8}): ((?:[0-9a-f]{2,4} )+) ", section, flags=re.M):
        line = bytes.fromhex(text)
        assert data[int(at, 16) : int(at, 16) + len(line)] == line, at
        shown += len(line)
    assert shown > 700, shown
    block = compact_reader.File(data).block((1, 2, 2, 1), 0, 0)
    rows = re.findall(r"^\| (\d+) \| (won|lost)\? \| (-?\d+) \| (\d+) \| (yes|no) \| ([\d, ]+) \|$", section, flags=re.M)
    expected = [(str(slots), ("won", "lost")[d], str(x), str(p), "yes" if yes else "no", ", ".join(map(str, features)))
                for slots, d, x, p, yes, features in block.decisions]
    assert rows == expected and len(rows) == 9, rows
    words = ", ".join(("lost", "drawn", "won")[value] for value in block.values.values())
    assert f"So the slots are {words}." in section


def main():
    program, document, data, *options = sys.argv[1:]
    program, short = Program(program), "--short" in options
    random.seed(SEED)
    start = time.process_time()
    with open(document, encoding="utf-8") as file:
        check_example(file.read(), read(os.path.join(data, "three.mce")))
    n_heads = check_heads(read(os.path.join(data, "three.mce")))
    total = 0
    with tempfile.TemporaryDirectory() as root:
        for game in GAMES[:1] if short else GAMES:
            directory, path = solve(program, game, root)
            starter = os.path.join(data, game + ".mce")
            if os.path.exists(starter):
                assert read(path) == read(starter), f"{starter}: other bytes than an export"
            n = check_values(compact_reader.File(read(path)), directory, 1000)
            assert n > 0, game
            total += n
    print(f"the example, {n_heads} damaged heads, {total} values: ok ({time.process_time() - start:.1f} s)")


if __name__ == "__main__":
    main()
