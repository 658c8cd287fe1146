"""test_merels.py: merels.py over the library of $MERELS_LIBRARY and the files of ../../data, and,
where $MERELS_PROGRAM names the program, over tables that it makes."""

import os
import subprocess
import sys
import tempfile
import threading
import unittest

import merels

HERE = os.path.dirname(os.path.abspath(__file__))
THREE = os.path.join(HERE, "..", "..", "data", "three.mce")
SIX = os.path.join(HERE, "..", "..", "data", "six.mce")


class Three(unittest.TestCase):
    def setUp(self):
        self.base = merels.Tablebase("three", THREE)
        self.addCleanup(self.base.close)

    def test_the_middle_wins(self):
        start = self.base.parse("startpos")
        self.assertEqual(start, merels.Position(0, 0, 3, 3, False, 0))
        self.assertEqual(self.base.probe(start), merels.Answer(1, None, False))
        plies = self.base.rank(start)
        self.assertEqual(len(plies), 9)
        self.assertEqual((plies[0].text, plies[0].to, plies[0].origin, plies[0].value),
                         ("b2", 4, None, 1))
        self.assertEqual(plies[0].removed, ())

    def test_text_and_plies(self):
        start = self.base.parse("startpos")
        after = self.base.apply(start, "b2")
        self.assertEqual(after, merels.Position(1 << 4, 0, 2, 3, True, 0))
        self.assertEqual(self.base.parse(self.base.format(after)), after)
        self.assertEqual(self.base.probe(after).value, -1)
        self.assertEqual(self.base.point_name(4), "b2")
        self.assertIsNone(self.base.point_name(9))

    def test_every_ply_is_worth_what_it_leads_to(self):
        position = self.base.parse("startpos")
        for _ in range(8):
            plies = self.base.rank(position)
            if not plies:
                break
            self.assertEqual(plies[0].value, self.base.probe(position).value)
            for ply in plies:
                after = self.base.apply(position, ply.text)
                self.assertEqual(ply.value, -self.base.probe(after).value, ply)
            position = self.base.apply(position, plies[0].text)

    def test_errors_have_names(self):
        for call, status in (
            (lambda: self.base.parse("nonsense"), "bad input"),
            (lambda: self.base.probe(merels.Position(1, 1)), "illegal position"),
            (lambda: self.base.probe(merels.Position(-1, 0)), "illegal position"),
            (lambda: self.base.probe(merels.Position(0, 0, 4, 4)), "not covered"),
            (lambda: merels.Tablebase("nonsense", THREE), "bad input"),
            (lambda: merels.Tablebase("six", THREE), "other rules"),
            (lambda: merels.Tablebase("three", os.path.join(HERE, "none.mce")), "missing"),
        ):
            with self.assertRaises(merels.MerelsError) as caught:
                call()
            self.assertEqual(caught.exception.status, status, str(caught.exception))

    def test_what_is_no_field_of_a_position_is_illegal(self):
        start = self.base.parse("startpos")
        sets = (float("nan"), 7.5, 7.0, "7", 2**32 + 7, 2**24, 1 << 9, float("inf"), -1, None, [7], b"7")
        counts = (float("nan"), 1.5, 3.0, "3", 256, 2**32 + 3, float("inf"), -1, None, [3])
        wrong = [start._replace(**{name: value}) for name in ("white", "black") for value in sets]
        wrong += [start._replace(**{name: value}) for value in counts
                  for name in ("white_hand", "black_hand", "removals_due", "black_to_move")]
        wrong += [None, 7, "startpos", (), (0,), (0, 0, 3, 3, False, 0, 0, 0)]
        wrong += [start._replace(quiet_plies=value) for value in (float("nan"), 0.5, "1", 1 << 16, -1, None)]
        for position in wrong:
            for call in (self.base.probe, self.base.rank, self.base.format,
                         lambda position: self.base.apply(position, "b2")):
                with self.assertRaises(merels.MerelsError, msg=repr(position)) as caught:
                    call(position)
                self.assertEqual(caught.exception.status, "illegal position", repr(position))
        self.assertEqual(self.base.probe(start).value, 1)

    def test_what_is_no_text_or_point_or_size_is_refused(self):
        start = self.base.parse("startpos")
        calls = [lambda text=text: self.base.parse(text) for text in (None, 7, b"startpos", "startpos\0x", "\ud800")]
        calls += [lambda text=text: self.base.apply(start, text) for text in (None, 4, "b2\0x")]
        calls += [lambda point=point: self.base.point_name(point) for point in ("4", 4.0, None)]
        calls += [lambda size=size: merels.Tablebase("three", THREE, size)
                  for size in (-1, 7.5, "7", None, 1 << 64)]
        calls += [lambda: merels.Tablebase(None, THREE), lambda: merels.Tablebase("three", None),
                  lambda: merels.Tablebase("three", THREE + "\0")]
        for call in calls:
            with self.assertRaises(merels.MerelsError) as caught:
                call()
            self.assertEqual(caught.exception.status, "bad input")
        for point in (-1, 9, 24, 2**32 + 4, 2**64):
            self.assertIsNone(self.base.point_name(point))

    def test_other_rules_are_named(self):
        with self.assertRaisesRegex(merels.MerelsError, r"made for other rules: three, not six \("):
            merels.Tablebase("six", THREE)

    def test_a_library_that_is_none(self):
        for path in (THREE, os.path.join(HERE, "none.so")):
            with self.assertRaises(merels.MerelsError) as caught:
                merels.Tablebase("three", THREE, library=path)
            self.assertEqual(caught.exception.status, "missing")

    def test_closed(self):
        self.base.close()
        self.base.close()
        with self.assertRaises(merels.MerelsError):
            self.base.parse("startpos")

    def test_threads_share_a_tablebase(self):
        start, answers = self.base.parse("startpos"), []
        threads = [threading.Thread(target=lambda: answers.append(self.base.probe(start).value))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [1, 1, 1, 1])


class Six(unittest.TestCase):
    def test_removals(self):
        with merels.Tablebase("six", SIX) as base:
            due = base.parse("w! a5,c5,e5 a1,c1,e3 3/3")
            self.assertEqual(due.removals_due, 1)
            plies = base.rank(due)
            self.assertTrue(plies and all(len(ply.removed) == 1 and ply.to is None for ply in plies))
            self.assertEqual(plies[0].value, base.probe(due).value)


@unittest.skipUnless("MERELS_PROGRAM" in os.environ, "$MERELS_PROGRAM names no program")
class Counted(unittest.TestCase):
    """Lost, and a removal is two plies away."""

    RULES, LOST = "six,n-move=2", "b e1,c1,a3,b4,c4,d3 a5,c5,e3 0/0"

    def test_plies_without_a_removal(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.environ["MERELS_PROGRAM"], "solve", self.RULES, "--db", folder, "--phase",
                            "moving", "--max-men", "9", "--threads", "1"], capture_output=True, check=True)
            with merels.Tablebase(self.RULES, folder) as base:
                lost = base.parse(self.LOST)
                self.assertEqual(base.probe(lost), merels.Answer(-1, 2, True))
                counted = base.parse(self.LOST + " n1")
                self.assertEqual(counted, lost._replace(quiet_plies=1))
                self.assertEqual(base.probe(counted), merels.Answer(0, None, True))
                self.assertEqual(base.format(counted), self.LOST + " n1")
                after = base.apply(lost, "c5-e5")
                self.assertEqual(after.quiet_plies, 1)
                self.assertEqual(base.apply(after, "d3-d4xe3").quiet_plies, 0)
                for plies, status in ((3, "illegal position"), (-1, "illegal position"), (1 << 16, "illegal position")):
                    with self.assertRaises(merels.MerelsError) as caught:
                        base.probe(lost._replace(quiet_plies=plies))
                    self.assertEqual(caught.exception.status, status)


class Program(unittest.TestCase):
    def test_version(self):
        self.assertRegex(merels.version(), r"^\d+\.\d+\.\d+$")

    def test_example(self):
        run = subprocess.run([sys.executable, "-B", os.path.join(HERE, "example.py"), "three", THREE],
                             capture_output=True, text=True, check=True)
        self.assertEqual(run.stdout.splitlines()[0].split(), ["b2", "wins"])
        self.assertEqual(len(run.stdout.splitlines()), 9)

    def test_example_on_bad_input(self):
        example = os.path.join(HERE, "example.py")
        for words in ([], ["three"], ["three", "none.mce"], ["six", THREE], ["three", THREE, "nonsense"]):
            run = subprocess.run([sys.executable, "-B", example, *words], capture_output=True, text=True)
            self.assertIn(run.returncode, (1, 2))
            self.assertEqual(run.stdout, "")
            self.assertNotIn("Traceback", run.stderr)


if __name__ == "__main__":
    unittest.main()
