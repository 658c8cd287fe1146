"""Ctrl-C, SIGTERM and SIGHUP end a run within two seconds; it says what is finished, and the same command goes on."""

import os
import re
import signal
import subprocess
import time

from faults import COMMANDS, LONG, PROGRAM, SweepCase, environment, files_of, good, merels, new_dir

SIGNALS = ("int", "term", "hup")


class Signals(SweepCase):
    # The signal comes at a chosen moment; seconds are measured where the run is long (below).
    def test_a_solve_says_what_is_finished(self):
        place = new_dir()
        good("solve", "six", "--threads", "2", "--db", "whole", cwd=place)
        expected = files_of(os.path.join(place, "whole"))
        for name in SIGNALS:
            for at in ("loop@500", "write:*.mtb.part@300", "rename:*/MANIFEST@10"):
                place = new_dir()
                run = merels("solve", "six", "--threads", "2", "--db", "db", cwd=place, rules=f"{at}={name}")
                self.assertEqual(run.status, 1, f"{name} at {at}: {run.err}")
                said = re.search(r"; (\d+) of (\d+) work units are finished and kept; the same command goes on",
                                 run.last)
                self.assertIsNotNone(said, run.last)
                there = files_of(os.path.join(place, "db"))
                self.assertEqual([n for n in there if n.endswith(".part")], [], f"{name} at {at}")
                self.check_files(os.path.join(place, "db"), expected, f"{name} at {at}")
                self.assertGreaterEqual(len(there) - 1, int(said[1]))
                good("solve", "six", "--threads", "2", "--db", "db", cwd=place)
                self.assertEqual(files_of(os.path.join(place, "db")), expected)

    def test_other_runs_go_on_afterwards(self):
        for command in [c for c in COMMANDS if c.writes and c.words[0] in ("verify", "export")]:
            place = new_dir()
            self.assertEqual(command.run(place).status, 0)
            expected = files_of(os.path.join(place, command.writes))
            for name in SIGNALS:
                with self.subTest(command=str(command), signal=name):
                    place = new_dir()
                    call = "read@20" if command.words[0] == "verify" else "write@2"
                    run = command.run(place, rules=f"{call}={name}")
                    self.assertEqual(run.status, 1, run.err)
                    self.assertRegex(run.last, "^merels: .*(stopped|interrupted)")
                    self.check_files(os.path.join(place, command.writes), expected, name)
                    self.assertEqual(command.run(place).status, 0)
                    self.assertEqual(files_of(os.path.join(place, command.writes)), expected, name)

    # A unit of a minute is stopped in its middle.
    def test_seconds(self):
        for name in SIGNALS if LONG else SIGNALS[:1]:
            place = new_dir()
            with subprocess.Popen([PROGRAM, "solve", "nine", "--phase", "moving", "--max-men", "12", "--threads",
                                   "2", "--memory", "2G", "--db", "db"], cwd=place, env=environment(),
                                  stderr=subprocess.PIPE) as process:
                time.sleep(5)
                begin = time.monotonic()
                process.send_signal(getattr(signal, "SIG" + name.upper()))
                err = process.communicate(timeout=60)[1].decode()
                seconds = time.monotonic() - begin
            self.assertEqual(process.returncode, 1, err)
            self.assertIn("work units are finished and kept", err)
            self.assertLess(seconds, 2, name)
