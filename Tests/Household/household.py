"""The devices of a household: real agents of one broker, started and stopped by checks."""

import os
import subprocess
import time

from agent import Agent

PATIENCE_SECONDS = 30


class Household:
    """Starts programs. `programs` is the folder of the built ones; `folder` has the states and sockets of the devices, and
    the socket of the broker, which may already run."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.running, self.started = {}, {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def start_broker(self):
        """Starts the broker. Devices that start before it listens wait for it."""
        self.run("broker", "contacts-broker", "--state", self.path("broker"), "--socket", self.path("broker.sock"))

    def start(self, device, account=None, has_broker=True, settings=None):
        """Starts a device with the settings of a file, and waits until it answers; with an account, until it is
        synchronized."""
        arguments = ["--state", self.path(device), "--device", device, "--socket", self.path(f"{device}.sock")]
        # Without a broker of its own, a device can use an invitation. It looks for one in the folder of the user.
        arguments += ["--broker", self.path("broker.sock")] if has_broker else []
        arguments += ["--account", account] if account else []
        arguments += ["--config", self.configuration(device, settings)] if settings else []
        self.started[device] = (account, has_broker, settings)
        self.run(device, "contactsd", *arguments)
        self.wait(lambda: self.agent(device).call("GET", "/v1/status"), f"{device} does not answer")
        if account:
            self.wait(lambda: self.state(device) == "live", f"{device} is not live")
        return self.agent(device)

    def configuration(self, device, settings):
        path = self.path(f"{device}.conf")
        with open(path, "w") as file:
            file.writelines(f"{key} = {value}\n" for key, value in settings.items())
        return path

    def run(self, name, program, *arguments):
        surroundings = {**os.environ, "XDG_RUNTIME_DIR": self.folder}
        with open(self.path(f"{name}.log"), "ab") as log:
            self.running[name] = subprocess.Popen(
                [os.path.join(self.programs, program), *arguments], stdout=log, stderr=log, env=surroundings)

    def restart(self, device):
        self.stop(device)
        self.start(device, *self.started[device])

    def stop(self, device):
        process = self.running.pop(device)
        process.terminate()
        process.wait()

    def kill(self, device):
        """Ends a device without a warning, as a power failure does."""
        process = self.running.pop(device)
        process.kill()
        process.wait()

    def close(self):
        for name in reversed(list(self.running)):
            self.stop(name)

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
