"""What a system may lack: descriptors, sizes of files, address space, memory, room on the disk, the right to write."""

import json
import os
import resource
import subprocess

from faults import COMMANDS, PROGRAM, Command, Run, SweepCase, environment, files_of, good, merels, new_dir, tables

MEBI = 1 << 20


def limit(what, value):
    return lambda: resource.setrlimit(what, (value, value))


class Limits(SweepCase):
    runs = {}

    def undisturbed(self, command):
        if command not in self.runs:
            self.runs[command] = command.run(new_dir())
        return self.runs[command]

    def each_command(self, before, what, may_fail, words=""):
        """Every command under a limit: right, or (`may_fail`) a message. Returns how many failed."""
        n_failed = 0
        for command in COMMANDS:
            with self.subTest(command=str(command), limit=what):
                place = new_dir()
                expected = self.undisturbed(command)
                run = command.run(place, before=before)
                self.check_ended(run, what)
                self.check_output(command, run, expected, what)
                self.assertTrue(run.status == 0 or may_fail, run.err)
                if run.status != 0:
                    self.assertRegex(run.err + run.out.decode(), words)
                    n_failed += 1
        return n_failed

    def test_32_descriptors_are_enough_for_every_command(self):
        self.each_command(limit(resource.RLIMIT_NOFILE, 32), "32 descriptors", may_fail=False)

    def test_four_descriptors(self):
        n = self.each_command(limit(resource.RLIMIT_NOFILE, 4), "4 descriptors", may_fail=True,
                              words="descriptor|open files")
        self.assertGreater(n, 0)

    def test_address_space(self):
        least = 8 * MEBI
        while merels("--version", before=limit(resource.RLIMIT_AS, least)).status != 0:
            least += MEBI
        n = 0
        for more in (4, 40):  # below that the stack has no room to grow
            n += self.each_command(limit(resource.RLIMIT_AS, least + more * MEBI), f"{more} MiB", may_fail=True,
                                   words="(?i)memory|thread")
        self.assertGreater(n, 3)

    def test_resident_memory_is_what_the_plan_states(self):
        rules = ("nine", "--max-men", "9", "--threads", "2")
        planned = json.loads(merels("plan", *rules, "--json", "--db", new_dir()).out)
        solve = subprocess.Popen([PROGRAM, "solve", *rules, "--db", new_dir()], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, env=environment())
        _, status, usage = os.wait4(solve.pid, 0)
        self.assertEqual(status, 0)
        self.assertLessEqual(usage.ru_maxrss * 1024, planned["peak_memory_bytes"])

    def test_sizes_of_files(self):
        for command in (c for c in COMMANDS if c.writes):
            for n_bytes in (0, 300, 1000):
                with self.subTest(command=str(command), size=n_bytes):
                    place, whole = new_dir(), new_dir()
                    self.assertEqual(command.run(whole).status, 0)
                    expected = files_of(os.path.join(whole, command.writes))
                    run = command.run(place, before=limit(resource.RLIMIT_FSIZE, n_bytes))
                    if max(map(len, expected.values())) > n_bytes:
                        self.assertEqual(run.status, 1, run.err)
                        self.assertRegex(run.last, "^merels: .*File too large")
                    self.check_files(os.path.join(place, command.writes), expected, "a limit")
                    self.assertEqual(command.run(place).status, 0)
                    self.assertEqual(files_of(os.path.join(place, command.writes)), expected)

    def test_output_that_grows_too_large(self):
        place = new_dir()
        with open(os.path.join(place, "out"), "wb") as out:
            run = subprocess.run([PROGRAM, "rules", "--options"], stdout=out, stderr=subprocess.PIPE,
                                 env=environment(), preexec_fn=limit(resource.RLIMIT_FSIZE, 100))
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr.decode(), "^merels: cannot write to standard output: File too large")

    def test_full_output(self):
        for command in COMMANDS:
            if not self.undisturbed(command).out:
                continue
            with self.subTest(command=str(command)), open("/dev/full", "wb") as full:
                run = subprocess.run([PROGRAM, *command.arguments], input=command.text, stdout=full, cwd=new_dir(),
                                     stderr=subprocess.PIPE, env=environment())
                last = run.stderr.decode().splitlines()[-1]
                self.assertEqual((run.returncode, last),
                                 (1, "merels: cannot write to standard output: No space left on device"))

    def test_memory_below_the_least(self):
        for rules, memory in (("three", "1M"), ("six", "1M"), ("six", "20M"), ("nine", "100M")):
            place = new_dir()
            run = merels("solve", rules, "--db", "db", "--memory", memory, cwd=place)
            self.assertEqual(run.status, 1, run.err)
            self.assertRegex(run.last, "^merels: .*(memory|MiB|GiB)")
            self.assertEqual(os.listdir(place), [], rules)


class Disks(SweepCase):
    """Small and read-only disks: file systems in memory, in a name space of this test's own."""

    def script(self, text):
        """Runs a shell that may mount; $DISK is where, $MERELS the program, $OUT a directory that stays."""
        out = new_dir("out")
        more = environment(DISK=new_dir("disk"), OUT=out, MERELS=PROGRAM)
        run = subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-eu", "-c", text], capture_output=True,
                             env=more, timeout=300)
        self.assertEqual(run.returncode, 0, run.stderr.decode())
        return Run(run.stdout, run.stderr.decode(), run.returncode), out

    def test_full_disk(self):
        for command in (Command("solve", "four", "--db", "DB", "--threads", "2"),
                        Command("export", "four", "--db", tables("four"), "--edition", "wdl", "--out", "DB"),
                        Command("export", "four", "--db", tables("four"), "--edition", "compact", "--out",
                                "DB/four.mce")):
            with self.subTest(command=str(command)):
                words = " ".join(f'"{w}"'.replace("DB", "$DISK/db") for w in command.words)
                run, out = self.script(f"""
                    mount -t tmpfs -o size=12k none "$DISK"
                    ! "$MERELS" {words} || {{ echo "a full disk went unseen" >&2; exit 1; }}
                    mkdir "$OUT/first" && cp "$DISK"/db/* "$OUT/first" || :
                    mount -o remount,size=20m "$DISK"
                    "$MERELS" {words}
                    mkdir "$OUT/then" && cp "$DISK"/db/* "$OUT/then" """)
                self.assertRegex(run.err, "merels: .*No space left on device|merels: .*disk")
                place = new_dir()
                good(*[w.replace("DB", "db") for w in command.words], cwd=place)
                expected = files_of(os.path.join(place, "db"))
                self.assertEqual(files_of(os.path.join(out, "then")), expected)
                self.check_files(os.path.join(out, "first"), expected, str(command))

    def test_read_only_disk(self):
        run, _ = self.script(r"""
            mount -t tmpfs none "$DISK"
            cd "$DISK"
            "$MERELS" solve three --db db
            mkdir new
            mount -o remount,ro "$DISK"
            for words in "solve four --db" "export three --db db --edition wdl --out" \
                "export three --db db --edition compact --out"; do
                ! "$MERELS" $words new/db || exit 1
            done 2>"$OUT/err"
            "$MERELS" verify three --db db >&2
            "$MERELS" list three --db db >&2
            cat "$OUT/err" """)
        said = [line for line in run.out.decode().splitlines() if line.startswith("merels: ")]
        self.assertEqual(len(said), 3, run.out)
        for line in said:
            self.assertIn("Read-only file system", line)
