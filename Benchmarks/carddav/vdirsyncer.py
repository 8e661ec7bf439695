"""The first pull of a book by vdirsyncer, into a folder of files."""

import os
import subprocess
import sys
import time

from servers import USER

NAME = "vdirsyncer"
PACKAGES = "vdirsyncer"
CONFIGURATION = """
[general]
status_path = "{folder}/status"

[pair cards]
a = "files"
b = "server"
collections = null

[storage files]
type = "filesystem"
path = "{folder}/cards"
fileext = ".vcf"

[storage server]
type = "carddav"
url = "{address}"
username = "{user}"
password = "{password}"
"""


def is_installed():
    return os.path.exists(program())


def program():
    return os.path.join(os.path.dirname(sys.executable), "vdirsyncer")


def pull(address, password, count, folder):
    """Returns the seconds of the whole process, which knows already which books to compare."""
    cards = os.path.join(folder, "cards")
    os.mkdir(cards)
    configuration = os.path.join(folder, "configuration")
    with open(configuration, "w") as file:
        file.write(CONFIGURATION.format(folder=folder, address=address, user=USER, password=password))
    run(configuration, "discover")
    start = time.perf_counter()
    run(configuration, "sync")
    seconds = time.perf_counter() - start
    if (pulled := len(os.listdir(cards))) != count:
        raise SystemExit(f"vdirsyncer has {pulled} cards.")
    return seconds


def run(configuration, command):
    # It asks for the cards in the order of a set, which a recording must repeat.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    result = subprocess.run(
        [program(), "--config", configuration, command], input="y\n" * 10, env=environment, capture_output=True,
        text=True)
    if result.returncode != 0:
        raise SystemExit(f"vdirsyncer {command} fails: {result.stderr[-300:]}")
