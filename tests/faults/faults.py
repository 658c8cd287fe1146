"""What the tests of faults share: the program with faults injected, the commands, and what must hold of a run."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["MERELS_PROGRAM"]
LONG = os.environ.get("MERELS_LONG_TESTS") == "1"

# Files synced for each of some hundred runs: memory, where there is a directory of it.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None
ROOT = tempfile.mkdtemp(prefix="merels faults é ", dir=MEMORY)
# LD_PRELOAD knows no path with a space.
PLAIN = tempfile.mkdtemp(prefix="merels_faults_")
INJECT = os.path.join(PLAIN, "inject.so")
shutil.copy(os.environ["MERELS_INJECT"], INJECT)


def clear_away():
    shutil.rmtree(ROOT, ignore_errors=True)
    shutil.rmtree(PLAIN, ignore_errors=True)


def environment(**more):
    """Threads sleep while they wait, so that the program does not start itself anew to say so."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("FAULT_", "MERELS_", "OMP_"))}
    return {**kept, "OMP_WAIT_POLICY": "passive", "LC_ALL": "C.UTF-8", **more}


class Run:
    """A run that ended; `status` is negative for a signal."""

    def __init__(self, out, err, status):
        self.out, self.err, self.status = out, err, status

    @property
    def last(self):
        lines = [line for line in self.err.splitlines() if line.strip()]
        return lines[-1] if lines else ""


def merels(*arguments, text=b"", rules=None, log=None, cwd=None, before=None, timeout=120):
    """Runs a command, with faults by `rules` (see inject.c); `before` is called in the child."""
    more = {}
    if rules is not None or log is not None:
        more["LD_PRELOAD"] = INJECT
    if rules is not None:
        more["FAULT_RULES"] = rules
    if log is not None:
        more["FAULT_LOG"] = log
    run = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, env=environment(**more),
                         cwd=cwd, preexec_fn=before, timeout=timeout)
    return Run(run.stdout, run.stderr.decode(errors="replace"), run.returncode)


def good(*arguments, **options):
    run = merels(*arguments, **options)
    assert run.status == 0, (arguments, run.err)
    return run


def new_dir(name="d"):
    return tempfile.mkdtemp(prefix=name + " ", dir=ROOT)


def files_of(directory):
    """Name and bytes of every file."""
    found = {}
    for name in sorted(os.listdir(directory)) if os.path.isdir(directory) else []:
        with open(os.path.join(directory, name), "rb") as file:
            found[name] = file.read()
    return found


_tables = {}


def tables(rules):
    """The finished and verified tables of a small game, made once; beside them edition compact."""
    if rules not in _tables:
        place = os.path.join(ROOT, "tables", rules)
        good("solve", rules, "--db", place, "--threads", "1")
        good("verify", rules, "--db", place, "--threads", "1")
        good("export", rules, "--db", place, "--edition", "compact", "--threads", "1")
        _tables[rules] = place
    return _tables[rules]


def compact(rules):
    """Its file of edition compact."""
    return tables(rules) + ".mce"


# ---- commands -----------------------------------------------------------------------------------------

GAME = b"startpos moves a3 b2 c1 b1 a2 a1\n"
POSITIONS = b"startpos\nw a3,b2 c1,b1 1/1\nw a3,b2,c2 c1,b1,a1 0/0\n"
# Why there is no answer, on either stream.
SAYS_WHY = "(?i)memory|descriptor|error|no answer|cannot|not covered|merels: "
# The words that end a file of a run that has not finished.
UNFINISHED = (".part", ".progress")


class Command:
    """A call of the program. In the arguments TABLES and COMPACT stand for those of `rules`; it writes to
    `writes` in its current directory. `varies`: times or sizes of this machine are in its output. `goes_on`:
    behind a question without an answer, of which it says so, it answers the others. `slow`: a sweep takes
    larger steps."""

    def __init__(self, *arguments, rules="three", text=b"", writes=None, varies=False, goes_on=False,
                 slow=1):
        self.words, self.rules, self.text = arguments, rules, text
        self.writes, self.varies, self.goes_on, self.slow = writes, varies, goes_on, slow

    def __str__(self):
        return " ".join(self.words)

    @property
    def arguments(self):
        stand_for = {"TABLES": tables, "COMPACT": compact}
        return [stand_for[w](self.rules) if w in stand_for else w for w in self.words]

    def run(self, cwd, **options):
        return merels(*self.arguments, text=self.text, cwd=cwd, **options)


# Every command of the program but serve, which waits for clients.
COMMANDS = [
    Command("plan", "three", "--db", "db", varies=True),
    Command("solve", "three", "--db", "db", "--threads", "1", writes="db"),
    Command("solve", "four", "--db", "db", "--threads", "1", "--max-men", "6", "--memory", "40M", writes="db"),
    Command("verify", "three", "--db", "TABLES", "--threads", "1", "--record", "record", writes="."),
    Command("verify", "three", "--db", "TABLES", "--sample", "5", "--threads", "1"),
    Command("verify", "three", "--db", "TABLES", "--edition", "compact", "--threads", "1"),
    Command("export", "three", "--db", "TABLES", "--edition", "wdl", "--out", "db", "--threads", "1",
            writes="db"),
    Command("export", "three", "--db", "TABLES", "--edition", "compact", "--out", "db/three.mce", "--threads", "1",
            writes="db"),
    Command("probe", "three", "--db", "TABLES", "w", "a3,b2", "c1,b1", "1/1"),
    Command("probe", "three", "--db", "TABLES", "--json", "startpos"),
    Command("probe", "three", "--db", "TABLES", "-", text=POSITIONS, goes_on=True),
    Command("probe", "three", "--db", "COMPACT", "startpos"),
    Command("line", "three", "--db", "TABLES", "startpos"),
    Command("play", "three", "--db", "TABLES", text=b"a3\nb1\nquit\n", goes_on=True),
    Command("puzzles", "three", "--db", "TABLES", "--count", "2"),
    Command("engine", "three", "--db", "TABLES", "--protocol", "gbgp", text=b"name\nquit\n", goes_on=True),
    Command("engine", "three", "--db", "TABLES", "--protocol", "uci",
            text=b"uci\nisready\nposition startpos moves a3\ngo depth 1\nquit\n", goes_on=True),
    Command("analyse", "three", "--db", "TABLES", "-", text=GAME, goes_on=True),
    Command("convert", "three", "--to", "pgn", "-", text=GAME, goes_on=True),
    Command("stats", "three", "--db", "TABLES", "--tsv", goes_on=True),
    Command("list", "three", "--db", "TABLES"),
    Command("perft", "three", "3"),
    Command("prove", "three", "--db", "TABLES", varies=True),
    Command("search", "six", "--db", "TABLES", "--threads", "1", "--memory", "80M", rules="six", varies=True,
            slow=4),
    Command("rules", "three"),
    Command("rules", "--options"),
    Command("bench", "--threads", "1", varies=True, slow=60),
    Command("bench", "probe", "three", "--db", "TABLES", varies=True),
]


CHANCES = ("replies", "replies_that_hold", "wrong_chance", "likely_error")


def without_unknown_chances(out, expected):
    """Both answers in JSON; how well plies hold a draw may be unknown (null) in the first one, but not another."""
    out, expected = json.loads(out), json.loads(expected)
    for ply, right in zip(out["moves"], expected["moves"]):
        if ply.get("replies") is None:
            for key in CHANCES:
                ply.pop(key, None)
                right.pop(key, None)
    return out, expected


class Case(unittest.TestCase):
    def check_ended(self, run, what):
        """It did not crash, and where it failed it says why in a line of its own."""
        self.assertGreaterEqual(run.status, 0, f"{what}: signal {-run.status}: {run.err}")
        self.assertIn(run.status, (0, 1, 2), f"{what}: {run.err}")
        if run.status != 0:
            self.assertRegex(run.last, r"^(merels|libgomp): \S", f"{what}: {run.err!r}")

    def check_output(self, command, run, expected, what):
        """What it said is what it says undisturbed: all of it, or as far as it came; a command that `goes_on`
        says why before anything else."""
        if command.varies:
            return
        if command.goes_on:
            self.check_lines(run, expected, what)
        elif run.status == 0 and "--json" in command.words:
            self.assertEqual(*without_unknown_chances(run.out, expected.out), what)
        elif run.status == 0:
            self.assertEqual(run.out, expected.out, what)
        else:
            self.assertTrue(expected.out.startswith(run.out), f"{what}: {run.out}")

    def check_lines(self, run, expected, what):
        known = set(expected.out.splitlines())
        said = re.search(SAYS_WHY, run.err) is not None
        for line in run.out.decode().splitlines():
            said = said or re.search(SAYS_WHY, line) is not None
            self.assertTrue(said or line.encode() in known, f"{what}: {line}")
        if run.out != expected.out:
            self.assertTrue(said, f"{what}: {run.out}")

    def check_files(self, directory, expected, what):
        """Every file that has its final name is whole; the manifest lists none that is not there."""
        for name, data in files_of(directory).items():
            if name.endswith(UNFINISHED) or name in ("MANIFEST", "record.notes", "VERIFY.notes"):
                continue
            self.assertIn(name, expected, what)
            self.assertEqual(data, expected[name], f"{what}: {name}")
        self.check_manifest(directory, what)

    def check_manifest(self, directory, what):
        path = os.path.join(directory, "MANIFEST")
        if not os.path.exists(path):
            return
        with open(path, encoding="ascii") as file:
            lines = file.read().splitlines()
        self.assertTrue(lines[-1].startswith("# checksum "), what)
        for line in lines:
            if not line.startswith("#"):
                self.assertTrue(os.path.exists(os.path.join(directory, line.split("  ")[1])), f"{what}: {line}")


# ---- sweeps -------------------------------------------------------------------------------------------

class Sweep:
    """Runs a command again and again, the first, second, third ... call of a kind failing: `runs` of a number,
    whether the fault came, and their directory. The last one is undisturbed."""

    def __init__(self, command, call, action, step=1):
        self.command, self.what = command, f"{command}, {call}={action}"
        self.root = new_dir("sweep")
        first = os.path.join(self.root, "in")
        with open(first, "wb") as file:
            file.write(command.text)
        more = {"LD_PRELOAD": INJECT, "FAULT_SWEEP": f"{call}={action}", "FAULT_DIR": self.root,
                "FAULT_STEP": str(step)}
        with open(first, "rb") as file:
            done = subprocess.run([PROGRAM, *command.arguments], stdin=file, capture_output=True,
                                  env=environment(**more), timeout=1200)
        assert done.returncode == 0, (str(command), done.stderr)
        self.runs = [self.read_run(*row) for row in self.report()]
        if len(self.runs) < 2:
            raise LookupError(f"{self.what}: no such call")

    def report(self):
        with open(f"{self.root}/report", encoding="ascii") as file:
            rows = [tuple(map(int, line.split())) for line in file]
        assert rows and not rows[-1][2], f"{self.what}: the sweep has no end"
        return rows

    def read_run(self, n, status, fired):
        with open(f"{self.root}/{n}.out", "rb") as out, open(f"{self.root}/{n}.err", "rb") as err:
            run = Run(out.read(), err.read().decode(errors="replace"), os.waitstatus_to_exitcode(status))
        run.n, run.fired, run.directory = n, fired, f"{self.root}/{n}"
        return run

    def end(self):
        shutil.rmtree(self.root)


class SweepCase(Case):
    def check_sweep(self, command, call, action, step=1, resume_every=1, words=""):
        """`words`: what the message of a run that failed must say, a regular expression. Returns the numbers
        of runs that failed and that went on."""
        sweep = Sweep(command, call, action, step)
        undisturbed = sweep.runs[-1]
        self.assertEqual(undisturbed.status, 0, f"{sweep.what}: {undisturbed.err}")
        place = command.writes and os.path.join(undisturbed.directory, command.writes)
        expected = files_of(place) if place else {}
        self.assertTrue(expected or not place, sweep.what)
        counts = [0, 0]
        for k, run in enumerate(sweep.runs[:-1]):
            what = f"{sweep.what}, call {run.n}"
            self.check_ended(run, what)
            self.check_output(command, run, undisturbed, what)
            if run.status != 0:
                said = run.last if not command.goes_on else run.err + run.out.decode()
                self.assertRegex(said, words, what)
            if place:
                self.check_written(command, run, expected, what, k % resume_every == 0)
            counts[run.status == 0] += 1
        sweep.end()
        return counts

    def check_written(self, command, run, expected, what, resume):
        """What it left is whole; the same command then makes what an undisturbed one makes."""
        place = os.path.join(run.directory, command.writes)
        if run.status == 0:
            self.assertEqual(files_of(place), expected, what)
            return
        self.check_files(place, expected, what)
        if resume:
            again = command.run(run.directory)
            self.assertEqual(again.status, 0, f"{what}, then: {again.err}")
            self.assertEqual(files_of(place), expected, f"{what}, then")
