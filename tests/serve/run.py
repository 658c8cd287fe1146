"""Starts the tests of the server: run.py PROGRAM [--short] [NAME...]"""

import os
import sys
import unittest

program, *names = sys.argv[1:]
os.environ["MERELS_PROGRAM"] = program
if "--short" in names:
    names.remove("--short")
    os.environ["MERELS_SHORT_TESTS"] = "1"

import server  # noqa: E402

loader = unittest.defaultTestLoader
modules = names or ["test_answers", "test_files", "test_limits", "test_faults"]
suite = loader.loadTestsFromNames(modules)
result = unittest.TextTestRunner(verbosity=2).run(suite)
server.clear_away()
sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
