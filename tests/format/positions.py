"""positions: random positions of all subspaces, answered by the second reader and by the program."""

import hashlib
import random

from program import named, position_text
from second_reader import Refusal, Tablebase, subspace_name

# What the program says of a position without an answer, and what the second reader says.
REFUSALS = {"illegal position": {"illegal"}, "cannot arise": {"illegal", "missing"}, "missing": {"missing"}}


def random_image(board, own, other):
    tables = random.choice(board.tables)
    return board.image(tables, own), board.image(tables, other)


def random_position(rules, subspace):
    """A position with its hands, and no removal owed."""
    a, b, ha, hb = subspace
    rows, columns = rules.board.shape(a, b)
    own, other = rules.board.position_at(a, b, random.randrange(rows * columns))
    return (*random_image(rules.board, own, other), ha, hb, 0)


def random_middle(rules, subspace):
    """A turn whose mill is closed, and which leads to the subspace when its men are removed; None if
    there is none such."""
    b, a, hb, ha = subspace  # of the side that moves after the removal, and of the one that removes
    board = rules.board
    owed = random.choice((1, 2)) if rules.is_("removals", "each") else 1
    mills = random.choice(list(mills_at_a_point(board, owed)))
    rest = [p for p in range(board.n) if not mills >> p & 1]
    missing = a - mills.bit_count()
    if missing < 0 or a + b + owed > board.n:
        return None
    chosen = random.sample(rest, missing + b + owed)
    own = mills | sum(1 << p for p in chosen[:missing])
    return own, sum(1 << p for p in chosen[missing:]), ha, hb, owed


def mills_at_a_point(board, count):
    for p in range(board.n):
        at = [m for m in board.mills if m >> p & 1]
        if len(at) >= count:
            union = 0
            for mill in random.sample(at, count):
                union |= mill
            yield union


def draw_positions(rules, subspaces, count):
    """As many positions, every subspace as often; one of four in the middle of a turn."""
    positions = []
    while len(positions) < count:
        for subspace in subspaces:
            middle = random.randrange(4) == 0 and rules.is_("mill", "removes")
            position = random_middle(rules, subspace) if middle else None
            positions.append(position or random_position(rules, subspace))
    return positions[:count]


def check_answer(where, value, answer):
    """The same outcome; the same depth where both know one (of an edition without depths)."""
    outcome, depth = value
    assert answer["value"] == outcome, f"{where}: {value}, the program: {answer}"
    if answer["metric"] == "dtm" or None not in (depth, answer["plies"]):
        assert answer["plies"] == depth, f"{where}: {value}, the program: {answer}"


def compare_positions(program, game, directory, edition, count):
    """Returns how many positions have an answer."""
    base = Tablebase(directory, edition)
    positions = draw_positions(base.rules, list(base.listed), count)
    texts = [position_text(base.rules.board, *p, side=random.choice("wb")) for p in positions]
    answered = 0
    for text, position, answer in zip(texts, positions, program.probe(game, directory, texts)):
        where = f"{game}, {edition}, '{text}'"
        try:
            value = base.value(*position)
        except Refusal as refusal:
            assert refusal.kind in REFUSALS[answer["status"]], f"{where}: {refusal}, {answer}"
            continue
        if answer.get("status") == "cannot arise":
            continue
        assert "value" in answer, f"{where}: {value}, the program: {answer}"
        check_answer(where, value, answer)
        answered += 1
    return answered


def check_hashes(program, game, directory, edition):
    """Value hashes and file hashes of all tables, and the root, by two programs and the manifest."""
    base = Tablebase(directory, edition, program.rules(game))
    listing = program.run("list", *named(game), "--db", directory)
    written = base.manifest.editions[edition]
    assert written.root(base.rules).hex() in listing, f"{game}: root hash of {edition}"
    for subspace, listed in base.listed.items():
        table = base.table(subspace)
        where = f"{game}: {table.name}"
        assert table.compute_values_hash() == listed.values_hash, f"{where}: hash of the values"
        with open(table.file.name, "rb") as file:
            data = file.read()
        assert written.file_hashes[subspace] == hashlib.sha256(data).hexdigest(), f"{where}: hash of the file"
        assert f"{table.name}\t{subspace_name(subspace)}\t{edition}\t{len(data)}" in listing, where
        assert listed.values_hash.hex() in listing, where
