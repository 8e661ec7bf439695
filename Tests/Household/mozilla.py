"""A program of Mozilla without a window, driven through Marionette."""

import contextlib
import json
import os
import subprocess
import time

from marionette import Marionette

START_SECONDS = 90
SCRIPT_SECONDS = 120
PREFERENCES = {
    # The program chooses a free port and writes it into the profile.
    "marionette.port": 0,
    "app.update.enabled": False, "datareporting.policy.dataSubmissionEnabled": False, "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,", "toolkit.telemetry.enabled": False,
}


class Mozilla:
    """A program with a new profile in a folder, until its context ends. `preferences` are added to those that keep it from
    the network."""

    def __init__(self, program, folder, preferences, context, script_seconds=SCRIPT_SECONDS):
        self.program, self.folder, self.profile = program, folder, os.path.join(folder, "profile")
        self.preferences, self.context, self.script_seconds = {**PREFERENCES, **preferences}, context, script_seconds

    def __enter__(self):
        os.makedirs(self.profile)
        with open(os.path.join(self.profile, "user.js"), "w") as file:
            file.writelines(
                f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in self.preferences.items())
        surroundings = {**os.environ, "HOME": self.folder, "MOZ_HEADLESS": "1", "MOZ_CRASHREPORTER_DISABLE": "1"}
        surroundings.pop("DISPLAY", None)
        with open(os.path.join(self.folder, "log"), "w") as log:
            self.process = subprocess.Popen(
                [self.program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile",
                 self.profile], env=surroundings, stdout=log, stderr=log, start_new_session=True)
        try:
            self.marionette = Marionette(self.port(), self.script_seconds, self.context)
        except BaseException:
            self.__exit__()
            raise
        return self

    def port(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                with open(os.path.join(self.profile, "MarionetteActivePort")) as file:
                    return int(file.read())
            time.sleep(0.1)
        raise AssertionError(f"{self.program} does not start")

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.marionette.command("Marionette:Quit", flags=["eForceQuit"])
            self.marionette.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
