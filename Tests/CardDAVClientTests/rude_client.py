"""A client that breaks the rules of HTTP, which no library does."""

import contextlib
import socket
import struct

PATIENCE_SECONDS = 30
LINGER_ZERO = struct.pack("ii", 1, 0)


class RudeClient:
    """One connection to a server, until its context ends."""

    def __init__(self, server):
        self.server = server
        self.socket = socket.create_connection((server.place.hostname, server.place.port), timeout=PATIENCE_SECONDS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, content):
        self.socket.sendall(content)

    def send_head(self, method, path, **headers):
        """Sends a whole head. `If_Match` stands for the header `If-Match`."""
        fields = {"Host": self.server.place.netloc, "Authorization": self.server.authorization, **headers}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in fields.items())]
        self.send("\r\n".join([*lines, "", ""]).encode())

    def answer(self):
        """The answer, at least to the end of its first line, or until the server closes the connection."""
        received = b""
        with contextlib.suppress(ConnectionError):
            while b"\r\n" not in received and (part := self.socket.recv(4096)):
                received += part
        return received

    def status(self):
        """The status of the answer; `None` if the server has closed the connection."""
        answer = self.answer()
        return int(answer.split(b" ")[1]) if answer else None

    def hang_up(self):
        """Ends the connection at once, as a program that is killed with unread answers does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_ZERO)
        self.close()
