"""Tables that are missing or damaged, and a server that ends while it is at work."""

import json
import os
import signal
import socket
import tempfile
import threading
import time

from server import Case, Server, merels, read_all, tables

LONG = b"startpos moves a5\n" * 200000


class Faults(Case):

    def setUp(self):
        self.own = Server("six", "--db", self.path("six"))

    def tearDown(self):
        self.assertEqual(self.own.stop()[1], 0, self.own.errors)

    def file(self, subspace):
        return os.path.join(self.path("six"), subspace + ".mtb")

    def test_missing_table(self):
        os.rename(self.file("3-3"), self.file("3-3") + ".away")
        os.rename(self.file("2-3-1-0"), self.file("2-3-1-0") + ".away")
        try:
            answer = self.own.get("/v1/six/probe?position=w+a5,c5,e3+b4,c4,d3+0/0")
            value = json.loads(answer.body)
            self.assertEqual((answer.status, value["status"], value["subspace"]), (404, "missing", "3-3"))
            self.assertIn("missing: subspace 3-3", value["error"])
            self.assertNotIn("value", value)
            self.assertIsNone(answer.headers["ETag"])
            part = self.own.get("/v1/six/probe?position=w!+a5,c5,e5+b4,c4,d3,b3+0/0")
            self.assertEqual((part.status, json.loads(part.body)["subspace"]), (404, "3-3"))
            lines = self.own.post("/v1/six/probe", b"w a5,c5,e3 b4,c4,d3 0/0\nstartpos\n").body.splitlines()
            self.assertEqual(json.loads(lines[0])["status"], "missing")
            self.assertNotIn("value", json.loads(lines[0]))
            self.assertIn("value", json.loads(lines[1]))
            self.assertEqual(self.own.get("/db/six/3-3.mtb").status, 404)
            near = json.loads(self.own.get("/v1/six/probe?position=w+a5,c5,e3+b4,c4,d3,b3+0/0").body)
            self.assertIn("value", near)
        finally:
            os.rename(self.file("3-3") + ".away", self.file("3-3"))
            os.rename(self.file("2-3-1-0") + ".away", self.file("2-3-1-0"))

    def test_table_that_is_not_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            merels("solve", "three", "--db", folder, "--keep", "none", "--threads", "1")
            server = Server("three", "--db", folder)
            answer = server.get("/v1/three/probe?position=w+a3,b3,c2+a1,c1,b2+0/0")
            value = json.loads(answer.body)
            self.assertEqual((answer.status, value["status"], value["subspace"]), (404, "not kept", "3-3"))
            self.assertIn("not kept: subspace 3-3 was solved", value["error"])
            self.assertNotIn("value", value)
            self.assertEqual(server.get("/db/three/3-3.mtb").status, 404)
            self.assertEqual(server.get("/v1/three/probe?position=startpos").status, 200)
            self.assertEqual(len(json.loads(server.get("/v1/three/stats").body)["subspaces"]), 7)
            self.assertEqual(server.stop()[1], 0, server.errors)

    def test_damaged_table(self):
        with open(self.file("4-3"), "rb") as f:
            whole = f.read()
        try:
            for at in (0, 40, len(whole) // 2, len(whole) - 3):
                with open(self.file("4-3"), "r+b") as f:
                    f.seek(at)
                    f.write(bytes([whole[at] ^ 0x55]))
                server = Server("six", "--db", self.path("six"))
                n_damaged = 0
                for i in range(16):
                    points = "a5 c5 e5 e3 e1 c1 a1 a3 b4 c4 d4 d3 d2 c2 b2 b3".split()
                    own = [points[(i + k) % 16] for k in (0, 5, 10, 15)]
                    other = [points[(i + k) % 16] for k in (2, 7, 12)]
                    answer = server.get(f"/v1/six/probe?position=w+{','.join(own)}+{','.join(other)}+0/0")
                    value = json.loads(answer.body)
                    if answer.status == 500:
                        n_damaged += 1
                        self.assertEqual(value["status"], "corrupt")
                        self.assertIn("4-3.mtb", value["error"])
                        self.assertNotIn("value", value)
                        self.assertNotIn("moves", value)
                        self.assertIsNone(answer.headers["ETag"])
                    else:
                        self.assertIn(answer.status, (200, 400, 422))
                self.assertTrue(at > 100 or n_damaged > 0, at)
                self.assertEqual(server.get("/v1/six/probe?position=w+a5,c5,e3+b4,c4,d3+0/0").status, 200)
                if at == 0:
                    stats = server.get("/v1/six/stats")
                    self.assertEqual(stats.status, 500)
                    self.assertNotIn("subspaces", json.loads(stats.body))
                self.assertEqual(server.stop()[1], 0, server.errors)
                with open(self.file("4-3"), "wb") as f:
                    f.write(whole)
        finally:
            with open(self.file("4-3"), "wb") as f:
                f.write(whole)

    def test_analysis_on_a_damaged_table(self):
        """A ply or the last position on a damaged block: no value of any ply is told."""
        with open(self.file("4-3"), "rb") as f:
            whole = f.read()
        last, before = "w a5,c1,e1,d2 b4,d4,e3 0/0", "b a5,c1,e1,d2 b4,d4,e3 0/0"
        near = "w a5,c1,e1,d2 b4,d4,e3,c5 0/0"
        after = "w a5,c1,e1,c5 b4,d4,d3 0/0 moves c5-e5"
        server = None
        try:
            with open(self.file("4-3"), "wb") as f:
                n = len(whole) // 8
                f.write(whole[:n] + bytes(b ^ 0x55 for b in whole[n:-n]) + whole[-n:])
            server = Server("six", "--db", self.path("six"))
            for game in (last, before + " moves b4-b3", before + " moves b4-b3 zz", after):
                answer = server.post("/v1/six/analyse", game.encode())
                value = json.loads(answer.body)
                self.assertEqual((answer.status, value["status"]), (500, "corrupt"), (game, answer.body))
                self.assertIn("4-3.mtb", value["error"])
                self.assertEqual(set(value), {"error", "status"})
                out, err, status = merels("analyse", "six", "--db", self.path("six"), game)
                self.assertEqual(status, 1)
                self.assertIn("4-3.mtb", err)
            self.assertEqual(server.post("/v1/six/analyse", near.encode()).status, 200)
        finally:
            with open(self.file("4-3"), "wb") as f:
                f.write(whole)
            if server:
                self.assertEqual(server.stop()[1], 0, server.errors)

    def test_file_that_becomes_shorter(self):
        path = os.path.join(self.page, "big")
        with open(path, "wb") as f:
            f.write(b"x" * 50_000_000)
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.connect(("127.0.0.1", self.server.port))
            s.sendall(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
            s.recv(100)
            os.truncate(path, 1000)
            s.settimeout(30)
            self.assertLess(len(read_all(s)), 50_000_000)
        self.assertEqual(self.server.get("/").status, 200)


class Ends(Case):

    def start(self):
        return Server("six", "--db", self.path("six"))

    def check(self, server, number=signal.SIGTERM):
        """It takes two seconds, and many more where the machine has other work."""
        seconds, status = server.stop(number)
        self.assertEqual(status, 0, server.errors)
        self.assertLess(seconds, 15)

    def test_nothing_to_do(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.check(self.start(), number)

    def test_open_connections(self):
        server = self.start()
        held = [server.connect() for i in range(20)]
        for i, s in enumerate(held):
            s.sendall(b"GET /v1/ HTTP/1.1\r\nHost: x\r\n" + (b"\r\n" if i % 2 else b""))
        self.check(server)
        for s in held:
            s.close()

    def test_during_a_batch_that_nobody_takes(self):
        server = self.start()
        with server.connect() as s:
            s.sendall(b"POST /v1/six/probe?replies=1 HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(LONG))
            s.sendall(LONG)
            self.assertTrue(s.recv(1000).startswith(b"HTTP/1.1 200"))
            self.check(server)

    def test_during_a_batch_that_is_taken(self):
        server, got = self.start(), []
        with server.connect() as s:
            s.sendall(b"POST /v1/six/probe?replies=1 HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(LONG))
            s.sendall(LONG)
            t = threading.Thread(target=lambda: got.append(read_all(s)))
            t.start()
            time.sleep(0.5)
            self.check(server)
            t.join()
        self.assertTrue(got[0].startswith(b"HTTP/1.1 200"))
        self.assertFalse(got[0].endswith(b"0\r\n\r\n"), "a batch that was cut looks whole")

    def test_during_a_short_request(self):
        """What began before the signal is answered."""
        server = self.start()
        with server.connect() as s:
            s.sendall(b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nstart")
            time.sleep(0.2)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
            s.sendall(b"pos\n")
            answer = read_all(s)
        self.assertIn(b'"value"', answer)
        self.assertEqual(server.process.wait(10), 0)
        server.stop()

    def test_during_an_upload(self):
        server = self.start()
        with server.connect() as s:
            s.sendall(b"POST /v1/six/probe HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nstart")
            self.check(server)

    def test_during_an_analysis(self):
        server, taken = self.start(), []
        there, back = ["a5-a3", "b4-b3"], ["a3-a5", "b3-b4"]
        game = "w a5,c1,e1,d2 b4,d4,e3,c5 0/0 moves " + " ".join((there + back) * 4900)
        t = threading.Thread(target=lambda: taken.append(self.try_post(server, game.encode())))
        t.start()
        time.sleep(0.2)
        self.check(server)
        t.join()

    def try_post(self, server, body):
        try:
            return server.post("/v1/six/analyse", body).status
        except OSError:
            return 0
