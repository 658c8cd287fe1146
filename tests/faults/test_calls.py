"""Every call on files fails in turn, in each way in which systems fail it. A disk that is full, a device that errs,
descriptors that run out: the command says so and fails. An interrupted or a short transfer is no failure: it goes
on. What stands under a final name is whole, and the same command finishes what was begun."""

import os

from faults import COMMANDS, LONG, SweepCase, new_dir

WRITERS = [command for command in COMMANDS if command.writes]
READERS = [command for command in COMMANDS if not command.writes and "TABLES" in command.words
           and command.slow == 1]
# The calls of a run that writes, the errors that they may give, and what its message then says.
ERRORS = [
    ("write", "ENOSPC", "No space left on device"),
    ("write", "EIO", "Input/output error"),
    ("write", "EDQUOT", "Disk quota exceeded"),
    ("write", "EFBIG", "File too large"),
    ("sync", "EIO", "Input/output error"),
    ("sync", "ENOSPC", "No space left on device"),
    ("rename", "EIO", "Input/output error"),
    ("rename", "ENOSPC", "No space left on device"),
    ("open", "EMFILE", "Too many open files|no file descriptor left"),
    ("open", "ENOSPC", "No space left on device"),
    ("open", "EROFS", "Read-only file system"),
    ("cut", "EIO", "Input/output error"),
    ("read", "EIO", "Input/output error"),
    ("stat", "EIO", "Input/output error"),
    ("list", "EMFILE", "Too many open files|no file descriptor left"),
    ("mkdir", "ENOSPC", "No space left on device"),
    ("close", "EIO", "Input/output error"),
    ("unlink", "EIO", "Input/output error"),
    ("space", "EIO", "Input/output error"),
]
QUICK = {("write", "ENOSPC"), ("sync", "EIO"), ("rename", "EIO"), ("open", "EMFILE"), ("cut", "EIO"),
         ("read", "EIO"), ("stat", "EIO"), ("close", "EIO"), ("mkdir", "ENOSPC"), ("list", "EMFILE")}
HARMLESS = [("write", "EINTR"), ("write", "short"), ("read", "EINTR"), ("read", "short"), ("sync", "EINTR"),
            ("open", "EINTR"), ("cut", "EINTR"), ("close", "EINTR")]


class Calls(SweepCase):
    def sweep_all(self, commands, errors, step):
        """How many runs failed by call and error."""
        failed = {}
        for command in commands:
            for call, error, text in errors:
                with self.subTest(command=str(command), call=call, error=error):
                    counts = self.check_sweep_if_any(command, call, error, step, text)
                    failed[call, error] = failed.get((call, error), 0) + counts[0]
        return failed

    def check_sweep_if_any(self, command, call, error, step, text):
        try:
            return self.check_sweep(command, call, error, step, resume_every=1 if LONG else 3, words=text)
        except LookupError:
            return [0, 0]

    def test_errors_of_runs_that_write(self):
        errors = [e for e in ERRORS if LONG or e[:2] in QUICK]
        failed = self.sweep_all(WRITERS, errors, 1 if LONG else 4)
        for call in ("write", "sync", "rename", "open", "read", "mkdir"):
            self.assertGreater(max(n for key, n in failed.items() if key[0] == call), 2, call)

    def test_errors_of_runs_that_read(self):
        errors = [e for e in ERRORS if e[0] in ("read", "open", "stat", "list") and (LONG or e[:2] in QUICK)]
        failed = self.sweep_all(READERS, errors, 1 if LONG else 3)
        for call in ("open", "read", "stat"):
            self.assertGreater(max(n for key, n in failed.items() if key[0] == call), 5, call)

    # Some systems interrupt and shorten every transfer; none of it is an error, however often.
    def test_interruptions(self):
        for command in WRITERS + READERS:
            expected = command.run(new_dir())
            for call, error in HARMLESS:
                rules = ";".join(f"{call}@{n}={error}" for n in (1, 2, 3, 5, 8, 13, 21))
                run = command.run(new_dir(), rules=rules)
                self.assertEqual(run.status, 0, f"{command}, {rules}: {run.err}")
                self.check_output(command, run, expected, f"{command}, {rules}")

    def test_every_transfer_is_short(self):
        for command in WRITERS[:1] + READERS[:3]:
            place, quiet = new_dir(), new_dir()
            expected = command.run(quiet)
            run = command.run(place, rules="read@1+=short;write@1+=short")
            self.assertEqual(run.status, 0, f"{command}: {run.err}")
            self.check_output(command, run, expected, str(command))


class Order(SweepCase):
    """What a power cut leaves depends on what was forced to the disk before a name appeared."""

    def log_of(self, command):
        place = new_dir()
        log = os.path.join(place, "log")
        run = command.run(place, log=log)
        self.assertEqual(run.status, 0, run.err)
        with open(log, encoding="utf-8") as file:
            return [line.rstrip("\n") for line in file]

    def test_nothing_takes_its_name_before_it_is_on_the_disk(self):
        for command in WRITERS:
            dirty, names, waiting = set(), 0, None
            for line in self.log_of(command):
                call, path = line.split(" ", 1)
                path = os.path.basename(path)
                if call in ("write", "cut"):
                    dirty.add(path)
                elif call == "sync" and waiting is not None and "." not in path:
                    waiting = None
                elif call == "sync":
                    dirty.discard(path)
                elif call == "rename":
                    self.assertIsNone(waiting, f"{command}: {waiting} was not forced to its directory")
                    self.assertNotIn(path + ".part", dirty, f"{command}: {path}")
                    names, waiting = names + 1, path
            self.assertGreater(names, 0, command)
            self.assertIsNone(waiting, f"{command}: {waiting} was not forced to its directory")

    def test_a_table_is_there_before_the_manifest_lists_it(self):
        names = [line.split("/")[-1] for line in self.log_of(WRITERS[0]) if line.startswith("rename ")]
        tables_and_manifests = ["MANIFEST" if name == "MANIFEST" else "table" for name in names]
        self.assertEqual(tables_and_manifests, ["table", "MANIFEST"] * 7)


class Locks(SweepCase):
    """A file system without locks."""

    def test_it_is_said_in_one_line(self):
        for error in ("ENOLCK", "EOPNOTSUPP", "ENOSYS"):
            for command in WRITERS[:1] + [c for c in WRITERS if "wdl" in c.words]:
                place = new_dir()
                run = command.run(place, rules=f"lock@1={error}")
                self.assertEqual(run.status, 0, run.err)
                lines = [line for line in run.err.splitlines() if "no locks" in line]
                self.assertEqual(len(lines), 1, run.err)
                self.assertRegex(lines[0], "^merels: .*db: the file system has no locks; ")
