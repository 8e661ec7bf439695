#!/usr/bin/env python3
"""Checks the CardDAV face with the programs that people use.

  checks.py --programs FOLDER --folder FOLDER [--again] [CHECK …]

Starts a broker and the devices “laptop” and “phone” of ada and “cabin” of grace from the programs in a folder, and keeps
their states, and those of the clients, in the other one."""

import argparse
import os
import signal
import sys

for folder in ("../CardDAVClients", "../Household"):
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), folder))

from book_checks import BookChecks
from check_run import CheckRun
from evolution_checks import EvolutionChecks
from failure_checks import FailureChecks
from fidelity_checks import FidelityChecks
from hostile_checks import HostileChecks
from household import Household
from litmus_checks import LitmusChecks
from lost_update_checks import LostUpdateChecks
from other_machine_checks import OtherMachineChecks
from reverse_proxy_checks import ReverseProxyChecks
from sharing_checks import SharingChecks
from syncevolution_checks import SyncEvolutionChecks
from thunderbird_checks import ThunderbirdChecks
from vdirsyncer_checks import VdirsyncerChecks

DEVICES = {"laptop": "ada", "phone": "ada", "cabin": "grace"}


class Checks(
    BookChecks, EvolutionChecks, FailureChecks, FidelityChecks, HostileChecks, LitmusChecks, LostUpdateChecks,
    OtherMachineChecks, ReverseProxyChecks, SharingChecks, SyncEvolutionChecks, ThunderbirdChecks, VdirsyncerChecks,
):
    """All checks."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    # The programs are also ended if this one is.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    household = Household(options.programs, options.folder)
    checks = Checks(household, options.folder)
    try:
        household.start_broker()
        for device, account in DEVICES.items():
            household.start(device, account)
        passes = CheckRun(checks, options.names, options.again).passes()
    finally:
        checks.clean_up()
        household.close()
    sys.exit(0 if passes else 1)


if __name__ == "__main__":
    main()
