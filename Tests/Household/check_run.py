"""Performs checks one after the other, and reports each."""

import time


class LeftOut(Exception):
    """Why a check cannot be performed on this machine."""


class CheckRun:
    """A run of some checks of an object. A check is a method whose name begins with `check_`; what it returns is printed.
    One that raises `LeftOut` is reported as left out, which is no failure.
    The object's `prepare` runs before each check, its `verify` after one that passed, `keep_failure` after one that did not,
    and `clean_up` after each."""

    def __init__(self, checks, names=(), again=False):
        self.checks = checks
        self.names = names or [name.removeprefix("check_") for name in dir(checks) if name.startswith("check_")]
        # A second chance is for a machine that is busy with other tests. Without it, a fault that depends on time is found.
        self.turns = ["", "a second time "] if again else [""]

    def passes(self):
        """Performs all checks and returns whether each has passed, if need be the second time."""
        failed = [name for name in self.names if not any(self.perform(name, turn) for turn in self.turns)]
        return not failed

    def perform(self, name, turn):
        checks, start = self.checks, time.monotonic()
        try:
            checks.prepare()
            result = getattr(checks, f"check_{name}")() or ""
            checks.verify()
            print(f"passed {turn}{time.monotonic() - start:5.1f} s  {name}  {result}", flush=True)
            return True
        except LeftOut as reason:
            print(f"LEFT OUT  {name}: {reason}", flush=True)
            return True
        except Exception as error:
            print(f"FAILED {turn}{name}: {str(error) or repr(error)}", flush=True)
            checks.keep_failure(name)
            return False
        finally:
            checks.clean_up()
