"""Clients that are too long, too many, too slow, or gone; and those beside them."""

import json
import os
import random
import re
import shutil
import socket
import subprocess
import threading
import time

from server import PROGRAM, SHORT, Case, Server, merels, read_all, tables

ASK = b"GET /v1/six/probe?position=startpos HTTP/1.1\r\nHost: x\r\n"


class Limits(Case):
    arguments = ("--max-body", "100K", "--max-batch", "1000", "--max-time", "2", "--max-idle", "1")

    def fine(self):
        self.assertEqual(self.server.get("/v1/six/probe?position=startpos").status, 200)

    def test_long_body(self):
        big = b"x" * (100 * 1024 + 1)
        for target in ("/v1/six/probe", "/v1/six/analyse"):
            for body in (big, iter([big])):
                answer = self.server.post(target, body)
                self.assertEqual(answer.status, 413)
                self.assertEqual(json.loads(answer.body)["error"],
                                 "the body of a request is at most 102400 bytes long")
        announced = self.server.raw(b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: "
                                    b"99999999999999\r\nExpect: 100-continue\r\n\r\n")
        self.assertIn(b" 413 ", announced.split(b"\r\n")[0])
        self.assertEqual(self.server.post("/v1/six/probe", b"\n" * 999 + b"startpos").status, 200)
        self.assertEqual(self.server.post("/v1/six/probe", b"\n" * 1000 + b"startpos").status, 413)
        self.assertEqual(self.server.post("/v1/six/probe", b"\r\n" * 999 + b"startpos").status, 200)
        self.assertEqual(self.server.post("/v1/six/probe", b"\r" * 1000 + b"startpos").status, 413)
        self.fine()

    def test_long_head(self):
        for data in (b"GET /v1/six/probe?position=" + b"a" * 200000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
                     ASK + b"".join(b"X-%d: %s\r\n" % (i, b"y" * 100) for i in range(5000)) + b"\r\n",
                     ASK + b"X: " + b"y" * 300000 + b"\r\n\r\n", b"G" * 300000, b"\r\n" * 100000):
            try:
                answer = self.server.raw(data)
            except (BrokenPipeError, ConnectionResetError):
                answer = b""
            self.assertFalse(answer.startswith(b"HTTP/1.1 200"))
        self.fine()

    def test_head_that_is_refused_in_our_form(self):
        """What is somewhat too long is read and refused as everything else is."""
        fits = b"GET /v1/six/probe?position=" + b"+" * 48000 + b"startpos HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        self.assertEqual(self.server.raw(fits).split()[1], b"200")
        for status, data in (
                (414, b"GET /v1/six/probe?position=" + b"a" * 50000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"),
                (414, b"GET /v1/six/probe?position=" + b"a" * 200000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"),
                (431, ASK + b"X: " + b"y" * 50000 + b"\r\n\r\n"), (431, ASK + b"X: " + b"y" * 100000 + b"\r\n\r\n"),
                (431, ASK + b"".join(b"X-%d: %s\r\n" % (i, b"y" * 100) for i in range(1000)) + b"\r\n")):
            head, body = self.server.raw(data).split(b"\r\n\r\n", 1)
            self.assertEqual(int(head.split()[1]), status)
            self.assertIn(b"Content-Type: application/json", head)
            value = json.loads(body)
            self.assertEqual(value["status"], "too large")
            self.assertIn("at most 49152 bytes", value["error"])
        self.fine()

    def test_no_http(self):
        for data in (b"\0" * 100, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20, b"GET\r\n\r\n", b"GET /\r\n\r\n",
                     b"GET / HTTP/9.9\r\n\r\n", b"GET x HTTP/1.1\r\nHost: x\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n",
                     b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
                     b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
                     b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                     b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
                     b"CONNECT example.org:80 HTTP/1.1\r\nHost: x\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"):
            answer = self.server.raw(data)
            self.assertFalse(answer.startswith(b"HTTP/1.1 2"), (data, answer))
        self.fine()

    def test_bodies_of_all_together(self):
        """What has begun to come takes no more memory than eight whole bodies."""
        head = b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 102400\r\n\r\n"
        server = Server("six", "--db", self.path("six"), "--max-body", "100K", "--max-idle", "300",
                        "--max-time", "300")
        held = [server.connect() for i in range(12)]
        for s in held:
            s.sendall(head + b"\n" * 102399)
        for i in range(600):
            if server.has_read_all(12):
                break
            time.sleep(0.1)
        time.sleep(0.2)
        statuses = []
        for s in held:
            s.sendall(b"\n")
            answer = s.recv(1 << 16)
            statuses.append(int(answer.split()[1]))
            if statuses[-1] == 503:
                self.assertIn(b"too many requests", answer + read_all(s))
        for s in held:
            s.close()
        self.assertGreaterEqual(statuses.count(503), 4)
        self.assertEqual(statuses.count(200) + statuses.count(503), 12)
        self.assertEqual(server.post("/v1/six/probe", b"\n" * 99999 + b"startpos").status, 200)
        self.assertEqual(server.stop()[1], 0)

    def test_bodies_that_mean_little(self):
        for body, n_lines in ((b"[" * 50000, 1), (b'{"a":' * 20000, 1), (b'{"position": "startpos", "x": ' + b"[" * 90000, 1),
                              (b"#\n" * 999, 0), (b"{" * 100000, 1), (b"startpos moves " + b"a5 " * 30000, 1),
                              (b"\xff\xfe\n" * 300, 300), (b"\0" * 1000, 1), (b'{"position": "\\u0000"}', 1),
                              (b'{"position": "startpos", "position": "x"}', 1)):
            answer = self.server.post("/v1/six/probe", body)
            self.assertEqual((answer.status, answer.body.count(b"\n")), (200, n_lines), body[:40])
            for line in answer.body.splitlines():
                self.assertIn("error", json.loads(line))
        self.fine()

    def test_garbled_requests(self):
        """Requests with some bytes changed, removed or repeated; the same in every run."""
        models = [ASK + b"Range: bytes=0-1\r\nIf-None-Match: \"x\"\r\n\r\n",
                  b"POST /v1/six/probe?parts=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 17\r\n\r\nstartpos\nw - - 0\n",
                  b"POST /v1/six/analyse HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                  b"5\r\na5 c4\r\n0\r\n\r\n", b"GET /db/six/3-3.mtb HTTP/1.1\r\nHost: x\r\nRange: bytes=5-9\r\n\r\n"]
        dice = random.Random(15)
        for i in range(60 if SHORT else 200):
            data = bytearray(dice.choice(models))
            for k in range(dice.randint(1, 6)):
                at = dice.randrange(len(data))
                data[at:at + dice.randint(0, 3)] = dice.choice((b"", b"\0", b"\xff", b"\r\n", b"%", b"/", b"..", b" ",
                                                                bytes([dice.randrange(256)]), data[at:at + 20]))
            try:
                with self.server.connect() as s:
                    s.sendall(data)
                    s.shutdown(socket.SHUT_WR)
                    read_all(s)
            except OSError:
                pass
            if i % 20 == 0:
                self.fine()
        self.fine()

    def test_half_closed(self):
        answer = self.server.raw(ASK + b"\r\n", half_close=True)
        self.assertTrue(answer.startswith(b"HTTP/1.1 200"), answer)
        body = b"startpos\n" * 50
        answer = self.server.raw(b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
                                 + body, half_close=True)
        self.assertEqual(answer.count(b'"position"'), 50)
        self.server.raw(b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\nstart", half_close=True)
        self.server.raw(ASK, half_close=True)
        self.server.raw(b"", half_close=True)
        self.fine()

    def drip(self, data, pause):
        """Sends a byte at a time; returns when the server ends it."""
        begin = time.monotonic()
        with self.server.connect() as s:
            try:
                for i in range(len(data)):
                    s.sendall(data[i:i + 1])
                    time.sleep(pause)
                read_all(s)
            except OSError:
                pass
        return time.monotonic() - begin

    def test_slow_clients(self):
        took = []
        head = ASK + b"X: " + b"y" * 1000
        body = b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n" + b"\n" * 1000
        drips = [threading.Thread(target=lambda d=d: took.append(self.drip(d, 0.1))) for d in [head] * 8 + [body] * 8]
        for t in drips:
            t.start()
        for i in range(20):
            self.fine()
        for t in drips:
            t.join()
        self.assertEqual(len(took), 16)
        self.assertLess(max(took), 50)  # of the 100 seconds that they would take

    def test_slow_reader(self):
        """One that takes nothing of a long answer is cut; what it was to get is not made."""
        server = Server("six", "--db", self.path("six"), "--max-time", "2", "--max-idle", "1")
        body = b"startpos moves a5\n" * 20000  # 60 MB of answers: no system keeps so much for a client
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.connect(("127.0.0.1", server.port))
            s.sendall(b"POST /v1/six/probe?replies=1&parts=1 HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
                      % len(body) + body)
            s.settimeout(30)
            self.assertTrue(s.recv(100).startswith(b"HTTP/1.1 200"))
            for i in range(10):
                self.assertEqual(server.get("/v1/six/probe?position=startpos").status, 200)
                time.sleep(0.5)
            self.assertLess(read_all(s).count(b'"position"'), 20000)
        self.assertEqual(server.stop()[1], 0)

    def test_silent(self):
        with self.server.connect(timeout=20) as s:
            self.assertEqual(read_all(s), b"")
        with self.server.connect(timeout=20) as s:
            s.sendall(ASK + b"\r\n")
            self.assertTrue(read_all(s).startswith(b"HTTP/1.1 200"))

    def test_too_many_connections(self):
        server = Server("six", "--db", self.path("six"), "--max-connections", "10", "--max-idle", "300",
                        "--max-time", "300")
        held = [server.connect() for i in range(10)]
        for s in held:
            s.sendall(ASK + b"\r\n")
            self.assertTrue(s.recv(1000).startswith(b"HTTP/1.1 200"))
        refused = server.get("/v1/")
        self.assertEqual((refused.status, refused.headers["Retry-After"]), (503, "2"))
        self.assertIn("too many connections", json.loads(refused.body)["error"])
        held[0].sendall(ASK + b"\r\n")
        for s in held[1:]:
            s.close()
        for i in range(100):
            answer = server.get("/v1/")
            if answer.status == 200:
                break
            time.sleep(0.1)
        self.assertEqual(answer.status, 200)
        held[0].close()
        self.assertEqual(server.stop()[1], 0)

    def test_far_too_many_connections(self):
        server = Server("six", "--db", self.path("six"), "--max-connections", "10")
        for i in range(3):
            held = [server.connect() for k in range(100)]
            for s in held:
                s.close()
        for i in range(300):
            try:
                answer = server.get("/v1/")
                if answer.status == 200:
                    break
            except OSError:
                pass
            time.sleep(0.1)
        self.assertEqual(answer.status, 200)
        self.assertEqual(server.stop()[1], 0)

    def test_nothing_stays_open(self):
        """Files are closed and threads end, whatever became of their requests."""
        server = Server("six", "--db", self.path("six"), "--page", self.page)
        state = f"/proc/{server.process.pid}/"
        tag = server.get("/reader.wasm").headers["ETag"]

        def ask_all():
            for target in ("/reader.wasm", "/db/six/3-3.mtb", "/v1/six/probe?position=startpos", "/pipe", "/bare/", "/x"):
                server.get(target)
                server.ask("HEAD", target)
                server.get(target, If_None_Match=tag)
                server.get(target, Range="bytes=1-2")
                server.get(target, Range="bytes=99999999-")
            for data in (b"GET /reader.wasm HTTP/1.1\r\nHost: x\r\n\r\n",
                         b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n" + b"startpos\n" * 1000):
                with server.connect() as s:
                    s.sendall(data)

        def count():
            return len(os.listdir(state + "fd")), len(os.listdir(state + "task"))

        ask_all()
        time.sleep(1)
        before = count()
        for i in range(5):
            ask_all()
        for i in range(100):
            if count() <= before:
                break
            time.sleep(0.1)
        self.assertLessEqual(count(), before)
        self.assertEqual(server.stop()[1], 0)

    def test_requests_one_after_another(self):
        answer = self.server.raw((ASK + b"\r\n") * 20 + ASK + b"Connection: close\r\n\r\n")
        self.assertEqual(answer.count(b"HTTP/1.1 200"), 21)
        old = self.server.raw(b"GET /v1/six/probe?position=startpos HTTP/1.0\r\n\r\n")
        self.assertEqual(old.split()[1], b"200")

    def test_log(self):
        self.server.raw(b'GET /%22"\x01\x1b[31m\\ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
        self.server.get("/v1/")
        time.sleep(0.3)
        with open(self.log, "rb") as f:
            lines = f.read().decode("ascii").splitlines()
        form = re.compile(r'127\.0\.0\.1 - - \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] '
                          r'"[ -~]* [ -~]* [ -~]*" (\d{3}|-) (\d+|-)')
        for line in lines:
            self.assertTrue(form.fullmatch(line), line)
        self.assertTrue(any('"GET /v1/ HTTP/1.1" 200' in line for line in lines))
        self.assertTrue(any("/%22\\x22\\x01\\x1b[31m\\x5c" in line for line in lines), lines[-3:])


class Crowd(Case):

    def test_64_clients(self):
        """Every one gets its own answers, whatever the others ask, and some break off."""
        moves = ["a5", "c5", "e5", "b4", "c4", "d4", "b3", "d3"]
        texts = [f"startpos moves {x} {y}" for x in moves for y in moves if x != y]
        expected = {t: merels("probe", "six", "--db", self.path("six"), "--json", t)[0] for t in texts}
        n_wrong, n_right = [], []

        def client(k):
            for i in range(5 if SHORT else 15):
                text = texts[(7 * k + 11 * i) % len(texts)]
                try:
                    if k % 8 == 7:  # breaks off
                        with self.server.connect() as s:
                            s.sendall(b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\nstart")
                        continue
                    answer = self.server.get("/v1/six/probe?position=" + text.replace(" ", "+"))
                    (n_right if answer.body == expected[text] else n_wrong).append(text)
                except OSError as e:
                    n_wrong.append(e)

        threads = [threading.Thread(target=client, args=(k,)) for k in range(64)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(n_wrong, [])
        self.assertEqual(len(n_right), 56 * (5 if SHORT else 15))


class Starting(Case):

    def test_wrong_words(self):
        db = os.path.join(tables(), "three")
        for arguments, status, words in (
                (("three", "--db", db, "--listen", "no.such.host.invalid"), 2, "is no address to listen on"),
                (("three", "--db", db, "--listen", "192.0.2.1"), 1, "cannot listen on 192.0.2.1"),
                (("three", "--db", db, "--port", str(self.server.port)), 1, "cannot listen on 127.0.0.1"),
                (("three", "--db", db, "--port", "65536"), 2, "--port"),
                (("three", "--db", db, "--origin", "a b"), 2, "--origin"),
                (("three", "--db", db, "--origin", "https://" + "a" * 200), 2, "--origin"),
                (("three", "--db", self.torn()), 1, "MANIFEST"),
                (("three", "--db", "/nonexistent"), 1, "/nonexistent"),
                (("three", "three", "--db", tables()), 2, "'three' stands twice"),
                (("nought", "--db", db), 2, "nought"), ((), 2, "usage"),
                (("six", "--db", db), 1, "rules"),
                (("three", "--db", db, "--log", "/nonexistent/log"), 1, "log cannot be opened")):
            out, err, got = merels("serve", *arguments)
            self.assertEqual((out, got), (b"", status), (arguments, err))
            self.assertIn(words, err)

    def torn(self):
        """A directory whose list of tables is damaged."""
        folder = os.path.join(self.root, "torn")
        shutil.copytree(self.path("three"), folder)
        with open(os.path.join(folder, "MANIFEST"), "r+b") as f:
            f.truncate(os.path.getsize(f.name) // 2)
        return folder

    def test_few_files(self):
        run = subprocess.run(["sh", "-c", 'ulimit -n 300 && exec "$0" "$@"', PROGRAM, "serve", "three", "--db",
                              self.path("three"), "--port", "0"], capture_output=True, timeout=60)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"see --max-connections", run.stderr)

    def test_listens_elsewhere(self):
        out, err, status = merels("serve", "--help")
        self.assertIn(b"127.0.0.1", out)
        if os.path.exists("/proc/net/if_inet6"):
            run = subprocess.Popen([PROGRAM, "serve", "three", "--db", os.path.join(tables(), "three"), "--listen",
                                    "::1", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            line = run.stdout.readline().decode()
            run.terminate()
            err = run.communicate()[1].decode()
            self.assertTrue(line.startswith("listening on http://[::1]:") or "cannot listen" in err
                            or "no address" in err, (line, err))

    def test_lost_log(self):
        server = Server("three", "--db", os.path.join(tables(), "three"), log="/dev/full")
        self.assertEqual(server.get("/v1/").status, 200)
        self.assertEqual(server.stop()[1], 1)
        self.assertIn("1 lines of the log could not be written", server.errors)
