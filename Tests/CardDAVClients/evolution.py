"""Evolution Data Server, on which GNOME's Contacts and Evolution stand, without a desktop."""

import json
import os
import signal
import subprocess

# Debian's Python has the library.
PYTHON = "/usr/bin/python3"
SCRIPT = os.path.join(os.path.dirname(__file__), "evolution_session.py")
FOLDERS = {"HOME": "home", "XDG_RUNTIME_DIR": "run", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data",
           "XDG_CACHE_HOME": "cache"}


class Evolution:
    """The data server with new settings in a folder, until its context ends. Its methods are those of `Session` in
    evolution_session.py. `command` is the beginning of the command that starts it."""

    def __init__(self, folder, command=()):
        self.folder, self.command = folder, command

    def __enter__(self):
        surroundings = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "GSETTINGS_BACKEND": "memory",
                        "GIO_USE_PROXY_RESOLVER": "dummy"}
        for variable, name in FOLDERS.items():
            surroundings[variable] = os.path.join(self.folder, name)
            os.makedirs(surroundings[variable], mode=0o700)
        with open(os.path.join(self.folder, "log"), "w") as log:
            # D-Bus starts programs, which are ended together with it.
            self.process = subprocess.Popen(
                [*self.command, "dbus-run-session", "--", PYTHON, SCRIPT], env=surroundings, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()

    def call(self, method, *arguments):
        self.process.stdin.write(json.dumps([method, *arguments]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"{method} ended Evolution's library; see {self.folder}/log"
        answer = json.loads(line)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["value"]

    def discover(self, server):
        return dict(self.call("discover", server.address, server.user, server.password))

    def open(self, server, address):
        self.call("open", address, server.user, server.password)

    def make_book(self, server, address, title):
        self.call("make_book", address, server.user, server.password, title)

    def rename_book(self, server, address, title):
        self.call("rename_book", address, server.user, server.password, title)

    def refresh(self):
        self.call("refresh")

    def cards(self):
        return self.call("cards")

    def count(self):
        return self.call("count")

    def is_read_only(self):
        return self.call("is_read_only")

    def add(self, card):
        return self.call("add", card.text)

    def change(self, identifier, name, value):
        self.call("change", identifier, name, value)

    def remove(self, identifier):
        self.call("remove", identifier)
