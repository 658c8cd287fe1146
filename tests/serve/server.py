"""The program as a server, tables made once, and clients: a plain one, and one of raw bytes."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["MERELS_PROGRAM"]
SHORT = os.environ.get("MERELS_SHORT_TESTS") == "1"
SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def merels(*arguments, text=None):
    """Runs a command; returns what it wrote, and its exit status."""
    run = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, timeout=120)
    return run.stdout, run.stderr.decode(), run.returncode


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()


class Server:
    """merels serve on a free port; `arguments` as on the command line."""

    started = []

    def __init__(self, *arguments, log=None):
        command = [PROGRAM, "serve", *arguments, "--port", "0"]
        if log:
            command += ["--log", log]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        Server.started.append(self.process)
        line = self.process.stdout.readline().decode()
        if not line.startswith("listening on http://127.0.0.1:"):
            raise AssertionError(f"{line!r} {self.process.stderr.read()!r}")
        self.port = int(line.rstrip("/\n").rsplit(":", 1)[1])

    def ask(self, method, target, body=None, headers=None, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        connection.request(method, target, body, headers or {})
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def get(self, target, **headers):
        return self.ask("GET", target, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def post(self, target, body, **headers):
        return self.ask("POST", target, body,
                        headers={k.replace("_", "-"): v for k, v in headers.items()})

    def connect(self, timeout=60):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def raw(self, data, timeout=60, half_close=False):
        """Sends bytes and returns all that comes back until the server closes."""
        with self.connect(timeout) as s:
            s.sendall(data)
            if half_close:
                s.shutdown(socket.SHUT_WR)
            return read_all(s)

    def has_read_all(self, n_connections):
        """True if so many connections are open and the server has read what was sent to it."""
        with open("/proc/net/tcp") as f:
            rows = [line.split() for line in f.readlines()[1:]]
        queues = [row[4].split(":")[1] for row in rows
                  if row[1].endswith(f":{self.port:04X}") and row[3] == "01"]
        return len(queues) == n_connections and all(int(q, 16) == 0 for q in queues)

    def stop(self, number=signal.SIGTERM):
        """Ends it; returns the seconds that took, and the exit status."""
        begin = time.monotonic()
        self.process.send_signal(number)
        status = self.process.wait(30)
        seconds = time.monotonic() - begin
        self.errors = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return seconds, status


def read_all(s):
    data = b""
    try:
        while True:
            piece = s.recv(1 << 16)
            if not piece:
                return data
            data += piece
    except ConnectionResetError:
        return data


class Case(unittest.TestCase):
    """Has the tables of `three` and `six` in DB/NAME, and a server of both with a page."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp()
        cls.db = os.path.join(cls.root, "db")
        shutil.copytree(tables(), cls.db)
        cls.page = os.path.join(cls.root, "page")
        make_page(cls.page)
        cls.log = os.path.join(cls.root, "log")
        cls.server = Server("three", "six", "--db", cls.db, "--page", cls.page, *cls.arguments,
                            log=cls.log)

    @classmethod
    def tearDownClass(cls):
        seconds, status = cls.server.stop()
        shutil.rmtree(cls.root)
        assert status == 0, cls.server.errors
        assert seconds < 15 or SHORT, seconds

    def path(self, rules):
        return os.path.join(self.db, rules)


made = None


def tables():
    """Solves both games once in a run of the tests."""
    global made
    if not made:
        made = tempfile.mkdtemp()
        for rules in ("three", "six"):
            out, err, status = merels("solve", rules, "--db", os.path.join(made, rules))
            assert status == 0, err
    return made


def clear_away():
    """Ends what a failed test has left, and removes the tables."""
    for process in Server.started:
        if process.poll() is None:
            process.kill()
    if made:
        shutil.rmtree(made)


def make_page(folder):
    files = {"index.html": b"<h1>Merels</h1>\n", "main.mjs": b"export const x = 1;\n",
             "sub/index.html": b"below\n", "sub/a b.css": b"p {}\n", ".secret": b"hidden\n",
             "reader.wasm": bytes(range(256)) * 40, "empty.txt": b""}
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(content)
    os.mkfifo(os.path.join(folder, "pipe"))
    os.mkdir(os.path.join(folder, "bare"))
