"""program: the program under test, asked from outside."""

import json
import subprocess

from second_reader import OPTIONS, Rules, points_of


SIGNS = {"is newer than this program": "newer", "of an older format": "older", "other rules": "other rules",
         "not a Merels manifest": "damaged", "MANIFEST: damaged": "damaged"}


def named(game):
    """Words that name rules: a preset with options, or the file of a board of one's own."""
    return ["--rules", game] if "/" in game else [game]


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, *words, text=None, status=0):
        done = subprocess.run([self.path, *words], input=text, capture_output=True, text=True)
        if status is not None and done.returncode != status:
            raise AssertionError(f"merels {' '.join(words)}: exit {done.returncode}: {done.stderr}")
        return done.stdout

    def refusal(self, *words):
        """What it says of a manifest, in the words of FORMAT.md; None if nothing."""
        done = subprocess.run([self.path, *words], capture_output=True, text=True)
        for sign, kind in SIGNS.items():
            if sign in done.stderr:
                return kind
        assert done.returncode == 0 or words[0] == "list", done.stderr
        return None

    def rules(self, name):
        """The rules by their long form: what is in no table (men, closed points), comments and usual values are left out."""
        lines = self.run("rules", *named(name)).splitlines()
        text = ""
        for line in lines:
            key, _, value = line.partition(" ")
            if key not in ("#", "men", "closed-points") and (key not in OPTIONS or value != Rules.usual(key)):
                text += line + "\n"
        rules = Rules(text)
        assert f"# fingerprint {rules.fingerprint.hex()}" in lines, f"fingerprint of {name}"
        return rules

    def probe(self, name, directory, positions):
        """The answers to many positions: JSON objects."""
        text = "".join(p + "\n" for p in positions)
        out = self.run("probe", *named(name), "-", "--db", directory, text=text, status=None).splitlines()
        assert len(out) == len(positions), f"{len(out)} answers to {len(positions)} positions"
        return [json.loads(line) for line in out]


def position_text(board, own, other, ha, hb, owed=0, side="w"):
    """docs/NOTATION.md, the short form."""
    men = [",".join(board.names[p] for p in points_of(x)) or "-" for x in (own, other)]
    hands = [str(ha), str(hb)]
    if side == "b":
        men, hands = men[::-1], hands[::-1]
    due = "" if owed == 0 else "!" if owed == 1 else f"!{owed}"
    return f"{side}{due} {' '.join(men)} {'/'.join(hands)}"
