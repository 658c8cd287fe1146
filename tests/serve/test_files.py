"""Files of tables and of the page, in parts, and nothing else of the disk."""

import os
import shutil

from server import Case, Server, tables


class Files(Case):

    def content(self, *names):
        with open(os.path.join(self.root, *names), "rb") as f:
            return f.read()

    def test_whole(self):
        for name in ("MANIFEST", "3-3.mtb", "0-0-6-6.mtb"):
            answer = self.server.get("/db/six/" + name)
            self.assertEqual((answer.status, answer.body), (200, self.content("db", "six", name)))
            self.assertEqual(answer.headers["Accept-Ranges"], "bytes")
        self.assertTrue(answer.headers["Content-Type"].startswith("application/octet-stream"))

    def test_ranges(self):
        target, whole = "/db/six/3-3.mtb", self.content("db", "six", "3-3.mtb")
        n = len(whole)
        for text, first, last in (("0-0", 0, 0), ("0-99", 0, 99), ("100-", 100, n - 1), ("-7", n - 7, n - 1),
                                  (f"{n - 1}-", n - 1, n - 1), (f"5-{n * 9}", 5, n - 1), (f"-{n * 9}", 0, n - 1),
                                  ("5-99999999999999999999999999", 5, n - 1)):
            answer = self.server.get(target, Range="bytes=" + text)
            self.assertEqual((answer.status, answer.body), (206, whole[first:last + 1]), text)
            self.assertEqual(answer.headers["Content-Range"], f"bytes {first}-{last}/{n}")
            head = self.server.ask("HEAD", target, headers={"Range": "bytes=" + text})
            self.assertEqual((head.status, head.body), (206, b""))
            self.assertEqual(head.headers["Content-Length"], str(last - first + 1))
        for text in (f"{n}-", f"{n}-{n + 5}", "-0", "99999999999999999999999999-"):
            answer = self.server.get(target, Range="bytes=" + text)
            self.assertEqual((answer.status, answer.headers["Content-Range"]), (416, f"bytes */{n}"), text)
        for text in ("bytes=0-1,5-6", "bytes=", "bytes=-", "bytes=5-4", "bytes=x", "lines=0-1", "bytes=0-1x", "0-1",
                     "bytes=0x1-2", "bytes=+1-2", "bytes=1--2"):
            answer = self.server.get(target, Range=text)
            self.assertEqual((answer.status, answer.body), (200, whole), text)
        self.assertEqual(self.server.get("/empty.txt", Range="bytes=0-").status, 416)
        self.assertEqual(self.server.get("/empty.txt").body, b"")

    def test_range_of_a_file_that_changed(self):
        target, whole = "/db/six/3-3.mtb", self.content("db", "six", "3-3.mtb")
        headers = self.server.get(target).headers
        for known in (headers["ETag"], headers["Last-Modified"]):
            answer = self.server.get(target, Range="bytes=0-9", If_Range=known)
            self.assertEqual((answer.status, answer.body), (206, whole[:10]))
        for unknown in ('"x"', "W/" + headers["ETag"], "Mon, 01 Jan 2001 00:00:00 GMT"):
            answer = self.server.get(target, Range="bytes=0-9", If_Range=unknown)
            self.assertEqual((answer.status, answer.body), (200, whole))
        for known in ({"If-None-Match": headers["ETag"]}, {"If-Modified-Since": headers["Last-Modified"]}):
            self.assertEqual(self.server.ask("GET", target, headers=known).status, 304)
        self.assertEqual(self.server.get(target, If_None_Match='"x"',
                                         If_Modified_Since=headers["Last-Modified"]).status, 200)
        path = os.path.join(self.page, "changing.txt")
        with open(path, "wb") as f:
            f.write(b"before")
        tag = self.server.get("/changing.txt").headers["ETag"]
        with open(path, "wb") as f:
            f.write(b"behind")
        self.assertNotEqual(self.server.get("/changing.txt").headers["ETag"], tag)

    def test_page(self):
        for target, content, kind in (("/", b"<h1>Merels</h1>\n", "text/html"),
                                      ("/index.html?x=1", b"<h1>Merels</h1>\n", "text/html"),
                                      ("/main.mjs", b"export const x = 1;\n", "text/javascript"),
                                      ("/sub/", b"below\n", "text/html"), ("/sub/a%20b.css", b"p {}\n", "text/css"),
                                      ("/reader.wasm", bytes(range(256)) * 40, "application/wasm")):
            answer = self.server.get(target)
            self.assertEqual((answer.status, answer.body), (200, content), target)
            self.assertTrue(answer.headers["Content-Type"].startswith(kind))
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(answer.headers["Cache-Control"], "no-cache")
        deep = "/" + "d" * 200
        os.makedirs(self.page + deep)
        self.assertEqual(self.server.get(deep).status, 404)  # no room for its address
        moved = self.server.get("/sub?x=1")
        self.assertEqual((moved.status, moved.headers["Location"]), (301, "/sub/"))

    def test_nothing_else(self):
        with open(os.path.join(self.root, "outside.txt"), "w") as f:
            f.write("outside")
        shutil.copy(os.path.join(self.root, "outside.txt"), self.path("six"))
        for target in ("/../outside.txt", "/%2e%2e/outside.txt", "/sub/../../outside.txt", "/..%2foutside.txt",
                       "/%2e%2e%2foutside.txt", "/sub/..%2f..%2foutside.txt", "/..%5coutside.txt", "/.secret",
                       "/%2esecret", "//etc/passwd", "/%2fetc/passwd", "/etc/passwd", "/.", "/..", "/sub/.", "/./",
                       "/sub//a%20b.css", "/main.mjs/", "/main.mjs/x", "/pipe", "/bare/", "/index.html%00.txt",
                       "/main.mjs%", "/main.mjs%2", "/main.mjs%zz", "/%00", "/%0a", "/\\..\\outside.txt",
                       "/db/six/../three/MANIFEST", "/db/six/..%2fthree%2fMANIFEST", "/db/six/outside.txt",
                       "/db/six/.mtb", "/db/six/", "/db/../outside.txt", "/db/six/MANIFEST/", "/db/six/%2e%2e",
                       "/db/six/x.mtb", "/db/six/..%2f..%2foutside.mtb", "/db/%2e%2e/MANIFEST",
                       "/" + "a/" * 50, "/" + "a" * 5000, "/%c0%ae%c0%ae/outside.txt", "/%ff"):
            data = f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
            answer = self.server.raw(data)
            self.assertIn(int(answer.split()[1]), (400, 404), target)
            self.assertNotIn(b"outside\n", answer)
            self.assertNotIn(b"root:", answer)
            self.assertNotIn(b"hidden", answer)

    def test_whole_address_as_target(self):
        answer = self.server.raw(b"GET http://example.org/main.mjs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        self.assertTrue(answer.endswith(b"export const x = 1;\n"))

    def test_compact_beside(self):
        out = os.path.join(self.db, "six.mce")
        with open(out, "wb") as f:
            f.write(b"compact")
        answer = self.server.get("/db/six/six.mce", Range="bytes=1-2")
        self.assertEqual((answer.status, answer.body), (206, b"om"))
        self.assertIn(b'"file": "six.mce"', self.server.get("/v1/").body)
        os.remove(out)
        self.assertEqual(self.server.get("/db/six/six.mce").status, 404)

    def test_no_page(self):
        server = Server("three", "--db", os.path.join(tables(), "three"), "--page", "/nonexistent")
        self.assertEqual(server.get("/").status, 404)
        self.assertEqual(server.get("/v1/three/probe?position=startpos").status, 200)
        self.assertEqual(server.stop()[1], 0)
