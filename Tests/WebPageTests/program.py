"""A program that scripts/web-check has started, which a check stops and starts again."""

import os
import signal
import subprocess
import time

PATIENCE_SECONDS = 30


class Program:
    """NAME.pid in the folder has its process. NAME-manager.pid has the service manager that starts it again, or else
    NAME.command has the words of its command."""

    def __init__(self, folder, name):
        self.path = os.path.join(folder, name)

    def kill(self):
        """Ends the program at once: it writes nothing and says no farewell."""
        os.kill(self.process(), signal.SIGKILL)

    def process(self, suffix=""):
        with open(f"{self.path}{suffix}.pid") as file:
            return int(file.read())

    def start(self):
        if os.path.exists(f"{self.path}-manager.pid"):
            former, end = self.process(), time.monotonic() + PATIENCE_SECONDS
            os.kill(self.process("-manager"), signal.SIGUSR1)
            while self.process() == former:
                assert time.monotonic() < end, "the program is not started"
                time.sleep(0.05)
            return
        with open(self.path + ".command") as file:
            words = file.read().split("\0")[:-1]
        with open(self.path + ".log", "a") as log:
            process = subprocess.Popen(words, stdout=log, stderr=log)
        with open(self.path + ".pid", "w") as file:
            file.write(f"{process.pid}\n")
