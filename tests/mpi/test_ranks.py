"""Runs of several ranks: the same bytes as of one process, whatever goes wrong in between."""

import filecmp
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["MERELS_PROGRAM"]
PATIENCE = 300

# Ranks sleep where they wait; a machine may have fewer processors than there are ranks; and a test may run as root.
ENVIRONMENT = dict(
    os.environ,
    OMP_NUM_THREADS="1",
    OMP_WAIT_POLICY="passive",
    OMPI_ALLOW_RUN_AS_ROOT="1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_odls_base_sigkill_timeout="2",  # seconds for last words, also on a busy machine
)


def mpirun(*parts):
    """The command line of ranks: (number, words) for each part; words is a list."""
    line = ["mpirun", "--oversubscribe", "--bind-to", "none"]
    for k, (n, words) in enumerate(parts):
        line += ([":"] if k else []) + ["-n", str(n)] + words
    return line


def merels(*words):
    return [PROGRAM, *words, "--threads", "1"]


def run(line, **more):
    return subprocess.run(line, capture_output=True, text=True, env=ENVIRONMENT, timeout=PATIENCE, **more)


class Ranks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = tempfile.mkdtemp(prefix="merels-mpi-")
        cls.single = {}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.room)

    def new_dir(self):
        return tempfile.mkdtemp(dir=self.room)

    def one_process(self, *words):
        """The directory that one process makes of the same words."""
        if words not in self.single:
            db = os.path.join(self.room, "single%d" % len(self.single))
            done = run(merels("solve", *words, "--db", db))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.single[words] = db
        return self.single[words]

    def assert_same(self, db, *words):
        single = self.one_process(*words)
        names = sorted(os.listdir(single))
        self.assertEqual(names, sorted(os.listdir(db)))
        match, mismatch, errors = filecmp.cmpfiles(single, db, names, shallow=False)
        self.assertEqual((mismatch, errors), ([], []))
        self.assertGreater(len(match), 1)

    def assert_whole(self, db):
        """What has a final name is whole: it verifies as far as it goes, and no file is left over."""
        for name in os.listdir(db):
            self.assertRegex(name, r"^(MANIFEST|[0-9-]+\.mtb)(\.part)?$")

    def solve(self, n, *words, **more):
        db = self.new_dir()
        done = run(mpirun((n, merels("solve", *words, "--db", db))), **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count(" solves:\n"), 1, "rank 0 alone speaks")
        return db, done.stderr


class Bytes(Ranks):
    def test_side_by_side(self):
        for n in (1, 2, 3, 5):
            with self.subTest(ranks=n):
                db, _ = self.solve(n, "six")
                self.assert_same(db, "six")

    def test_in_groups(self):
        for n, group in ((2, 2), (3, 3), (5, 2), (5, 5)):
            with self.subTest(ranks=n, group=group):
                db, said = self.solve(n, "six", "--group", str(group))
                self.assert_same(db, "six")
                self.assertRegex(said, r"sent each other [0-9.]+ MB in [0-9]+ meetings")

    def test_nine(self):
        words = ("nine", "--max-men", "7")
        for n, group in ((1, 1), (2, 2), (3, 1), (5, 5)):
            with self.subTest(ranks=n, group=group):
                db, _ = self.solve(n, *words, "--group", str(group))
                self.assert_same(db, *words)

    def test_low_pools(self):
        # A rank whose pool runs low calls the others.
        words = ("nine", "--max-men", "9", "--phase", "moving")
        db, said = self.solve(2, *words, "--group", "2")
        self.assert_same(db, *words)
        calls = int(re.search(r"meetings, ([0-9]+) of them called for by a low pool", said).group(1))
        self.assertGreater(calls, 0)

    def test_threads(self):
        db = self.new_dir()
        done = run(mpirun((2, [PROGRAM, "solve", "six", "--group", "2", "--threads", "3", "--db", db])))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same(db, "six")

    def test_other_rules(self):
        # Depths to a conversion wait three steps on their way; passes; removals by the other side; a count of plies.
        for rules in ("six,metric=dtc", "five,blocked=passes", "six,n-move=10", "three,mill=removes,removals=each,least=0"):
            with self.subTest(rules=rules):
                db, _ = self.solve(3, rules, "--group", "3")
                self.assert_same(db, rules)

    def test_verified_and_dropped(self):
        for keep in ("none", "wdl"):
            with self.subTest(keep=keep):
                words = ("six", "--keep", keep, "--verify")
                db, _ = self.solve(3, *words)
                self.assert_same(db, *words)
                db, _ = self.solve(2, *words, "--group", "2")
                self.assert_same(db, *words)

    def test_finished(self):
        db, _ = self.solve(2, "three")
        done = run(mpirun((2, merels("solve", "three", "--db", db))))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same(db, "three")


class Tables(Ranks):
    """verify and export, table by table."""

    def copy(self, *words):
        db = os.path.join(self.new_dir(), "db")
        shutil.copytree(self.one_process(*words), db)
        return db

    def verify(self, n, db, rules="six", *more):
        return run(mpirun((n, merels("verify", rules, "--db", db, *more))))

    def test_verify(self):
        alone = self.copy("six")
        self.assertEqual(run(merels("verify", "six", "--db", alone)).returncode, 0)
        for n in (2, 3, 5):
            with self.subTest(ranks=n):
                db = self.copy("six")
                done = self.verify(n, db)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, r"^verified [0-9]+ tables")
                self.assertTrue(filecmp.cmp(os.path.join(alone, "VERIFIED"), os.path.join(db, "VERIFIED"), shallow=False))

    def test_verify_other_ways(self):
        # What is not for all ranks is done by the first one, and the others end with it.
        db = self.copy("six")
        done = self.verify(3, db, "six", "--sample", "100")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sampled: no mismatch", done.stdout)
        self.assertEqual(self.verify(3, db).returncode, 0)
        again = self.verify(2, db)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("of them by an earlier run", again.stdout)

    def test_verify_wide_and_counted(self):
        for rules in ("six,metric=dtc", "six,n-move=10"):
            with self.subTest(rules=rules):
                done = self.verify(3, self.copy(rules), rules)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_damage(self):
        # The manifest is of a table that one of the ranks does not have.
        db = self.copy("six")
        os.remove(os.path.join(db, "3-4.mtb"))
        done = self.verify(3, db)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("3-4.mtb"), 1, done.stderr)
        self.assertNotIn("VERIFIED", os.listdir(db))

    def test_other_tables(self):
        # Rank 1 reads tables that are right in themselves, but not those that the manifest of rank 0 lists.
        here, there = self.copy("six"), self.copy("six")
        os.remove(os.path.join(there, "4-4.mtb"))
        line = mpirun((1, merels("verify", "six", "--db", here)), (1, merels("verify", "six", "--db", there)))
        done = run(line)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"merels: rank 1: .*4-4\.mtb")
        self.assertNotIn("VERIFIED", os.listdir(here))

    def export(self, n, db, out):
        words = merels("export", "six", "--edition", "wdl", "--db", db, "--out", out)
        return run(mpirun((n, words)) if n > 1 else words)

    def test_export(self):
        db = self.copy("six")
        alone = os.path.join(self.new_dir(), "wdl")
        self.assertEqual(self.export(1, db, alone).returncode, 0)
        names = sorted(os.listdir(alone))
        for n in (2, 3, 5):
            with self.subTest(ranks=n):
                out = os.path.join(self.new_dir(), "wdl")
                done = self.export(n, db, out)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(names, sorted(os.listdir(out)))
                self.assertEqual(filecmp.cmpfiles(alone, out, names, shallow=False)[1:], ([], []))
                done = self.export(n, db, out)  # nothing is left to do
                self.assertIn("(0 written now)", done.stdout)

    def test_export_goes_on(self):
        db = self.copy("six")
        alone, out = (os.path.join(self.new_dir(), "wdl") for _ in range(2))
        self.assertEqual(self.export(1, db, alone).returncode, 0)
        words = merels("export", "six", "--edition", "wdl", "--db", db, "--out", out)
        limited = ["sh", "-c", 'ulimit -f 8; exec "$0" "$@"', *words]
        done = run(mpirun((1, words), (1, limited)))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"merels: rank 1: .*cannot write: File too large")
        self.assertEqual([name for name in os.listdir(out) if not re.search(r"\.wdl$|MANIFEST$", name)], [])
        self.assertEqual(self.export(2, db, out).returncode, 0)
        names = sorted(os.listdir(alone))
        self.assertEqual(filecmp.cmpfiles(alone, out, names, shallow=False)[1:], ([], []))

    def test_compact_is_for_one(self):
        db = self.copy("six")
        done = run(mpirun((2, merels("export", "six", "--edition", "compact", "--db", db))))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("edition compact is the work of one process", done.stderr)


class Refused(Ranks):
    def assert_refused(self, line, text):
        done = run(line)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(text, done.stderr)
        self.assertEqual(done.stderr.count(text), 1, "it is said once")
        return done

    def test_other_rules(self):
        db = self.new_dir()
        line = mpirun((1, merels("solve", "six", "--db", db)), (1, merels("solve", "five", "--db", db)))
        self.assert_refused(line, "the ranks do not belong together")
        self.assertEqual(os.listdir(db), [])

    def test_other_version(self):
        # The same program, but for a digit of its version.
        version = run([PROGRAM, "--version"]).stdout.split()[1]
        digits = version[:-1] + ("8" if version[-1] == "9" else "9")
        with open(PROGRAM, "rb") as file:
            bytes = file.read()
        other = os.path.join(self.room, "other")
        with open(other, "wb") as file:
            file.write(bytes.replace(version.encode() + b"\0", digits.encode() + b"\0"))
        os.chmod(other, 0o755)
        db = self.new_dir()
        line = mpirun((1, merels("solve", "six", "--db", db)), (1, [other, "solve", "six", "--db", db]))
        done = self.assert_refused(line, "the ranks do not belong together")
        self.assertIn("rank 1 is merels " + digits, done.stderr)

    def test_other_options(self):
        db = self.new_dir()
        line = mpirun((1, merels("solve", "six", "--db", db)), (1, merels("solve", "six", "--verify", "--db", db)))
        self.assert_refused(line, "the ranks do not belong together")

    def test_other_directory(self):
        here, there = self.new_dir(), self.new_dir()
        line = mpirun((1, merels("solve", "six", "--db", here)), (2, merels("solve", "six", "--db", there)))
        done = self.assert_refused(line, "all ranks need one shared directory")
        self.assertIn(there, done.stderr)
        self.assertEqual([n for n in os.listdir(here) + os.listdir(there) if n.endswith(".mtb")], [])

    def test_bad_input(self):
        # Every rank sees it before it joins the others.
        done = run(mpirun((2, merels("solve", "nonsense"))))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nonsense", done.stderr)

    def test_too_little_memory(self):
        db = self.new_dir()
        line = mpirun((2, merels("solve", "six", "--memory", "8M", "--db", db)))
        self.assert_refused(line, "too little memory")

    def test_alone(self):
        # What is started by itself knows nothing of ranks.
        db = self.new_dir()
        done = run(merels("solve", "three", "--db", db))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("ranks", done.stderr)


class Interrupted(Ranks):
    words = ("nine", "--max-men", "9", "--phase", "moving")

    def children(self, process):
        """The ranks, in the order in which they were started."""
        found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        return [int(pid) for pid in found]

    def start(self, db, n, *more):
        line = mpirun((n, merels("solve", *self.words, *more, "--db", db)))
        return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)

    def wait_for_table(self, db, process):
        while process.poll() is None:
            if any(name.endswith(".mtb") for name in os.listdir(db)):
                return
            time.sleep(0.02)

    def kill(self, which, number, *more):
        db = self.new_dir()
        process = self.start(db, 3, *more)
        self.wait_for_table(db, process)
        ranks = self.children(process)
        self.assertEqual(len(ranks), 3, "the run is over before it could be stopped")
        os.kill(ranks[which], number)
        _, said = process.communicate(timeout=PATIENCE)
        self.assertNotEqual(process.returncode, 0)
        self.assert_whole(db)
        return db, said

    def go_on(self, db, n, *more):
        done = run(mpirun((n, merels("solve", *self.words, *more, "--db", db))))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same(db, *self.words)

    def test_killed(self):
        for which in (0, 1):
            for group in ("1", "3"):
                with self.subTest(rank=which, group=group):
                    db, said = self.kill(which, signal.SIGKILL, "--group", group)
                    self.assertIn("merels: ", said.split("parameters", 1)[1])
                    self.go_on(db, 2)

    def test_asked_to_stop(self):
        db, said = self.kill(2, signal.SIGTERM)
        self.assertRegex(said.split("parameters", 1)[1], r"merels: rank 2: stopped; [0-9]+ of [0-9]+ work units are finished and kept")
        self.assertEqual([name for name in os.listdir(db) if name.endswith(".part")], [])
        self.go_on(db, 3)

    def test_ctrl_c(self):
        db = self.new_dir()
        process = self.start(db, 2)
        self.wait_for_table(db, process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertNotEqual(process.returncode, 0)
        self.assert_whole(db)
        self.go_on(db, 2)

    def test_full_disk(self):
        # Rank 1 can write no file of more than 4 KiB.
        for group in ("1", "2"):
            with self.subTest(group=group):
                db = self.new_dir()
                solve = merels("solve", *self.words, "--group", group, "--db", db)
                limited = ["sh", "-c", 'ulimit -f 8; exec "$0" "$@"', *solve]
                done = run(mpirun((1, solve), (1, limited)))
                self.assertNotEqual(done.returncode, 0)
                self.assertRegex(done.stderr, r"merels: rank 1: .*cannot write: File too large")
                self.assertEqual([name for name in os.listdir(db) if not re.search(r"\.mtb$|MANIFEST$", name)], [])
                self.go_on(db, 2)
