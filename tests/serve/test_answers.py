"""What is answered is what the command line says, and what the description promises."""

import json
import os
from urllib.parse import quote, quote_plus

import jsonschema
from server import SOURCES, Case, Server, merels

SIX = ["startpos", "startpos moves a5 c4", "w a5,c5 b4,c4 4/4", "b a5,c5,e5 b4,c4 1/2",
       "w! a5,c5,e5 b4,c4 3/4", "w a5,c5,e5 b4,c4,d4 0/0", "w a5,c5 b4,c4,d4 0/0",
       "1. a5 c4 2. c5", '[Event "x"]\n\n1. a5 c4 2. c5 d4', "a5 c4 ; id \"one, two\""]
BAD = ["", "x", "w a9 - 5/6", "startpos moves a5 a5", "w a5 b4", "startpos moves é",
       "w a5 a5 5/5", "b a5,c5 b4,c4,d4 0/0", "\"\\\t<"]
GAMES = ["startpos moves a5 c4 c5 d4", "1. a5 c4 2. c5 d4 e5xc4", "1. a5 c4\n2. c5 zz"]


class Answers(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open(os.path.join(SOURCES, "query", "openapi.json"), encoding="utf-8") as f:
            cls.openapi = json.load(f)

    def check(self, value, path, method="get", status="200", kind="application/json"):
        """Holds an answer against its schema."""
        response = self.openapi["paths"][path][method]["responses"][status]
        if "$ref" in response:
            response = self.openapi["components"]["responses"][response["$ref"].split("/")[-1]]
        schema = dict(response["content"][kind]["schema"])
        schema["components"] = self.openapi["components"]
        jsonschema.validate(value, schema, cls=jsonschema.Draft202012Validator)

    def check_failure(self, answer, status, path, method="get"):
        self.assertEqual(answer.status, status, answer.body)
        self.assertEqual(answer.headers["Content-Type"], "application/json")
        self.assertEqual(answer.headers["Cache-Control"], "no-store")
        self.assertIsNone(answer.headers["ETag"])
        value = json.loads(answer.body)
        self.check(value, path, method, str(status))
        return value

    def command(self, *arguments, text=None):
        out, err, status = merels(*arguments, "--db", self.path(arguments[1]), text=text)
        return out, err

    def test_position_is_that_of_the_command(self):
        for text in SIX:
            out, err = self.command("probe", "six", "--json", text)
            for written in (quote(text, safe=""), quote_plus(text)):
                answer = self.server.get("/v1/six/probe?position=" + written)
                self.assertEqual(answer.status, 200, text)
                self.assertEqual(answer.body, out, text)
            self.check(json.loads(answer.body), "/v1/{rules}/probe")

    def test_closed_points_are_searched(self):
        """Over the tables of the rules without them, which the manifest there is of."""
        rules = "six,closed-points"
        server = Server(rules, "--db", self.path("six"), "--nodes", "100")
        path = f"/v1/{quote(rules)}/"
        text = quote("b a5,c5,e5 b4,a3,e1,b2,d2 0/1 xc4,d4")
        value = json.loads(server.get(path + "probe?position=" + text).body)
        self.assertEqual(value["metric"], "search")
        self.assertIsNone(value["plies"])
        self.check(value, "/v1/{rules}/probe")
        self.check_failure(server.get(path + "probe?position=startpos"), 503, "/v1/{rules}/probe")
        stats = json.loads(server.get(path + "stats").body)
        self.assertIn("no tables of its own", stats["error"])
        server.stop()

    def test_counted_plies(self):
        """Lost, and a removal is two plies away: drawn as soon as one ply is counted."""
        rules, lost = "six,n-move=2", "b e1,c1,a3,b4,c4,d3 a5,c5,e3 0/0"
        folder = os.path.join(self.root, "counted")
        merels("solve", rules, "--db", folder, "--phase", "moving", "--max-men", "9", "--threads", "1")
        server = Server(rules, "--db", folder)
        path = f"/v1/{quote(rules)}/"
        for count, value, plies in ((0, "loss", 2), (1, "draw", None), (2, "draw", None)):
            text = lost + (f" n{count}" if count else "")
            answer = json.loads(server.get(path + "probe?position=" + quote(text)).body)
            self.check(answer, "/v1/{rules}/probe")
            self.assertEqual((answer["position"], answer["metric"], answer["quiet_plies"]),
                             (text, "dtc", count))
            self.assertEqual((answer["value"], answer["plies"]), (value, plies))
            self.assertEqual(answer.get("over"), "too many plies without a removal" if count == 2 else None)
            for move in answer["moves"]:
                self.assertEqual(move["after"].endswith(f" n{count + 1}"), not move["removed"])
        failed = server.get(path + "probe?position=" + quote(lost + " n3"))
        self.check_failure(failed, 422, "/v1/{rules}/probe")
        self.check(json.loads(server.get(path + "stats").body), "/v1/{rules}/stats")
        analysis = server.post(path + "analyse", (lost + " n1 moves c5-e5").encode())
        self.check(json.loads(analysis.body), "/v1/{rules}/analyse", "post")
        server.stop()

    def test_parts_of_plies_lead_to_the_position_after(self):
        value = json.loads(self.server.get("/v1/six/probe?position="
                                           + quote("w a5,c5,e3 b4,c4,d3 1/1")).body)
        self.assertTrue(any(m["removed"] for m in value["moves"]))
        for move in value["moves"]:
            after = json.loads(self.server.get("/v1/six/probe?position=" + quote(move["after"])).body)
            turned = {"win": "loss", "draw": "draw", "loss": "win"}[after["value"]]
            self.assertEqual(move["value"], turned)
            if move["plies"] is not None:
                self.assertEqual(move["plies"], after["plies"] + 1)
            self.assertEqual(move["move"], move["to"] + "".join("x" + p for p in move["removed"]))

    def test_over_says_why(self):
        value = json.loads(self.server.get("/v1/six/probe?position="
                                           + quote("w a5,c5 b4,c4,d4 0/0")).body)
        self.assertEqual((value["over"], value["value"], value["moves"]), ("too few men", "loss", []))

    def test_bad_position_has_the_text_of_the_command(self):
        for text in BAD:
            answer = self.server.get("/v1/six/probe?position=" + quote(text, safe=""))
            err = self.command("probe", "six", "--json", text)[1]
            self.assertIn(answer.status, (400, 422), text)
            value = self.check_failure(answer, answer.status, "/v1/{rules}/probe")
            self.assertEqual("merels: " + value["error"].replace("\t", "?") + "\n", err)
            self.assertNotIn("value", value)
        self.assertEqual(self.server.get("/v1/six/probe?position=w+a5,c5+b4,c4+9/9").status, 422)
        self.check_failure(self.server.get("/v1/six/probe?positions=startpos"), 400, "/v1/{rules}/probe")

    def test_parameters(self):
        """One that is not known here, stands twice or has another value is named, with an example."""
        probe, batch = "/v1/six/probe?position=startpos", "/v1/six/probe"
        for method, target, name in (
                ("get", probe + "&replies=1", "replies"), ("get", probe + "&x", "x"),
                ("get", probe + "&position=startpos", "position"),
                ("get", "/v1/six/stats?json=1", "json"), ("get", "/v1/six/rules?x=", "x"),
                ("get", "/v1/?x=1", "x"), ("get", "/v1/openapi.json?x=1", "x"),
                ("post", batch + "?replies=maybe", "replies"), ("post", batch + "?replies=2", "replies"),
                ("post", batch + "?replies=", "replies"), ("post", batch + "?replies", "replies"),
                ("post", batch + "?parts=true", "parts"), ("post", batch + "?parts=1&parts=0", "parts"),
                ("post", batch + "?Parts=1", "Parts"), ("post", batch + "?position=startpos", "position"),
                ("post", "/v1/six/analyse?replies=1", "replies")):
            answer = getattr(self.server, method)(target, *([b"startpos"] if method == "post" else []))
            path = target.split("?")[0].replace("six", "{rules}")
            value = self.check_failure(answer, 400, path, method)
            self.assertIn(f"the parameter '{name}' ", value["error"])
            self.assertRegex(value["error"], "; for example: [?/]")

    def test_position_that_cannot_arise(self):
        answer = self.server.get("/v1/six/probe?position=" + quote("w a5,c5,e3 b4,c4,d3 0/5"))
        value = self.check_failure(answer, 422, "/v1/{rules}/probe")
        self.assertEqual(value["status"], "cannot arise")

    def test_batch_is_that_of_the_command(self):
        lines = "\n".join(t for t in SIX + BAD if "\n" not in t).encode() + b"\n# a comment\n\n"
        lines += '{"position": "startpos moves a5", "label": "é\\n"}\n{"position": 3}\n{"x": {}}\n'.encode()
        for query, options in (("", ()), ("?replies=1", ("--replies",)), ("?replies=0", ()),
                               ("?parts=1&replies=1", ("--replies", "--parts"))):
            out = self.command("probe", "six", *options, "-", text=lines)[0]
            answer = self.server.post("/v1/six/probe" + query, lines)
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.headers["Content-Type"], "application/x-ndjson")
            self.assertEqual(answer.body, out)
            for line in answer.body.splitlines():
                self.check(json.loads(line), "/v1/{rules}/probe", "post", kind="application/x-ndjson")
        values = [json.loads(line) for line in answer.body.splitlines()]
        self.assertIn("one, two", [v.get("label") for v in values])
        self.assertIn("é\n", [v.get("label") for v in values])

    def test_long_batch_comes_whole(self):
        lines = b"".join(b"startpos moves a5 c4 ; id \"%d\"\n" % i for i in range(3000))
        out = self.command("probe", "six", "-", text=lines)[0]
        self.assertEqual(self.server.post("/v1/six/probe", lines).body, out)
        chunks = (lines[i:i + 1000] for i in range(0, len(lines), 1000))
        self.assertEqual(self.server.post("/v1/six/probe", chunks).body, out)

    def test_empty_batch(self):
        self.check_failure(self.server.post("/v1/six/probe", b""), 400, "/v1/{rules}/probe", "post")
        self.assertEqual(self.server.post("/v1/six/probe", b"\n\n").body, b"")

    def test_stats_and_rules(self):
        for i in range(2):
            answer = self.server.get("/v1/six/stats")
            self.assertEqual(answer.body, self.command("stats", "six", "--json")[0])
        self.check(json.loads(answer.body), "/v1/{rules}/stats")
        for rules, edges, mills, images in (("three", 16, 8, 8), ("six", 20, 8, 8)):
            value = json.loads(self.server.get(f"/v1/{rules}/rules").body)
            self.check(value, "/v1/{rules}/rules")
            board = value["board"]
            self.assertEqual((len(board["edges"]), len(board["mills"])), (edges, mills))
            self.assertGreaterEqual(len(board["symmetries"]), images)
            told = json.loads(merels("rules", rules, "--json")[0])
            self.assertEqual({k: value[k] for k in told}, told)

    def test_list(self):
        answer = self.server.get("/v1/")
        value = json.loads(answer.body)
        self.check(value, "/v1/")
        self.assertEqual([s["rules"] for s in value["served"]], ["three", "six"])
        self.assertEqual([s["whole"] for s in value["served"]], [True, True])
        self.assertEqual(value["served"][1]["start"], "w - - 6/6")
        self.assertEqual(self.server.get("/v1").body, answer.body)

    def test_game_is_that_of_the_command(self):
        for game in GAMES:
            answer = self.server.post("/v1/six/analyse", game.encode())
            self.assertEqual(answer.status, 200, game)
            self.assertEqual(answer.body, self.command("analyse", "six", "--json", game)[0])
            self.check(json.loads(answer.body), "/v1/{rules}/analyse", "post")
        for body in (b"", b"zz", b"a5\0c4", b"\xff\xfe", b"x" * (1 << 20) + b"y"):
            self.check_failure(self.server.post("/v1/six/analyse", body), 400, "/v1/{rules}/analyse", "post")

    def test_description_is_that_of_the_sources(self):
        answer = self.server.get("/v1/openapi.json")
        self.assertEqual(json.loads(answer.body), self.openapi)
        self.assertEqual(self.server.get("/v1/openapi.json", If_None_Match=answer.headers["ETag"]).status, 304)

    def test_head_is_get_without_a_body(self):
        for target in ("/v1/", "/v1/six/probe?position=startpos", "/v1/six/stats", "/v1/six/rules",
                       "/v1/openapi.json", "/db/six/MANIFEST", "/", "/main.mjs", "/v1/six/probe", "/nothing"):
            get, head = self.server.get(target), self.server.ask("HEAD", target)
            self.assertEqual(head.body, b"")
            self.assertEqual(head.status, get.status)
            for name in ("Content-Type", "Content-Length", "ETag", "Cache-Control"):
                self.assertEqual(head.headers[name], get.headers[name], (target, name))

    def test_etag(self):
        tags = set()
        for target in ("/v1/six/probe?position=startpos", "/v1/six/stats", "/v1/six/rules"):
            answer = self.server.get(target)
            tag = answer.headers["ETag"]
            self.assertIn("max-age", answer.headers["Cache-Control"])
            tags.add(tag)
            for known in (tag, "W/" + tag, f'"x", {tag}', "*"):
                again = self.server.get(target, If_None_Match=known)
                self.assertEqual((again.status, again.body), (304, b""))
                self.assertEqual(again.headers["ETag"], tag)
            for unknown in ('"x"', "", tag[:-1], tag.strip('"')):
                self.assertEqual(self.server.get(target, If_None_Match=unknown).status, 200, unknown)
        self.assertNotIn(self.server.get("/v1/three/rules").headers["ETag"], tags)
        self.assertEqual(self.server.get("/v1/six/probe?position=zz", If_None_Match=tag).status, 400)

    def test_methods(self):
        for target, allow in (("/v1/", "GET, HEAD, OPTIONS"), ("/v1/six/probe", "GET, HEAD, POST, OPTIONS"),
                              ("/v1/six/stats", "GET, HEAD, OPTIONS"), ("/v1/six/analyse", "POST, OPTIONS"),
                              ("/db/six/MANIFEST", "GET, HEAD, OPTIONS"), ("/", "GET, HEAD, OPTIONS")):
            options = self.server.ask("OPTIONS", target)
            self.assertEqual((options.status, options.headers["Allow"], options.body), (204, allow, b""))
            self.assertIsNone(options.headers["Access-Control-Allow-Origin"])
            for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"):
                if method in allow.split(", "):
                    continue
                answer = self.server.ask(method, target, b"x" if method in ("POST", "PUT") else None)
                self.assertEqual((answer.status, answer.headers["Allow"]), (405, allow), (method, target))

    def test_nothing_there(self):
        for target in ("/v1/x", "/v1/six", "/v1/nine/probe?position=startpos", "/v1/six/probe/x", "/v2/",
                       "/db", "/db/six", "/db/nine/MANIFEST", "/v1//probe", "/v1/six%2fprobe"):
            answer = self.server.get(target)
            self.assertEqual(answer.status, 404, target)
            self.assertIn("error", json.loads(answer.body))


class Origins(Case):
    arguments = ("--origin", "https://example.org")

    def test_pages_from_elsewhere(self):
        for target in ("/v1/", "/v1/six/probe?position=startpos", "/v1/six/probe?position=x", "/db/six/MANIFEST"):
            answer = self.server.get(target)
            self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "https://example.org")
            self.assertIn("Content-Range", answer.headers["Access-Control-Expose-Headers"])
        before = self.server.ask("OPTIONS", "/v1/six/probe")
        self.assertEqual(before.headers["Access-Control-Allow-Methods"], "GET, HEAD, POST, OPTIONS")
        self.assertIn("Content-Type", before.headers["Access-Control-Allow-Headers"])
