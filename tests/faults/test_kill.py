"""kill -9 at chosen moments: what has a final name is whole, and the same command then makes the very bytes of an
undisturbed run. The log of the calls proves what the process was doing when it died."""

import os
import shutil

from faults import COMMANDS, LONG, SweepCase, files_of, good, merels, new_dir

TABLES = "*.mtb.part"


class Kill(SweepCase):
    def log_of(self, arguments, rules):
        """Runs it with a log of its calls: the run, its directory, and the calls."""
        place = new_dir()
        log = os.path.join(place, "log")
        run = merels(*arguments, "--db", "db", cwd=place, rules=rules, log=log, timeout=600)
        with open(log, encoding="utf-8") as file:
            return run, place, [line.rstrip("\n") for line in file]

    def moment_of(self, calls):
        """What the process was doing at its last call."""
        before = [line.split(" ") for line in calls[:-1]]
        last = calls[-1].split(" ")
        self.assertEqual(last[-1], "kill", calls[-3:])
        for words in reversed(before):
            path = " ".join(words[1:])
            if words[0] == "rename":
                return "unit" if path.endswith("MANIFEST") else "between"
            if words[0] in ("open", "write", "cut", "sync") and path.endswith(".mtb.part"):
                return "writing"
        return "unit"

    def kill(self, arguments, rules, expected):
        run, place, calls = self.log_of(arguments, rules)
        self.assertEqual(run.status, -9, f"{rules}: {run.err}")
        moment = self.moment_of(calls)
        self.check_files(os.path.join(place, "db"), expected, rules)
        if moment == "between":  # whole tables that no manifest lists
            listed = files_of(os.path.join(place, "db")).get("MANIFEST", b"").count(b".mtb\n")
            there = [name for name in os.listdir(os.path.join(place, "db")) if name.endswith(".mtb")]
            self.assertGreater(len(there), listed, rules)
        good(*arguments, "--db", "db", cwd=place, timeout=600)
        self.assertEqual(files_of(os.path.join(place, "db")), expected, f"{rules}, then")
        shutil.rmtree(place)
        return moment

    def kill_everywhere(self, arguments, n_each):
        """n_each kills in each of the three kinds of moments, evenly spread, and in the middle of what else is
        written."""
        run, place, calls = self.log_of(arguments, "loop@1000000000=kill")
        self.assertEqual(run.status, 0, run.err)
        expected = files_of(os.path.join(place, "db"))
        n_loops = self.count_loops(arguments)
        n_writes = sum(line.startswith("write ") and line.endswith(".mtb.part") for line in calls)
        n_tables = sum(name.endswith(".mtb") for name in expected)
        moments = []
        for k in range(n_each):
            part = (2 * k + 1) / (2 * n_each)
            for rules in (f"loop@{int(n_loops * part) + 1}=kill", f"write:{TABLES}@{int(n_writes * part) + 1}=kill",
                          f"write:*/MANIFEST.part@{int(n_tables * part) + 1}=kill",
                          f"rename:*/MANIFEST@{int(n_tables * part * 0.9) + 1}=kill"):
                moments.append(self.kill(arguments, rules, expected))
        return moments

    def count_loops(self, arguments):
        """The parallel loops that a run begins."""
        place = new_dir()
        log = os.path.join(place, "log")
        good(*arguments, "--db", "db", cwd=place, rules="loop@1+=count", log=log)
        with open(log, encoding="utf-8") as file:
            return sum(line.startswith("loop ") for line in file)

    def test_six(self):
        moments = self.kill_everywhere(("solve", "six", "--threads", "2"), 5)
        self.check_moments(moments, 5)

    def test_nine(self):
        n = 5 if LONG else 1
        moments = self.kill_everywhere(
            ("solve", "nine", "--phase", "moving", "--max-men", "9" if LONG else "7", "--threads", "2"), n)
        self.check_moments(moments, n)

    def check_moments(self, moments, n_each):
        self.assertEqual(len(moments), 4 * n_each)
        for moment in ("unit", "writing", "between"):
            self.assertGreaterEqual(moments.count(moment), n_each, f"{moment}: {moments}")

    # Again and again, each time a little later, with what the killed runs before have left.
    def test_killed_again_and_again(self):
        arguments = ("solve", "six", "--threads", "2")
        place = new_dir()
        good(*arguments, "--db", "whole", cwd=place)
        expected = files_of(os.path.join(place, "whole"))
        for k in range(1, 200):
            run = merels(*arguments, "--db", "db", cwd=place, rules=f"write:{TABLES}@{40 * k}=kill")
            if run.status == 0:
                break
            self.assertEqual(run.status, -9, run.err)
            self.check_files(os.path.join(place, "db"), expected, k)
        self.assertGreater(k, 3)
        self.assertEqual(files_of(os.path.join(place, "db")), expected)


class OtherRuns(SweepCase):
    """The same of the other commands that write, at every call that changes a file."""

    def test_every_change(self):
        for command in [c for c in COMMANDS if c.writes and c.words[1] == "three"]:
            for call in ("write", "rename", "sync", "cut", "mkdir"):
                with self.subTest(command=str(command), call=call):
                    self.kill_at_each(command, call)

    def kill_at_each(self, command, call):
        place = new_dir()
        self.assertEqual(command.run(place).status, 0)
        expected = files_of(os.path.join(place, command.writes))
        for n in range(1, 1000):
            place = new_dir()
            run = command.run(place, rules=f"{call}@{n}=kill")
            if run.status == 0:
                return
            self.assertEqual(run.status, -9, f"{command}, {call} {n}: {run.err}")
            self.check_files(os.path.join(place, command.writes), expected, f"{command}, {call} {n}")
            again = command.run(place)
            self.assertEqual(again.status, 0, f"{command}, {call} {n}, then: {again.err}")
            self.assertEqual(files_of(os.path.join(place, command.writes)), expected, f"{command}, {call} {n}")
            shutil.rmtree(place)
