"""vdirsyncer, which keeps a folder of cards and a book of a server the same."""

import os
import subprocess
import sys

import card

PROGRAM = os.path.join(os.path.dirname(sys.executable), "vdirsyncer")
# What it says of each card that it copies or deletes.
CHANGES = ("Copying", "Deleting")
CONFIGURATION = """
[general]
status_path = "{folder}/status"
[pair cards]
a = "here"
b = "there"
{collections}
[storage here]
type = "filesystem"
path = "{path}"
fileext = ".vcf"
[storage there]
type = "carddav"
url = "{server.address}"
username = "{server.user}"
password = "{server.password}"
"""
# A book that it finds, by the last part of its path.
FOUND = 'collections = [["people", "cards", "{collection}"]]\nmetadata = ["displayname"]'
GIVEN = "collections = null"
AUTHORITY = 'verify = "{server.authority}"\n'


class Vdirsyncer:
    """One side: a folder of its own with the cards, and a book that vdirsyncer finds from the address of the server by the
    last part of its path. If there is none, it makes one. Without that part, the address is that of the book. `command` is
    the beginning of the command that starts it."""

    def __init__(self, folder, server, collection=None, command=()):
        self.folder, self.cards_folder, self.command = folder, os.path.join(folder, "cards"), command
        os.makedirs(self.cards_folder)
        with open(os.path.join(folder, "config"), "w") as file:
            file.write(CONFIGURATION.format(
                folder=folder, server=server, path=folder if collection else self.cards_folder,
                collections=FOUND.format(collection=collection) if collection else GIVEN))
            file.write(AUTHORITY.format(server=server) if server.authority else "")

    def run(self, *words):
        command = [*self.command, PROGRAM, "--config", os.path.join(self.folder, "config"), *words]
        # It asks for cards in the order of a set, which is to be the same each time.
        surroundings = {**os.environ, "PYTHONHASHSEED": "0"}
        # It asks whether to make what it does not find.
        result = subprocess.run(command, input="y\n" * 9, env=surroundings, capture_output=True, text=True, check=False)
        assert result.returncode == 0, f"vdirsyncer {' '.join(words)}: {result.stdout}{result.stderr}"
        return result.stdout + result.stderr

    def discover(self):
        return self.run("discover")

    def synchronize(self):
        """Synchronizes, and returns a line for each card that was copied or deleted."""
        return [line for line in self.run("sync").splitlines() if line.startswith(CHANGES)]

    def synchronize_title(self):
        self.run("metasync")

    def title(self):
        with open(os.path.join(self.cards_folder, "displayname")) as file:
            return file.read().strip()

    def set_title(self, title):
        with open(os.path.join(self.cards_folder, "displayname"), "w") as file:
            file.write(title)

    def files(self):
        return [os.path.join(self.cards_folder, name) for name in os.listdir(self.cards_folder) if name.endswith(".vcf")]

    def cards(self):
        """The cards of the folder by UID."""
        return {one.identifier: one for one in map(self.read, self.files())}

    @staticmethod
    def read(path):
        with open(path, newline="") as file:
            return card.Card(file.read())

    def write(self, one):
        """Adds a card, or replaces the one with the same UID."""
        paths = [path for path in self.files() if self.read(path).identifier == one.identifier]
        path = paths[0] if paths else os.path.join(self.cards_folder, f"{one.identifier}.vcf")
        # It compares the time and the number of a file, and a new file has a new number.
        with open(path + ".new", "w", newline="") as file:
            file.write(one.text)
        os.replace(path + ".new", path)
