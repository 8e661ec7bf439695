"""khard, which lists and edits the cards of a folder."""

import os
import pty
import subprocess
import sys

CONFIGURATION = """
[general]
editor = {editor}
merge_editor = {editor}
[addressbooks]
[[people]]
path = {cards}
"""


class Khard:
    """khard on a folder of cards, next to which its configuration is."""

    def __init__(self, cards_folder):
        self.cards_folder = cards_folder
        self.configuration = cards_folder + ".khard"

    def run(self, *words, editor="true", answers=""):
        with open(self.configuration, "w") as file:
            file.write(CONFIGURATION.format(editor=editor, cards=self.cards_folder))
        command = [os.path.join(os.path.dirname(sys.executable), "khard"), "--config", self.configuration, *words]
        # From anything but a terminal it would read a contact.
        keyboard, terminal = pty.openpty()
        try:
            os.write(keyboard, answers.encode())
            result = subprocess.run(command, stdin=terminal, capture_output=True, text=True, check=False)
        finally:
            os.close(keyboard)
            os.close(terminal)
        assert result.returncode == 0, f"khard {' '.join(words)}: {result.stdout}{result.stderr}"
        return result.stdout

    def names(self):
        """The names by UID."""
        rows = [line.split("\t") for line in self.run("list", "--parsable").splitlines()]
        return {row[0]: row[1] for row in rows}

    def edit_note(self, identifier, note):
        """Opens a card in an editor, as a user does, and changes the note."""
        self.run("edit", f"uid:{identifier}", editor=f"sed, -i, 's/^Note *:.*/Note : {note}/'", answers="yes\n")
