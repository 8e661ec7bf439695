"""litmus, which tests servers of WebDAV, and what of it does not apply to books of contacts."""

import os
import re
import subprocess

# What most tests store: an address book accepts only cards.
FILE = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Litmus\r\nN:Litmus;;;;\r\nEND:VCARD\r\n"
RESULT = re.compile(r"^ ?(\d+)\. (\w+?)\.* (pass|FAIL|SKIPPED|WARNING)(.*)$", re.MULTILINE)

# Why a test does not apply.
LOCKS = "The server announces the classes 1 and 3 of WebDAV; locks are class 2."
TEXT = "It stores a text that is no card, which is refused with valid-address-data."
AFTER_TEXT = "It is skipped after put_get has failed."
NESTED = "It makes a collection in a book, which RFC 6352 forbids (section 5.2)."
AFTER_NESTED = "It is skipped after a test that makes a collection in a book has failed."
OWN_PROPERTY = "It gives a card a property of its own, which no other device would get: clients write into the card instead."
AFTER_OWN_PROPERTY = "It is skipped, or fails, after a test that gives a card a property of its own has failed."

# What does not apply, by suite and test. The suite “locks” is left out: all of it needs locks.
EXCEPTIONS = {
    "basic": {
        "options": LOCKS, "put_get": TEXT, "put_get_utf8_segment": TEXT, "mkcol_over_plain": AFTER_TEXT, "delete": AFTER_TEXT,
        "delete_fragment": NESTED, "mkcol": NESTED, "mkcol_again": AFTER_NESTED, "delete_coll": AFTER_NESTED,
    },
    "copymove": {
        "copy_init": NESTED, "copy_simple": AFTER_NESTED, "copy_overwrite": AFTER_NESTED, "copy_nodestcoll": AFTER_NESTED,
        "copy_coll": NESTED, "copy_shallow": NESTED, "move": NESTED, "move_coll": NESTED,
    },
    "props": {
        "propset": OWN_PROPERTY, "propmanyns": OWN_PROPERTY, "propget": AFTER_OWN_PROPERTY, "propmove": AFTER_OWN_PROPERTY,
        "propdeletes": AFTER_OWN_PROPERTY, "propreplace": AFTER_OWN_PROPERTY, "propnullns": AFTER_OWN_PROPERTY,
        "prophighunicode": AFTER_OWN_PROPERTY, "propremoveset": AFTER_OWN_PROPERTY, "propsetremove": AFTER_OWN_PROPERTY,
        "propvalnspace": AFTER_OWN_PROPERTY,
    },
    "http": {},
}


class Litmus:
    """A run of one suite on the collection of books. litmus makes a book “litmus” there."""

    def __init__(self, folder, server):
        self.folder, self.server = folder, server

    def results(self, suite):
        """A test, its result and why, in the order of the suite."""
        files = os.path.join(self.folder, "files")
        os.makedirs(files)
        with open(os.path.join(files, "foo"), "w", newline="") as file:
            file.write(FILE)
        address = self.server.address.rstrip("/") + self.server.home()
        run = subprocess.run(
            ["litmus", "--keep-going", address, self.server.user, self.server.password], cwd=self.folder,
            env={**os.environ, "TESTS": suite, "HTDOCS": files}, capture_output=True, check=False)
        # It writes the name of a running test over itself.
        written = run.stdout.decode(errors="replace").replace("\r", "\n")
        return [(name, result, why) for _, name, result, why in RESULT.findall(written)]
