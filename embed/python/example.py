"""example.py: the plies of a position with their values, best first.

    MERELS_LIBRARY=build/release/cmake/libmerels.so python3 example.py three data/three.mce
    MERELS_LIBRARY=... python3 example.py nine nine.mce "w a7,d7 g7,b6 7/7"
"""

import sys

import merels

WORDS = {1: "wins", 0: "draws", -1: "loses"}


def show(rules: str, path: str, text: str = "startpos") -> None:
    with merels.Tablebase(rules, path) as base:
        for ply in base.rank(base.parse(text)):
            print(ply.text, WORDS[ply.value], "" if ply.plies is None else f"in {ply.plies}")


def main(words) -> int:
    if len(words) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        show(*words)
    except merels.MerelsError as error:
        print(f"{error.status}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
