"""names.py SOURCES: every test and every patch that docs/RELIABILITY.md names in its tables is there."""

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
    for path in ("tests/CMakeLists.txt", "tests/sources.cmake", "cmake/CMakeLists.txt"):
        found |= set(re.findall(r"add_test\(NAME (\w+)", text_of(path)))
    for part in re.split(r"^class ", text_of("tests/mpi/test_ranks.py"), flags=re.M)[1:]:
        found |= {part[:part.index("(")] + "." + name for name in re.findall(r"def (test_\w+)", part)}
    return found


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


def is_script(name):
    """`scripts/check NAME`, or a script by itself."""
    words = name.split(" ")
    path = "scripts/checks/" + words[1] if words[0] == "scripts/check" and words[1:] else words[0]
    return name.startswith("scripts/") and os.access(os.path.join(root, path), os.X_OK)


known, wrong, n_named = all_tests(), [], 0
for line in text_of("docs/RELIABILITY.md").splitlines():
    if not line.startswith("| ") or line.startswith("| fault") or line.startswith("| ---"):
        continue
    shown_by, taken_out_by = line.rstrip()[:-1].split(" |")[-2:]
    names, patches = (re.findall(r"`([^`]+)`", cell) for cell in (shown_by, taken_out_by))
    wrong += [name for name in patches if not os.path.exists(os.path.join(root, "tests/mutants", name + ".patch"))
              and not os.path.isdir(os.path.join(root, name))]
    if not names and "the fuzz targets" not in shown_by and "by no test: " not in shown_by:
        wrong.append(f"no test: {line}")
    for name in names:
        n_named += 1
        if name not in known and not faults_has(name) and not is_script(name):
            wrong.append(name)
print(f"{n_named} tests are named")
sys.exit("\n".join(wrong) if wrong or n_named < 50 else 0)
