"""litmus, which tests servers of WebDAV, and what of it does not apply to books of contacts."""

import os
import re
import subprocess

# A program that stores a file that is no card gets an error, so litmus stores this one.
FILE = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Litmus\r\nN:Litmus;;;;\r\nEND:VCARD\r\n"
RESULT = re.compile(r"^ ?(\d+)\. (\w+?)\.* (pass|FAIL|SKIPPED|WARNING)(.*)$", re.MULTILINE)

# What does not apply, by suite and test, and why. The suite “locks” is left out: locks are class 2 of WebDAV, and the
# server announces the classes 1 and 3.
EXCEPTIONS = {
    "basic": {},
    "copymove": {},
    "props": {},
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
