#!/usr/bin/env python3
"""Checks the page in a real browser, by pointer and by keyboard.

  checks.py LINK --agent SOCKET --other SOCKET --friend SOCKET --programs FOLDER --folder FOLDER [--files FOLDER]
    [--no-sandbox] [--again] [--pictures FOLDER] [CHECK …]

LINK is what `contactsctl open` prints, SOCKET the sockets of two devices of one account, the first of which serves
the page, and of a device of another account. `--folder` has the sockets of the broker and of the device “desk” of a third
account, and the process and the command of each program (see program.py); there, the checks start further devices with
the programs in `--programs`. `--files` has changed files of the page. The checks add contacts and posts and delete them
again."""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../Household"))

from agent import Agent
from check_run import CheckRun
from conflict_checks import ConflictChecks
from contact_checks import ContactChecks
from device_checks import DeviceChecks
from draft_checks import DraftChecks
from duplicate_checks import DuplicateChecks
from extreme_checks import ExtremeChecks
from favorite_checks import FavoriteChecks
from history_checks import HistoryChecks
from kept_draft_checks import KeptDraftChecks
from late_checks import LateChecks
from page import Page
from page_household import PageHousehold
from sharing_view_checks import SharingViewChecks
from photo_checks import PhotoChecks
from print_checks import PrintChecks
from readme_checks import ReadmeChecks
from restart_checks import RestartChecks
from tab_checks import TabChecks
from takeover_checks import TakeoverChecks
from text_checks import TextChecks
from timeline_checks import TimelineChecks
from transfer_checks import TransferChecks
from toast_checks import ToastChecks
from trash_checks import TrashChecks
from view_checks import ViewChecks


class Checks(
    ConflictChecks, ContactChecks, DeviceChecks, DraftChecks, DuplicateChecks, ExtremeChecks, FavoriteChecks, HistoryChecks,
    KeptDraftChecks, LateChecks, PhotoChecks, PrintChecks, ReadmeChecks, RestartChecks, SharingViewChecks, TabChecks,
    TakeoverChecks, TextChecks, TimelineChecks, ToastChecks, TransferChecks, TrashChecks, ViewChecks,
):
    """All checks."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("link")
    parser.add_argument("--agent", required=True)
    parser.add_argument("--other", required=True)
    parser.add_argument("--friend", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--files")
    parser.add_argument("--no-sandbox", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--pictures")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    page = Page(options.link, sandbox=not options.no_sandbox)
    household = PageHousehold(options.programs, options.folder, options.files)
    agents = [Agent(path) for path in (options.agent, options.other, options.friend)]
    checks = Checks(page, agents, household, options.pictures)
    try:
        passes = CheckRun(checks, options.names, options.again).passes()
    finally:
        page.close()
        household.close()
    sys.exit(0 if passes else 1)


if __name__ == "__main__":
    main()
