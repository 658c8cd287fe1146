"""The server with few descriptors, and with an allocation that fails: it says why it cannot start, or answers; an answer is
right or an error, and the next one is right."""

import http.client
import json
import resource
import signal
import socket
import subprocess
import time

from faults import INJECT, LONG, PROGRAM, Case, Run, environment, good, tables

TARGET = "/v1/three/probe?position=startpos"


def limit(n):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n))


class Serve(Case):
    def setUp(self):
        self.right = json.loads(good("probe", "three", "--db", tables("three"), "--json", "startpos").out)

    def start(self, *words, before=None, **more):
        """The process and its port; None if it ended."""
        process = subprocess.Popen([PROGRAM, "serve", "three", "--db", tables("three"), "--port", "0", *words],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(**more),
                                   preexec_fn=before)
        self.addCleanup(process.kill)  # where a test fails before its end
        line = process.stdout.readline().decode()
        if "listening on http://127.0.0.1:" not in line:
            out, err = process.communicate(timeout=60)
            return Run(line.encode() + out, err.decode(errors="replace"), process.returncode), None
        return process, int(line.rstrip("/\n").rsplit(":", 1)[1])

    def ask(self, port):
        """Status and value; None if there was no answer."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            connection.request("GET", TARGET)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (http.client.HTTPException, OSError, ValueError):
            return None
        finally:
            connection.close()

    def check_right(self, answer, what):
        self.assertIsNotNone(answer, what)
        self.assertEqual(answer[0], 200, f"{what}: {answer}")
        self.assertEqual((answer[1]["value"], answer[1]["plies"], len(answer[1]["moves"])),
                         (self.right["value"], self.right["plies"], len(self.right["moves"])), what)

    def end(self, process, what):
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0, f"{what}: {out} {err}")

    def test_few_descriptors(self):
        few = limit(32)
        run, port = self.start(before=few)
        self.assertIsNone(port)
        self.assertEqual(run.status, 1)
        self.assertRegex(run.last, "^merels: 256 connections need 532 open files, .* 32: see --max-connections")
        process, port = self.start("--max-connections", "6", before=few)
        self.assertIsNotNone(port, process)
        self.check_right(self.ask(port), "32 descriptors")
        waiting = []
        for _ in range(60):
            waiting.append(socket.create_connection(("127.0.0.1", port), 20))
        for connection in waiting:
            connection.close()
        answer, begin = self.ask(port), time.monotonic()
        while (answer is None or answer[0] == 503) and time.monotonic() - begin < 20:  # it sees that they are closed
            time.sleep(0.1)
            answer = self.ask(port)
        self.check_right(answer, "after 60 connections")
        self.end(process, "32 descriptors")

    def test_allocations(self):
        n_refused = n_answered = 0
        for n in range(1, 3000, 3 if LONG else 61):
            what = f"allocation {n}"
            process, port = self.start(LD_PRELOAD=INJECT, FAULT_RULES=f"alloc@{n}=ENOMEM")
            if port is None:
                self.check_ended(process, what)
                self.assertEqual(process.status, 1, what)
                n_refused += 1
                continue
            answer = self.ask(port)
            if answer is not None and answer[0] == 200:
                self.check_right(answer, what)
            elif answer is not None:
                self.assertNotIn("value", answer[1], what)
            self.check_right(self.ask(port), f"{what}, then")
            self.end(process, what)
            n_answered += 1
        self.assertGreater(n_refused, 0)
        self.assertGreater(n_answered, 0)
