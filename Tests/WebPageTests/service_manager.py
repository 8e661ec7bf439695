"""Starts a program as systemd does, and keeps the sockets that it stores (sd_pid_notify_with_fds(3))."""

import os
import secrets
import signal
import socket
import subprocess

# The first passed socket is the descriptor 3. Only the shell knows the id of the process beforehand.
START = 'fd=$1; shift; [ "$fd" = 3 ] || exec 3<&"$fd" {fd}<&-; LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=stored exec "$@"'


class ServiceManager:
    """The service of one program, whose words are `command`."""

    def __init__(self, command, log):
        self.command, self.log = command, log
        self.stored, self.process = None, None
        self.name = f"contacts-{secrets.token_hex(8)}"
        self.messages = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.messages.bind(f"\0{self.name}")
        self.messages.settimeout(30)

    def start(self):
        words = self.command
        if self.stored is not None:
            words = ["bash", "-c", START, "bash", str(self.stored), *words]
        surroundings = {**os.environ, "NOTIFY_SOCKET": f"@{self.name}"}
        kept = () if self.stored is None else (self.stored,)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log, env=surroundings, pass_fds=kept)
        self.wait_for("READY=1")

    def wait_for(self, wanted):
        """Reads messages until one has the wanted line, and keeps the socket of each that has one."""
        text = ""
        while wanted not in text:
            content, descriptors, _, _ = socket.recv_fds(self.messages, 4096, 1)
            text = content.decode()
            if "FDSTORE=1" in text:
                self.stored = descriptors[0]

    def kill(self):
        """Ends the program without a warning. The socket still listens."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        if self.stored is not None:
            os.close(self.stored)
        self.messages.close()
