"""run: a second reader of tables, written from docs/FORMAT.md alone, against the program.

    python3 run.py PROGRAM FORMAT.md [--short]

Solves small games with the program, reads their tables in both editions with second_reader.py, and compares
hashes, values of random positions, refusals of damaged files and manifests, and all examples of
FORMAT.md. --short (for slow programs): fewer tables and positions.
"""

import os
import random
import sys
import tempfile
import time

import damage
import examples
import positions
from program import Program, named

SEED = 20

# One man against three: small tables with depths to a removal.
SMALL = "three,mill=removes,least=1,men=1-3"

# Rules, and options of solve. Boards of nine points stand for the options of the rules.
GAMES = [
    ("three", []),
    ("three,mill=removes,removals=each,chooser=opponent,men=4", []),
    ("three,mill=removes,turn=place-or-move,blocked=passes,mill-men=safe,men=4", []),
    ("three,mill=removes,turn=place-or-move,fly=3,fly-count=total,blocked=draws,full-board=mover-loses,"
     "mill-men=removable,men=4-5", []),
    ("four-fly", []),
    ("four,metric=dtc", []),
    ("four,n-move=6", []),
    (SMALL + ",metric=dtc", []),
    (SMALL + ",n-move=4", []),
    ("three,mill=removes,turn=place-or-move,metric=dtc,men=4", []),
    ("nine", ["--phase", "moving", "--max-men", "8"]),
]
# Boards of one's own, with 1 symmetry and with 48.
BOARDS = {
    "lame": "points a1 b1 c1 a2 b2 c2 a3 b3 c3 d1\n"
            "edges a1-b1 a1-a2 a1-b2 b1-c1 b1-b2 c1-c2 c1-d1 a2-b2 a2-a3 b2-c2 b2-b3 c2-c3 a3-b3 b3-c3\n"
            "mills a1-b1-c1 a1-a2-a3 a1-b2-c3 b1-c1-d1 b1-b2-b3 a2-b2-c2 a3-b3-c3\nmen 4\n",
    "cube": "points a1 b1 c1 d1 a2 b2 c2 d2\n"
            "edges a1-b1 a1-d1 a1-a2 b1-c1 b1-b2 c1-d1 c1-c2 d1-d2 a2-b2 a2-d2 b2-c2 c2-d2\n"
            "mills a1-c1-b2 a1-c1-d2 a1-b2-d2 b1-d1-a2 b1-d1-c2 b1-a2-c2 c1-b2-d2 d1-a2-c2\nmen 4\n",
}
LONG_GAMES = [("six", [])]


def counts_to_conversion(game):
    return "metric=" in game or "n-move=" in game


class Run:
    def __init__(self, program, document, short, root):
        self.program, self.document = Program(program), examples.Document(document)
        self.short, self.root = short, root
        self.games = GAMES + self.write_boards() + ([] if short else LONG_GAMES)

    def write_boards(self):
        paths = [os.path.join(self.root, name + ".txt") for name in BOARDS]
        for path, text in zip(paths, BOARDS.values()):
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
        return [(path, []) for path in paths]

    def directory(self, game, edition="dtm"):
        name = os.path.basename(game).replace(",", "_").replace(".txt", "")
        return os.path.join(self.root, name, edition)

    def solve(self):
        for game, options in self.games:
            dtm, wdl = self.directory(game), self.directory(game, "wdl")
            self.solve_one(game, dtm, *options)
            if not counts_to_conversion(game):
                self.export(game, dtm, wdl)
        # Both editions in one directory.
        for game in ("three", "nine"):
            self.export(game, self.directory(game), self.directory(game))

    # One thread: these tables are so small that a second one would mostly wait.
    def solve_one(self, game, directory, *options):
        self.program.run("solve", *named(game), "--db", directory, "--threads", "1", *options)

    def export(self, game, source, directory):
        self.program.run("export", *named(game), "--db", source, "--edition", "wdl", "--out", directory,
                         "--threads", "1")

    def check_positions(self):
        each = (1000 if self.short else 10000) // (2 * len(self.games)) + 1
        total = 0
        for game, _ in self.games:
            for edition in ("dtc",) if counts_to_conversion(game) else ("dtm", "wdl"):
                directory = self.directory(game, "wdl" if edition == "wdl" else "dtm")
                positions.check_hashes(self.program, game, directory, edition)
                answered = positions.compare_positions(self.program, game, directory, edition, each)
                assert answered > 0.9 * each, f"{game}, {edition}: {answered} of {each} answers"
                total += answered
        for game in ("three", "nine"):
            positions.check_hashes(self.program, game, self.directory(game), "wdl")
        return f"{total} positions"

    def small_files(self):
        """The files that section 14 prints, and their rules."""
        files = {}
        for edition, name in (("dtm", "1-1-2-2.mtb"), ("wdl", "1-1-2-2.wdl")):
            with open(os.path.join(self.directory("three", edition), name), "rb") as file:
                files[name, "three"] = file.read()
        for option in (",metric=dtc", ",n-move=4"):
            with open(os.path.join(self.directory(SMALL + option), "1-3.mtb"), "rb") as file:
                files["1-3.mtb", SMALL.replace(",men=1-3", "") + option] = file.read()
        wide = os.path.join(self.root, "wide")
        files["0-1-9-8.mtb", "nine"] = examples.check_wide(self.program, self.program.rules("nine"), wide)
        return files

    def check_document(self):
        rules = [self.program.rules(game) for game in ("nine", "three")]
        files = self.small_files()
        of_files = {game: self.program.rules(game) for _, game in files}
        examples.check_dumps(self.document, files, of_files)
        examples.check_counted(self.document, of_files)
        examples.check_rules_texts(self.document, rules)
        examples.check_slots(self.document, rules[0])
        examples.check_values(self.document, self.program, self.directory("nine"))
        examples.check_manifest(self.document, self.directory("nine"))
        return "examples of the document"

    def check_arising(self):
        examples.check_arising(self.document, self.program)
        return "subspaces that arise"

    def check_files(self):
        for (name, game), data in self.small_files().items():
            if counts_to_conversion(game):
                continue  # no other bytes than those of the others
            rules = self.program.rules(game)
            damage.check_every_byte(data, name, rules)
            alone = os.path.join(self.root, "alone")
            damage.check_every_field(self.program, game, rules, name, data, alone)
            damage.check_hash_of_values(data, name, rules)
        two_groups = os.path.join(self.directory("nine"), "5-3.mtb")
        damage.check_second_group(two_groups, "5-3.mtb", self.program.rules("nine"))
        return "damaged files"

    def check_manifests(self):
        game, directory = "three", self.directory("three", "alone")
        self.solve_one(game, directory)
        with open(os.path.join(directory, "MANIFEST"), "rb") as file:
            data = file.read()
        rules = self.program.rules(game)
        damage.check_manifest_bytes(data)
        damage.check_manifest_lines(data)
        damage.check_manifest_digits(directory, data)
        damage.check_manifest_program(self.program, game, rules, directory, data, 101 if self.short else 23)
        damage.check_manifest_growth(self.program, game, directory, data)
        return "damaged manifests"


def main():
    program, document = sys.argv[1:3]
    random.seed(SEED)
    with tempfile.TemporaryDirectory() as root:
        run = Run(program, document, "--short" in sys.argv[3:], root)
        run.solve()
        for check in (run.check_document, run.check_arising, run.check_positions, run.check_files,
                      run.check_manifests):
            start = time.process_time()
            print(f"{check()}: ok ({time.process_time() - start:.1f} s)")


if __name__ == "__main__":
    main()
