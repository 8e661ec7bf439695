"""A program that scripts/web-check has started, which a check stops and starts again."""

import os
import signal
import subprocess


class Program:
    """NAME.pid in the folder has its process, NAME.command the words of its command."""

    def __init__(self, folder, name):
        self.path = os.path.join(folder, name)

    def kill(self):
        """Ends the program at once: it writes nothing and says no farewell."""
        with open(self.path + ".pid") as file:
            os.kill(int(file.read()), signal.SIGKILL)

    def start(self):
        with open(self.path + ".command") as file:
            words = file.read().split("\0")[:-1]
        with open(self.path + ".log", "a") as log:
            process = subprocess.Popen(words, stdout=log, stderr=log)
        with open(self.path + ".pid", "w") as file:
            file.write(str(process.pid))
