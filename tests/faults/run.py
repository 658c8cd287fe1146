"""Starts the tests of faults: run.py PROGRAM LIBRARY [--long] [NAME...]

PROGRAM is merels, LIBRARY what inject.c makes. Without --long every k-th moment of a sweep is tried (some 90
seconds of one processor); with it all of them (some 15 minutes). A NAME is a module, class or test, as
test_kill or test_kill.Kill.test_six. Everything happens in a directory of memory, if there is one.
"""

import os
import sys
import unittest

program, library, *names = sys.argv[1:]
os.environ["MERELS_PROGRAM"] = os.path.abspath(program)
os.environ["MERELS_INJECT"] = os.path.abspath(library)
if "--long" in names:
    names.remove("--long")
    os.environ["MERELS_LONG_TESTS"] = "1"

import faults  # noqa: E402

MODULES = ["test_allocations", "test_calls", "test_kill", "test_signals", "test_limits", "test_attacks", "test_serve"]
here = os.path.dirname(os.path.abspath(__file__))
MODULES = [name for name in MODULES if os.path.exists(os.path.join(here, name + ".py"))]

suite = unittest.defaultTestLoader.loadTestsFromNames(names or MODULES)
result = unittest.TextTestRunner(verbosity=2).run(suite)
faults.clear_away()
sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
