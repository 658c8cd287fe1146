"""Files that somebody made or changed to crash or mislead a query, with checksums that fit where that helps: an error
that names the file, or the answer of the undamaged tables, never another one."""

import fcntl
import os
import re
import shutil
import subprocess
import time

from faults import LONG, PROGRAM, Case, compact, environment, files_of, good, merels, new_dir, tables

POSITION = "w a3,b2,c2 c1,b1,a2 0/0"  # of 3-3
STEP = 1 if LONG else 7
N_ASKED = 200000 if LONG else 20000


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def changed(data, at, flip):
    return data[:at] + bytes([data[at] ^ flip]) + data[at + 1:]


class Attack(Case):
    def copy(self, rules="three"):
        place = os.path.join(new_dir(), "db")
        shutil.copytree(tables(rules), place)
        return place

    def setUp(self):
        self.answer = good("probe", "three", "--db", tables("three"), "--json", POSITION).out

    def probe(self, place, rules="three", position=POSITION, **more):
        return merels("probe", rules, "--db", place, "--json", position, timeout=20, **more)

    def check_refused_or_right(self, run, words, what):
        self.check_ended(run, what)
        if run.status == 0:
            self.assertEqual(run.out, self.answer, what)
        else:
            self.assertRegex(run.last, words, what)
            self.assertNotIn(b'"value": "', run.out, what)


class Places(Attack):
    """What stands where a table should."""

    def test_no_regular_file(self):
        for make in (os.mkdir, os.mkfifo, lambda p: os.symlink("/dev/zero", p), lambda p: os.symlink("/dev/full", p),
                     lambda p: os.symlink(p, p), lambda p: os.symlink("/proc/self/mem", p),
                     lambda p: write(p, b"")):
            for name in ("3-3.mtb", "MANIFEST"):
                place = self.copy()
                os.remove(os.path.join(place, name))
                make(os.path.join(place, name))
                run = self.probe(place)
                self.assertEqual(run.status, 1, name)
                self.assertRegex(run.last, f"^merels: .*{name}|3-3", run.err)
                self.assertNotIn(b'"value": "', run.out)

    def test_the_directory_is_none(self):
        for make in (os.mkfifo, lambda p: write(p, b"x"), lambda p: os.symlink(p, p), lambda p: write(p, b"MERELSCE"),
                     lambda p: os.symlink("/dev/zero", p)):
            place = os.path.join(new_dir(), "db")
            make(place)
            for words in (("probe", "three", "startpos"), ("stats", "three"), ("list", "three"),
                          ("verify", "three"), ("solve", "three")):
                run = merels(*words, "--db", place, timeout=20)
                self.check_ended(run, words)
                self.assertEqual(run.status, 2 if "file of edition compact" in run.err else 1, f"{words}: {run.err}")

    def test_links_to_tables_are_followed(self):
        place = self.copy()
        os.rename(os.path.join(place, "3-3.mtb"), place + ".moved")
        os.symlink(place + ".moved", os.path.join(place, "3-3.mtb"))
        self.assertEqual(self.probe(place).out, self.answer)

    def test_names_that_are_no_table(self):
        place = self.copy()
        for name in ("3-3.mtb.part", "03-3.mtb", "99-99.mtb", "3-3-0-0.mtb", "-1-3.mtb", "\n.mtb", "3-3.MTB", "é.wdl",
                     "4294967299-3.mtb", "x" * 250 + ".mtb"):
            shutil.copy(os.path.join(place, "3-3.mtb"), os.path.join(place, name))
        self.assertEqual(self.probe(place).out, self.answer)
        os.remove(os.path.join(place, "MANIFEST"))
        self.assertEqual(self.probe(place).out, self.answer)
        for words in (("stats", "three"), ("list", "three")):
            self.check_ended(merels(*words, "--db", place), words)

    # Tables of the same size in each other's place.
    def test_tables_that_changed_names(self):
        place = self.copy("six")
        names = [name for name in sorted(os.listdir(place)) if name.endswith(".mtb")]
        for k in range(0, len(names) - 1, STEP):
            a, b = (os.path.join(place, name) for name in names[k:k + 2])
            for source, target in ((a, a + ".x"), (b, a), (a + ".x", b)):
                os.rename(source, target)
            run = merels("stats", "six", "--db", place, "--tsv")
            self.assertEqual(run.status, 1, names[k])
            self.assertRegex(run.last, "merels: .*" + names[k] + "|" + names[k + 1])
            shutil.copy(os.path.join(tables("six"), names[k]), a)
            shutil.copy(os.path.join(tables("six"), names[k + 1]), b)


class Manifests(Attack):
    def manifest(self, place):
        with open(os.path.join(place, "MANIFEST"), "rb") as file:
            return file.read()

    def test_a_table_that_it_does_not_list(self):
        place = os.path.join(new_dir(), "db")
        good("solve", "three", "--db", place, "--phase", "moving")
        early = self.manifest(place)
        good("solve", "three", "--db", place)
        write(os.path.join(place, "MANIFEST"), early)
        self.assertEqual(self.probe(place).out, self.answer)
        data = files_of(place)["3-3.mtb"]
        for at in range(0, len(data), 2 * STEP):
            write(os.path.join(place, "3-3.mtb"), changed(data, at, 0x40))
            run = self.probe(place)
            self.assertEqual(run.status, 1, at)
            self.assertRegex(run.last, r"^merels: .*3-3\.mtb: (damaged|.*newer|.*older|.*other rules)|3-3.mtb", at)
            self.assertNotIn(b'"value": "', run.out, at)

    def test_every_byte_and_every_length(self):
        place = self.copy()
        data = self.manifest(place)
        for at in range(0, len(data), 8 * STEP):
            for text in (changed(data, at, 0x01), changed(data, at, 0x80), data[:at], data[:at] + b"\0" + data[at:]):
                write(os.path.join(place, "MANIFEST"), text)
                run = self.probe(place)
                self.assertEqual(run.status, 1, at)
                self.assertRegex(run.last, "^merels: .*MANIFEST", at)
        write(os.path.join(place, "MANIFEST"), data)
        self.assertEqual(self.probe(place).out, self.answer)

    def test_of_great_length(self):
        place = self.copy()
        data = self.manifest(place)
        with open(os.path.join(place, "MANIFEST"), "wb") as file:
            file.write(data)
            file.truncate(1 << 40)
        begin = time.monotonic()
        run = self.probe(place)
        self.assertEqual(run.status, 1)
        self.assertRegex(run.last, "^merels: .*MANIFEST")
        self.assertLess(time.monotonic() - begin, 15)


class Records(Attack):
    """A record of a verify that is not what verify wrote proves nothing."""

    def test_every_byte_and_every_length(self):
        place = self.copy()
        path = os.path.join(place, "VERIFIED")
        with open(path, "rb") as file:
            data = file.read()
        self.assertEqual(merels("prove", "three", "--db", place).status, 0)
        texts = [changed(data, at, flip) for at in range(0, len(data), STEP) for flip in (0x01, 0x20)]
        texts += [data[:n] for n in range(0, len(data), STEP)] + [data + b"\n", data + data, data + b"\0"]
        for text in texts:
            write(path, text)
            run = merels("prove", "three", "--db", place)
            self.assertEqual(run.status, 1, text)
            self.assertIn(b"unverified", run.out, text)
        write(path, data)
        self.assertEqual(merels("prove", "three", "--db", place).status, 0)

    # Notes of a verify that was stopped: changed ones lead to a check, never to a record without one.
    def test_notes_of_another_directory(self):
        place = self.copy()
        os.remove(os.path.join(place, "VERIFIED"))
        data = files_of(place)["3-3.mtb"]
        good("verify", "three", "--db", place)
        os.remove(os.path.join(place, "VERIFIED"))
        write(os.path.join(place, "3-3.mtb"), changed(data, len(data) - 9, 0x01))
        self.assertEqual(merels("verify", "three", "--db", place).status, 1)
        self.assertFalse(os.path.exists(os.path.join(place, "VERIFIED")))


class Compact(Attack):
    def test_every_byte_and_every_length(self):
        place = os.path.join(new_dir(), "three.mce")
        with open(compact("three"), "rb") as file:
            data = file.read()
        self.answer = good("probe", "three", "--db", compact("three"), "--json", POSITION).out
        for at in range(0, len(data), 2 * STEP):
            for text in (changed(data, at, 0x01), changed(data, at, 0x80), data[:at]):
                write(place, text)
                self.check_refused_or_right(self.probe(place), r"three\.mce|3-3|no table", at)

    def test_of_great_length(self):
        place = os.path.join(new_dir(), "three.mce")
        shutil.copy(compact("three"), place)
        self.answer = self.probe(place).out
        os.truncate(place, 1 << 42)
        self.check_refused_or_right(self.probe(place), r"three\.mce", "a long file")


class Words(Attack):
    """What is typed and piped in."""

    def test_odd_bytes(self):
        lines = [b"\0", b"w a3\0b2 c1 0/0", b"\xff" * 100, b"w " + b"a3," * 100000 + b" b1 0/0", b"startpos moves " +
                 b"a3 " * 100000, b"9" * 100000, b"w - - 99999999999999999999/3", b"w - - -1/3", b"\xed\xa0\x80",
                 b"startpos\r", b"w a3,b2,c2 c1,b1,a1 0/0" + b" " * 100000, b"(" * 100000, b"{" * 100000, b"\x1b[2J"]
        for command in (("probe",), ("analyse",), ("convert", "--to", "fen")):
            text = b"\n".join(lines) + b"\nstartpos\n"
            run = merels(command[0], "three", *command[1:], *(() if command[0] == "convert" else
                                                              ("--db", tables("three"))), "-", text=text)
            self.check_ended(run, command)
            self.assertEqual(run.status in (1, 2), True, run.err)
            self.assertNotIn(b"\x1b", run.out + run.err.encode(), command)

    def test_rules_files(self):
        place = new_dir()
        path = os.path.join(place, "rules")
        text = good("rules", "three").out
        cases = [b"", b"\0" * 100, text[:50], text.replace(b"3", b"99999999999999999999"), text * 3, b"points " +
                 b"a1 " * 100000, text.replace(b"edges", b"edges a3-a3"), b"points a1\nedges\nmills\n"]
        cases += [changed(text, at, 0x04) for at in range(0, len(text), 5 * STEP)]
        for case in cases:
            write(path, case)
            for words in (("rules",), ("plan",), ("probe",)):
                run = merels(*words, "--rules", path, *(("--db", tables("three")) if words == ("probe",) else ()),
                             timeout=20)
                self.check_ended(run, case[:80])
        for link in ("/dev/zero", "/dev/full", place, path + "x"):
            run = merels("rules", "--rules", link, timeout=20)
            self.assertIn(run.status, (1, 2), link)

    def test_numbers(self):
        for option in ("--memory", "--threads", "--cache", "--count", "--sample", "--max-men"):
            for number in ("-1", "18446744073709551616", "99999999999999999999G", "0x10", "1e9", "", " 5", "5 ", "nan",
                           "9223372036854775807T"):
                for words in (("solve", "three", "--db", os.path.join(new_dir(), "db")), ("verify", "three"),
                              ("puzzles", "three"), ("probe", "three")):
                    run = merels(*words, *(() if words[0] == "solve" else ("--db", tables("three"))), option, number,
                                 timeout=20)
                    self.assertEqual(run.status, 2, f"{words[0]} {option} {number!r}: {run.err}")


class Races(Attack):
    """Files that are replaced, cut and removed while they are read."""

    def test_a_table_replaced_while_it_is_asked(self):
        place = self.copy()
        path = os.path.join(place, "3-3.mtb")
        with open(path, "rb") as file:
            data = file.read()
        other = changed(data, len(data) - 5, 0x10)
        place_of_text = os.path.join(new_dir(), "text")
        write(place_of_text, f"{POSITION}\n".encode() * N_ASKED)
        out = place_of_text + ".out"
        right = without_details(self.answer.strip())
        states = (other, data, data[:300], data[:10], None, data, b"", data)
        with open(place_of_text, "rb") as text, open(out, "wb") as to, \
                subprocess.Popen([PROGRAM, "probe", "three", "--db", place, "-"], stdin=text, stdout=to,
                                 stderr=subprocess.DEVNULL, env=environment()) as process:
            k, begin = 0, time.monotonic()
            while process.poll() is None and time.monotonic() - begin < 100:
                self.replace(path, states[k % len(states)], k % 3 == 0)
                k += 1
        with open(out, "rb") as file:
            lines = file.read().splitlines()
        self.assertIn(process.returncode, (0, 1))
        self.assertEqual(len(lines), N_ASKED)
        self.assertGreater(k, 10)
        for line in lines:
            if b'"error"' not in line:
                self.assertEqual(without_details(line), right)

    def test_one_export_at_a_time(self):
        place = new_dir()
        path = os.path.join(place, "three.mce")
        words = ("export", "three", "--db", tables("three"), "--edition", "compact", "--out", path)
        with open(path + ".part", "wb") as part:
            fcntl.flock(part, fcntl.LOCK_EX)
            run = merels(*words)
            self.assertEqual(run.status, 1, run.err)
            self.assertRegex(run.last, r"three\.mce\.part: another run of merels is writing there")
        good(*words)

    def replace(self, path, state, in_place):
        if state is None:
            if os.path.exists(path):
                os.remove(path)
        elif in_place:
            write(path, state)
        else:
            write(path + ".part", state)
            os.rename(path + ".part", path)


def without_details(line):
    """What a batch says of a position, too."""
    line = re.sub(rb', "(replies|replies_that_hold|wrong_chance|likely_error)": [^,}]*', b"", line)
    return re.sub(rb', "(from|to|removed|after)": ("[^"]*"|null|\[[^\]]*\])', b"", line)
