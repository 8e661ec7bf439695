"""The devices of a household: real agents of one broker, started and stopped by the checks."""

import os
import subprocess
import sys
import time
import urllib.parse

from page import Agent

PATIENCE_SECONDS = 30


class Household:
    """Starts agents next to those of scripts/web-check. `folder` has their states and sockets, and the broker's socket;
    `files` is the folder of changed files of the page, if there is one."""

    def __init__(self, programs, folder, files=None):
        self.programs, self.folder, self.files = programs, folder, files
        self.running, self.servers, self.started = {}, {}, {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, device, account=None, has_broker=True):
        """Starts a device, and waits until it answers; with an account, until it is synchronized."""
        arguments = [os.path.join(self.programs, "contactsd"), "--state", self.path(device), "--device", device,
                     "--socket", self.path(f"{device}.sock")]
        # Without a broker of its own, a device can use an invitation. It looks for one in the folder of the user.
        arguments += ["--broker", self.path("broker.sock")] if has_broker else []
        arguments += ["--account", account] if account else []
        self.started[device] = (account, has_broker)
        log = open(self.path(f"{device}.log"), "ab")
        surroundings = {**os.environ, "XDG_RUNTIME_DIR": self.folder}
        self.running[device] = subprocess.Popen(arguments, stdout=log, stderr=log, env=surroundings)
        self.wait(lambda: self.agent(device).call("GET", "/v1/status"), f"{device} does not answer")
        if account:
            self.wait(lambda: self.state(device) == "live", f"{device} is not live")
        return self.agent(device)

    def restart(self, device):
        self.stop(device)
        self.start(device, *self.started[device])

    def stop(self, device):
        process = self.running.pop(device)
        process.terminate()
        process.wait()

    def close(self):
        for device in list(self.running):
            self.stop(device)
        for server, _ in self.servers.values():
            server.terminate()
        self.servers = {}

    def agent(self, device):
        return Agent(self.path(f"{device}.sock"))

    def state(self, device):
        return self.agent(device).call("GET", "/v1/status")["state"]

    def control(self, device, *arguments):
        """Runs contactsctl as the user of a device does."""
        command = [os.path.join(self.programs, "contactsctl"), "--agent", self.path(f"{device}.sock"), *arguments]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, f"{arguments}: {result.stderr}"
        return result.stdout.strip()

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

    @staticmethod
    def wait(condition, failure):
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            try:
                if result := condition():
                    return result
            except (OSError, AssertionError):
                pass
            time.sleep(0.02)
        raise AssertionError(failure)
