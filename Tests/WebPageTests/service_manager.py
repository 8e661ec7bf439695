"""Starts a program as systemd does, and keeps the socket that it stores (sd_pid_notify_with_fds(3))."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading

# The first passed socket is the descriptor 3. Only the shell knows the id of the process beforehand.
START = 'name=$1 fd=$2; shift 2; [ "$fd" = 3 ] || exec 3<&"$fd" {fd}<&-; LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=$name exec "$@"'


class ServiceManager:
    """The service of one program, whose words are `command`."""

    def __init__(self, command, log):
        self.command, self.log = command, log
        self.stored, self.stored_name, self.process = None, None, None
        self.name = f"contacts-{secrets.token_hex(8)}"
        self.messages = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.messages.bind(f"\0{self.name}")
        self.messages.settimeout(30)

    def start(self):
        words = self.command
        if self.stored is not None:
            words = ["bash", "-c", START, "bash", self.stored_name, str(self.stored), *words]
        surroundings = {**os.environ, "NOTIFY_SOCKET": f"@{self.name}"}
        kept = () if self.stored is None else (self.stored,)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log, env=surroundings, pass_fds=kept)
        self.wait_for("READY=1")

    def wait_for(self, wanted):
        """Reads messages until one has the wanted line."""
        while wanted not in self.read():
            pass

    def read(self):
        """Reads a message, and keeps its socket if it has one."""
        content, descriptors, _, _ = socket.recv_fds(self.messages, 4096, 1)
        lines = content.decode().splitlines()
        if "FDSTORE=1" in lines:
            self.stored = descriptors[0]
            self.stored_name = next(line.partition("=")[2] for line in lines if line.startswith("FDNAME="))
        return lines

    def read_all(self):
        """Reads what has arrived."""
        self.messages.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                self.read()
        self.messages.settimeout(30)

    def kill(self):
        """Ends the program without a warning. A socket that it has stored still listens."""
        self.read_all()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        if self.stored is not None:
            os.close(self.stored)
        self.messages.close()


def main():
    """Starts a program, and once more at each SIGUSR1. NAME.pid has its process, NAME-manager.pid this one.

      service_manager.py NAME PROGRAM …"""
    name, *command = sys.argv[1:]
    manager, again = ServiceManager(command, f"{name}.log"), threading.Event()
    signal.signal(signal.SIGUSR1, lambda *_: again.set())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    write(f"{name}-manager.pid", os.getpid())
    try:
        while True:
            manager.start()
            write(f"{name}.pid", manager.process.pid)
            while not again.wait(0.05):
                manager.read_all()
            again.clear()
            manager.process.wait()
    finally:
        manager.close()


def write(path, number):
    """Writes a number into a file, of which nobody reads a part."""
    with open(f"{path}.new", "w") as file:
        file.write(f"{number}\n")
    os.replace(f"{path}.new", path)


if __name__ == "__main__":
    main()
