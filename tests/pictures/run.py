#!/usr/bin/env python3
"""The pictures of the program: well-formed, what they show is what the answers say, and files
are written whole or not at all.

    run.py MERELS DATA_DIR

What a picture shows is found again from its shapes: a mark is a circle (win), a path (draw), a
rect (loss) with a class, and a text in its middle.
"""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "format"))
from damage import with_checksum  # noqa: E402

MERELS, DATA = sys.argv[1:3]
NS = "{http://www.w3.org/2000/svg}"
OWN = """points a1 b1 c1 d1 a2 b2 c2 d2
edges a1-b1 b1-c1 c1-d1 d1-a1 a2-b2 b2-c2 c2-d2 d2-a2 a1-a2 b1-b2 c1-c2 d1-d2
mills a1-c1-b2 a1-c1-d2 a1-b2-d2 c1-b2-d2 b1-d1-a2 b1-d1-c2 b1-a2-c2 d1-a2-c2
fly 3
men 3
"""


def run(*args, stdin=b"", stdout=None):
    return subprocess.run([MERELS, *args], input=stdin, stdout=stdout or subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)


def picture(text):
    """The root of a picture; fails if it is not XML, or needs another file."""
    root = ElementTree.fromstring(text)
    assert root.tag == NS + "svg" and root.get("width") and root.find(NS + "title").text
    assert b"href" not in text and b"url(" not in text
    return root


def shapes(root):
    """{(x, y): (class, sign)} of all marks: a shape and its text. Rings are no shapes."""
    signs = {}
    for text in root.iter(NS + "text"):
        if text.get("class") == "sign":
            size = float(re.search(r"[\d.]+", text.get("style")).group())
            signs[round(float(text.get("x"))), round(float(text.get("y")) - 0.36 * size)] = text.text
    found = {}
    for element in root.iter():
        name = element.get("class", "")
        if name not in ("win", "draw", "loss", "unknown") or (element.tag, name) == (NS + "path", "win"):
            continue
        if element.tag == NS + "circle":
            at = float(element.get("cx")), float(element.get("cy"))
        elif element.tag == NS + "rect":
            at = (float(element.get("x")) + float(element.get("width")) / 2,
                  float(element.get("y")) + float(element.get("height")) / 2)
        else:
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", element.get("d"))]
            if "L" in element.get("d"):
                continue  # the head of an arrow
            at = numbers[0], numbers[1] + numbers[2]
        shape = {"win": "circle", "draw": "path", "loss": "rect", "unknown": "circle"}[name]
        assert element.tag == NS + shape, (name, element.tag)
        near = [k for k in signs if abs(k[0] - at[0]) < 2 and abs(k[1] - at[1]) < 2]
        assert len(near) == 1, (at, signs)
        found[near[0]] = name, signs[near[0]]
    return found


def names(root):
    """{letter or digit: coordinate} of the names along the board."""
    files, ranks = {}, {}
    for text in root.iter(NS + "text"):
        if text.get("class") == "name middle":
            if text.text.isdigit():
                ranks[text.text] = round(float(text.get("y")) - 6)
            else:
                files[text.text] = round(float(text.get("x")))
    return files, ranks


def sign(value, plies):
    return str(plies) if plies is not None else {"win": "+", "draw": "=", "loss": "\u2212"}[value]


def expected_points(answer, flies):
    """What stands on points and on lines, by the list of plies, best first."""
    points, lines = {}, {}
    for move in answer["moves"]:
        mark = move["value"], sign(move["value"], move["plies"])
        if move["to"] is None:
            for point in move["removed"]:
                points.setdefault(point, mark)
            continue
        if move["from"]:
            points.setdefault(move["from"], mark)
        if move["from"] and not flies:
            lines.setdefault((move["from"], move["to"]), mark)
        else:
            points.setdefault(move["to"], mark)
    return points, lines


class Boards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.TemporaryDirectory()
        cls.own = cls.path("own.txt")
        with open(cls.own, "w") as file:
            file.write(OWN)
        for args in (["--rules", cls.own, "--db", cls.path("own")],
                     ["three,turn=place-or-move,men=3", "--db", cls.path("mixed")],
                     ["six,chooser=opponent,men=4", "--db", cls.path("other")],
                     ["nine", "--phase", "moving", "--max-men", "7", "--db", cls.path("nine")]):
            assert run("solve", *args, "--threads", "2").returncode == 0, args

    @classmethod
    def tearDownClass(cls):
        cls.dir.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.dir.name, name)

    def check(self, rules, db, position, flies=False, words=()):
        where = [*rules, "--db", db, position]
        answer = json.loads(run("probe", "--json", *where).stdout)
        drawn = run("probe", "--svg", "-", *where)
        self.assertEqual((drawn.returncode, drawn.stderr), (0, b""))
        root = picture(drawn.stdout)
        files, ranks = names(root)
        found = shapes(root)
        points, lines = expected_points(answer, flies)
        for point, mark in points.items():
            self.assertEqual(found.pop((files[point[0]], ranks[point[1]])), mark, point)
        for (start, end), mark in lines.items():
            xs, ys = zip(*[(files[p[0]], ranks[p[1]]) for p in (start, end)])
            between = [k for k in found if min(xs) <= k[0] <= max(xs) and min(ys) <= k[1] <= max(ys)
                       and found[k] == mark]
            self.assertTrue(between, (start, end))
            found.pop(between[0])
        legend = 0 if not answer["moves"] else 5 if any(m["value"] is None for m in answer["moves"]) else 4
        self.assertEqual(len(found), legend, found)
        text = "".join(t for e in root if e.tag != NS + "style" for t in e.itertext())
        for word in (answer["position"], *words):
            self.assertIn(word, text)
        return root

    def test_placing_without_depths(self):
        for rules in ("three", "six", "seven"):
            self.check([rules], f"{DATA}/{rules}.mce", "startpos moves a1",
                       words=["these tables hold no depths", "Black to move.", rules])

    def test_the_removal(self):
        self.check(["six"], f"{DATA}/six.mce", "w! a1,a3,a5 c1,e1,b2 3/3", words=["removes 1"])

    def test_flights_and_depths(self):
        root = self.check(["nine"], self.path("nine"), "w a7,g7,g4 d7,g1,d1 0/0", flies=True,
                          words=["White wins in 25 plies.", "with the plies to the end of the game"])
        self.assertEqual(sum(e.get("class") == "white-man" for e in root.iter()), 3)
        self.assertEqual(sum(e.get("class") == "black-man" for e in root.iter()), 3)

    def test_slides(self):
        self.check(["nine"], self.path("nine"), "w d7,d1,d6,d2 b6,c5,e5 0/0",
                   words=["White loses in 22 plies."])

    def test_a_side_that_places_or_moves(self):
        self.check(["three,turn=place-or-move"], self.path("mixed"), "startpos moves a1 c3")

    def test_a_man_that_the_other_side_picks(self):
        rules, db = "six,chooser=opponent,men=4", self.path("other")
        rings = lambda root: [e for e in root.iter() if e.get("class") == "win-line" and e.get("stroke-width") == "3"]
        dashed = lambda root: [e for e in root.iter() if e.get("stroke-dasharray") and e.get("class") == "loss-line"]
        root = self.check([rules], db, "w a5,c5,b2 a1,b4,d4 1/1", words=["White wins in 5 plies."])
        self.assertEqual((len(rings(root)), len(dashed(root))), (1 + 1, 3))  # one in the legend
        root = self.check([rules], db, "w! a5,c5,e5,b2 a1,b4,d4 0/1", words=["picked by Black"])
        self.assertEqual((len(rings(root)), len(dashed(root))), (3 + 1, 0))

    def test_a_board_of_ones_own(self):
        root = self.check(["--rules", self.own], self.path("own"), "w a1,b1,c2 a2,c1,d1 0/0", flies=True)
        bowed = [e for e in root.iter() if e.get("class") == "line" and "Q" in e.get("d")]
        self.assertEqual(len(bowed), 2)  # a1-d1 and a2-d2 go around the points between

    def test_a_game_that_is_over(self):
        self.check(["nine"], self.path("nine"), "w a7,d7 a1,d1,g1 0/0",
                   words=["White has lost: the game is over (too few men)."])

    def test_a_ply_without_a_table(self):
        base = self.path("part")
        os.mkdir(base)
        for name in ("4-3.mtb",):
            os.link(os.path.join(self.path("nine"), name), os.path.join(base, name))
        drawn = run("probe", "nine", "--db", base, "--svg", "-", "w a7,d7,g4,b6 a1,d1,g1 0/0")
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertIn(("unknown", "?"), shapes(picture(drawn.stdout)).values())

    def test_the_last_ply_and_the_men_that_the_best_take(self):
        root = self.check(["six"], f"{DATA}/six.mce", "startpos moves a1 c5 a3 e3")
        self.assertEqual(sum(e.get("class") == "trace" for e in root.iter()), 1)
        dashed = [e for e in root.iter() if e.get("class") == "loss-line" and e.get("stroke-dasharray")]
        takes = [m for m in json.loads(run("probe", "six", "--json", "--db", f"{DATA}/six.mce",
                                           "startpos moves a1 c5 a3 e3").stdout)["moves"] if m["removed"]]
        self.assertTrue(takes)
        self.assertEqual(len(dashed), 2)


class Games(unittest.TestCase):
    """A picture of a game says what analyse --json says."""

    GAME = "a1 c5 a3 e3 a5xc5 e1 c1 e5xc1 c1"

    def analyse(self, *args, **rest):
        return run("analyse", "six", "--db", f"{DATA}/six.mce", *args, **rest)

    def check(self, game, root):
        answer = json.loads(self.analyse("--json", game).stdout)
        nodes = [e for e in root.iter() if e.get("class") == "node"]
        self.assertEqual(len(nodes), len(answer["moves"]) + 1)
        texts = [e.find(NS + "title").text for e in nodes]
        sides = {"white": "White wins", "black": "Black wins"}
        other = {"white": "black", "black": "white"}
        for i, move in enumerate(answer["moves"]):
            wins = {"win": sides[move["side"]], "loss": sides[other[move["side"]]], "draw": "draw"}
            best, value = wins[move["best_value"]], wins[move["value"]]
            self.assertTrue(texts[i].endswith(": " + best), (texts[i], best))
            self.assertEqual(texts[i + 1], f"{i + 1}. {move['move']}: {value}")
        middle = next(float(e.get("d").split()[1].split("L")[0]) for e in root.iter()
                      if e.get("class") == "axis")
        for node, text in zip(nodes, texts):
            above = middle - float(node.get("cy"))
            self.assertEqual((above > 1) - (above < -1),
                             1 if "White wins" in text else -1 if "Black wins" in text else 0)
        bad = [(i + 1, m) for i, m in enumerate(answer["moves"]) if m["mistake"]]
        words = [e.text for e in root.iter(NS + "text")]
        for number, move in bad:
            side = move["side"].capitalize()
            self.assertIn(f"{number}. {move['move']}: {side} throws away the {move['best_value']}", words)
        self.assertEqual(sum(e.get("class") == "loss" for e in root.iter()), len(bad))
        return bad

    def test_a_game_with_mistakes(self):
        drawn = self.analyse("--svg", "-", self.GAME)
        self.assertEqual((drawn.returncode, drawn.stderr), (0, b""))
        bad = self.check(self.GAME, picture(drawn.stdout))
        self.assertGreater(len(bad), 1)

    def test_a_game_of_no_plies(self):
        drawn = self.analyse("--svg", "-", "startpos moves")
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        self.assertIn("0 plies", "".join(picture(drawn.stdout).itertext()))

    def test_names_are_escaped(self):
        tags = b'[White "A & <B> \x01"]\n[Black "\xff \xc3\xa9]]>"]\n\n' + self.GAME.encode() + b"\n"
        with tempfile.TemporaryDirectory() as folder:
            drawn = self.analyse("--svg", os.path.join(folder, "a.b.svg"), "-", stdin=tags + b"\n" + tags)
            self.assertEqual(drawn.returncode, 0, drawn.stderr)
            self.assertEqual(sorted(os.listdir(folder)), ["a.b-1.svg", "a.b-2.svg"])
            with open(os.path.join(folder, "a.b-2.svg"), "rb") as file:
                title = picture(file.read()).find(NS + "title").text
        self.assertRegex(title, r"^A & <B> \S* ?\u2013 \S+ .*]]>$")

    def test_a_broken_game_is_drawn_as_far_as_it_goes(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "game.svg")
            result = self.analyse("--svg", name, "a1 c5 a1")
            self.assertEqual(result.returncode, 1)
            with open(name, "rb") as file:
                root = picture(file.read())
        self.assertEqual(sum(e.get("class") == "node" for e in root.iter()), 3)

    def test_what_does_not_go_together(self):
        for args in (["--json", self.GAME], ["--tsv", self.GAME], ["-"]):
            result = self.analyse("--svg", "-", *args, stdin=b"a1 c5\n")
            self.assertEqual((result.returncode, result.stdout), (2, b""), args)


class Tables(unittest.TestCase):
    """Plots against stats and against values counted one by one."""

    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.TemporaryDirectory()
        cls.db, cls.out = (os.path.join(cls.dir.name, name) for name in ("db", "out"))
        assert run("solve", "nine", "--phase", "moving", "--max-men", "7", "--db", cls.db,
                   "--threads", "2").returncode == 0

    @classmethod
    def tearDownClass(cls):
        cls.dir.cleanup()

    def stats(self, *args):
        return run("stats", "nine", "--db", self.db, *args)

    def bars(self, name, out=None):
        """{"won": {depth: positions}, "lost": ...}"""
        with open(os.path.join(out or self.out, name), "rb") as file:
            root = picture(file.read())
        found = {"won": {}, "lost": {}}
        for rect in root.iter(NS + "rect"):
            title = rect.find(NS + "title")
            match = title is not None and re.match(r"(won|lost) in (\d+): ([\d,]+)$", title.text)
            if match:
                self.assertEqual(rect.get("class"), {"won": "win", "lost": "loss"}[match[1]])
                found[match[1]][int(match[2])] = int(match[3].replace(",", ""))
        return found, "".join(root.itertext())

    def compare(self, rows, out):
        together = {"won": {}, "lost": {}}
        for row in rows:
            bars, _ = self.bars(f"depths-{row['subspace']}.svg", out)
            for key, count, longest in (("won", "win", "max_win"), ("lost", "loss", "max_loss")):
                self.assertEqual(sum(bars[key].values()), row[count])
                self.assertEqual(max(bars[key], default=None), row[longest])
                for d, n in bars[key].items():
                    together[key][d] = together[key].get(d, 0) + n
        self.assertEqual(self.bars("depths.svg", out)[0], together)

    def test_all(self):
        text = self.stats()
        both = self.stats("--plot", self.out)
        self.assertEqual((both.returncode, both.stdout), (0, text.stdout))
        rows = json.loads(self.stats("--json").stdout)["subspaces"]
        self.assertEqual(sorted(os.listdir(self.out)), sorted(
            ["results.svg", "depths.svg", *(f"depths-{row['subspace']}.svg" for row in rows)]))
        self.compare(rows, self.out)
        # Published counts, symmetric positions apart: at most 16 of each, nearly always just as many.
        bars, words = self.bars("depths-3-3.svg")
        self.assertIn("Won, at most 25 plies to the end of the game", words)
        with open(os.path.join(DATA, "nine-3-3-wins-by-ply.tsv")) as file:
            published = dict(map(int, line.split("\t")) for line in file if line[0].isdigit())
        self.assertEqual(sorted(published), sorted(bars["won"]))
        for d, n in published.items():
            self.assertTrue(0.9 * 16 * bars["won"][d] < n <= 16 * bars["won"][d], (d, n, bars))

    def test_depths_that_do_not_count_to_the_end(self):
        db, out = (os.path.join(self.dir.name, name) for name in ("dtc", "out-dtc"))
        rules = ["nine,metric=dtc", "--db", db]
        self.assertEqual(run("solve", *rules, "--phase", "moving", "--max-men", "7", "--threads", "2").returncode, 0)
        self.assertEqual(run("stats", *rules, "--plot", out).returncode, 0)
        self.compare(json.loads(run("stats", *rules, "--json").stdout)["subspaces"], out)
        self.assertIn("Won, at most 11 plies to the next removal or the end", self.bars("depths-3-4.svg", out)[1])
        drawn = run("probe", *rules, "--svg", "-", "w a7,g7,g4 d7,g1,d1 0/0")
        self.assertIn("with the plies to the next removal or the end", "".join(picture(drawn.stdout).itertext()))
        # The number at the end of a game is that of its last position, whatever the last ply did.
        game = "w a7,d7,g4 a1,d1,e3,c4 0/0 moves g4-g7xa1"
        drawn = run("analyse", *rules, "--svg", "-", game)
        nodes = [e.find(NS + "title").text for e in picture(drawn.stdout).iter() if e.get("class") == "node"]
        last = json.loads(run("probe", *rules, "--json", game).stdout)
        expected = "draw" if last["value"] == "draw" else f"({last['plies']})"
        self.assertTrue(nodes[-1].endswith(expected), (nodes, last["plies"]))

    def test_shares(self):
        self.assertEqual(self.stats("--plot", self.out).returncode, 0)
        rows = json.loads(self.stats("--json").stdout)["subspaces"]
        with open(os.path.join(self.out, "results.svg"), "rb") as file:
            root = picture(file.read())
        shares = [e.find(NS + "title").text for e in root.iter(NS + "rect") if e.find(NS + "title") is not None]
        expected = []
        for men in (6, 7):
            of = [sum(row[key] for row in rows if sum(map(int, row["subspace"].split("-"))) == men)
                  for key in ("win", "draw", "loss")]
            expected += [f"{100 * n / sum(of):.3f} %" for n in of if n]
        self.assertEqual(shares, expected)

    def test_a_table_that_is_not_kept(self):
        base, out = (os.path.join(self.dir.name, name) for name in ("part", "out-part"))
        shutil.copytree(self.db, base)
        os.remove(os.path.join(base, "4-3.mtb"))
        with open(os.path.join(base, "MANIFEST"), "rb") as file:
            text = file.read()
        with open(os.path.join(base, "MANIFEST"), "wb") as file:
            file.write(with_checksum(re.sub(rb"# table (4-3 .*\n).*\n", rb"# dropped \1", text, count=1)))
        self.assertEqual(self.stats("--plot", self.out).returncode, 0)
        result = run("stats", "nine", "--db", base, "--plot", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(os.listdir(out)), ["depths-3-3.svg", "depths-3-4.svg", "depths.svg", "results.svg"])
        with open(os.path.join(out, "results.svg"), "rb") as part, open(os.path.join(self.out, "results.svg"), "rb") as all_:
            self.assertEqual(part.read(), all_.read())
        with open(os.path.join(out, "depths.svg"), "rb") as file:
            self.assertIn("the tables that are kept", picture(file.read()).find(NS + "title").text)

    def test_without_depths(self):
        wdl, out = (os.path.join(self.dir.name, name) for name in ("wdl", "out-wdl"))
        self.assertEqual(run("export", "nine", "--edition", "wdl", "--db", self.db, "--out", wdl).returncode, 0)
        result = run("stats", "nine", "--db", wdl, "--plot", out)
        self.assertEqual((result.returncode, os.listdir(out)), (0, ["results.svg"]))
        self.assertIn(b"no depths", result.stderr)

    def test_refusals(self):
        self.assertEqual(self.stats("--reachable", "--plot", self.out).returncode, 2)
        result = self.stats("--plot", "/dev/null/x")
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"/dev/null", result.stderr)


class Files(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def probe(self, *args, **rest):
        return run("probe", "three", "--db", f"{DATA}/three.mce", *args, **rest)

    def refused(self, result, status, words):
        self.assertEqual((result.returncode, result.stdout), (status, b""), result.stderr)
        self.assertIn(words, result.stderr.decode())
        self.assertEqual(result.stderr.count(b"\n"), 1)

    def test_a_file_is_replaced_whole(self):
        name = self.path("board.svg")
        with open(name, "w") as file:
            file.write("old")
        text = self.probe("startpos")
        both = self.probe("startpos", "--svg", name)
        self.assertEqual(both.stdout, text.stdout)
        with open(name, "rb") as file:
            drawn = file.read()
        picture(drawn)
        self.assertEqual(os.listdir(self.dir.name), ["board.svg"])
        alone = self.probe("startpos", "--svg", "-")
        self.assertEqual(alone.stdout, drawn)

    def test_what_is_no_file(self):
        self.refused(self.probe("startpos", "--svg", self.dir.name), 2, "not a regular file")
        self.refused(self.probe("startpos", "--svg", self.dir.name + "/"), 2, "names no file")
        self.refused(self.probe("startpos", "--svg", "/dev/null"), 2, "not a regular file")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.refused(self.probe("startpos", "--svg", self.path("no/board.svg")), 1, "no/board.svg")

    def test_what_does_not_go_together(self):
        self.refused(self.probe("startpos", "--svg", "-", "--json"), 2, "--json and --svg -")
        self.refused(self.probe("-", "--svg", self.path("a.svg"), stdin=b"startpos\n"), 2, "one position")
        self.assertEqual(os.listdir(self.dir.name), [])

    def test_a_full_disk(self):
        with open("/dev/full", "wb") as full:
            result = self.probe("startpos", "--svg", "-", stdout=full)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"standard output", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
