"""names.py SOURCES: every test that docs/RELIABILITY.md names in its tables is there."""

import os
import re
import sys

root = sys.argv[1]


def text_of(path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def all_tests():
    sources = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(root, "tests"))
               for name in names if name.startswith("test_") and name.endswith(".c")]
    found = set()
    for path in sources:
        for suite, name in re.findall(r"^(?:Test|ParameterizedTest|IN_EVERY_\w+|FOR_\w+|\w*TEST\w*)"
                                      r"\((?:[^;(){}]*?\*\w+, )?(\w+),\s*(\w+)", text_of(path), re.M):
            found |= {suite, f"{suite}/{name}"}
    return found | set(re.findall(r"add_test\(NAME (\w+)", text_of("tests/CMakeLists.txt") + text_of("tests/sources.cmake")))


def faults_has(name):
    module, _, rest = name.partition(".")
    path = f"tests/faults/test_{module}.py"
    if not os.path.exists(os.path.join(root, path)):
        return False
    text = text_of(path)
    for part in rest.split(".") if rest else []:
        if not re.search(rf"^class {re.escape(part)}\(|^    def test_{re.escape(part)}\(", text, re.M):
            return False
    return True


known, wrong, n_named = all_tests(), [], 0
for line in text_of("docs/RELIABILITY.md").splitlines():
    if not line.startswith("| ") or line.startswith("| fault") or line.startswith("| ---"):
        continue
    names = re.findall(r"`([^`]+)`", line.rstrip("| ").rsplit(" | ", 1)[1])
    if not names and "the fuzz targets" not in line:
        wrong.append(f"no test: {line}")
    for name in names:
        n_named += 1
        if name not in known and not faults_has(name) and not name.startswith("scripts/"):
            wrong.append(name)
print(f"{n_named} tests are named")
sys.exit("\n".join(wrong) if wrong or n_named < 50 else 0)
