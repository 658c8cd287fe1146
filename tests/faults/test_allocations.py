"""Every allocation of every command fails in turn: the command says so and ends, or goes on without it; its
answers and files are those of an undisturbed run, and a run afterwards finishes what was begun."""

from faults import COMMANDS, LONG, SweepCase


class Allocations(SweepCase):
    pass


def test_of(command):
    def test(self):
        failed, _ = self.check_sweep(command, "alloc", "ENOMEM", step=command.slow * (1 if LONG else 9),
                                     resume_every=1 if LONG else 5, words="(?i)memory|thread|no answer")
        self.assertGreater(failed, 0)
    return test


for number, each in enumerate(COMMANDS):
    setattr(Allocations, f"test_{number:02}_{each}", test_of(each))
