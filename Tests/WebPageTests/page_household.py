"""A household whose devices show their page."""

import os
import subprocess
import sys
import urllib.parse

from household import Household


class PageHousehold(Household):
    """Starts agents next to those of scripts/web-check. `files` is the folder of changed files of the page, if there is
    one."""

    def __init__(self, programs, folder, files=None):
        super().__init__(programs, folder)
        self.files, self.servers = files, {}

    def link(self, device):
        """A link to the page of a device, which a browser can open."""
        link = self.control(device, "open", "--print")
        if not self.files:
            return link
        if device not in self.servers:
            script = os.path.join(os.path.dirname(__file__), "files.py")
            server = subprocess.Popen([sys.executable, script, self.files, link], stdout=subprocess.PIPE, text=True)
            self.servers[device] = (server, server.stdout.readline().strip().split("#")[0])
        return f"{self.servers[device][1]}#{urllib.parse.urlsplit(link).fragment}"

    def close(self):
        super().close()
        for server, _ in self.servers.values():
            server.terminate()
        self.servers = {}
