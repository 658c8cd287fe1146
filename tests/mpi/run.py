"""Starts the tests of many ranks: run.py PROGRAM [NAME...]

PROGRAM is merels, built with MPI; it is started by mpirun, all ranks on this machine. A NAME is a class or a test,
as test_ranks.Bytes or test_ranks.Bytes.test_six.
"""

import os
import sys
import unittest

program, *names = sys.argv[1:]
os.environ["MERELS_PROGRAM"] = os.path.abspath(program)

suite = unittest.defaultTestLoader.loadTestsFromNames(names or ["test_ranks"])
result = unittest.TextTestRunner(verbosity=2).run(suite)
sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
