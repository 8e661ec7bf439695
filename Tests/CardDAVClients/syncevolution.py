"""SyncEvolution, which synchronizes phones with servers. Here it only uses the server."""

import os
import subprocess

from card import parse

# It names a configuration and a source in it; with all settings given, both may be empty.
NO_CONFIGURATION = ["--", "", ""]


class SyncEvolution:
    """SyncEvolution on a book, with a folder for what it stores. It names a card by its path in the book."""

    def __init__(self, folder, book):
        self.folder, self.book = folder, book

    def run(self, *words, names=()):
        surroundings = {**os.environ, "HOME": self.folder}
        for kind in ("CONFIG", "DATA", "CACHE"):
            surroundings[f"XDG_{kind}_HOME"] = os.path.join(self.folder, kind)
        server, address = self.book.server, self.book.address
        settings = ["backend=carddav", f"database={address}", f"syncURL={address}", f"username={server.user}",
                    f"password={server.password}"]
        command = ["dbus-run-session", "--", "syncevolution", "--daemon=no", "--keyring=no", *words, *settings]
        command += [*NO_CONFIGURATION, *names] if names else []
        result = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)
        assert result.returncode == 0, f"syncevolution {' '.join(words)}: {result.stdout}{result.stderr}"
        return result.stdout

    def names(self):
        """The names of all cards."""
        return [line for line in self.run("--print-items").splitlines() if line and not line.startswith("[")]

    def cards(self):
        return parse(self.run("--export", "-"))

    def card(self, name):
        [card] = parse(self.run("--export", "-", names=[name]))
        return card

    def add(self, card):
        """Imports a card, and returns the line that names it."""
        return self.run("--import", self.file(card)).splitlines()[-1]

    def replace(self, name, card):
        self.run("--update", self.file(card), names=[name])

    def file(self, card):
        path = os.path.join(self.folder, "card.vcf")
        with open(path, "w", newline="") as file:
            file.write(card.text)
        return path
