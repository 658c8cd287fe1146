"""example.py: the plies of a position with their values, best first.

    MERELS_LIBRARY=build/release/cmake/libmerels.so python3 example.py three data/three.mce
"""

import sys

import merels

WORDS = {1: "wins", 0: "draws", -1: "loses"}


def main(rules: str, path: str, text: str = "startpos") -> int:
    with merels.Tablebase(rules, path) as base:
        for ply in base.rank(base.parse(text)):
            print(ply.text, WORDS[ply.value], "" if ply.plies is None else f"in {ply.plies}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
