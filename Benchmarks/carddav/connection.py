"""A connection to an HTTP server. Python's own client needs several tenths of a millisecond for a request, a large part
of what is measured, so this one reads no more of a reply than its length and status."""

import base64
import socket
import time
from dataclasses import dataclass


@dataclass
class Reply:
    status: int
    headers: dict
    body: bytes
    # From the first byte sent to the last one received; with the connection's set-up if the server had closed it.
    seconds: float = 0


class Connection:
    """Is kept open between requests if the server keeps it open."""

    def __init__(self, host, port, user, password):
        self.address = (host, port)
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self.common = f"Host: {host}:{port}\r\nAuthorization: Basic {credentials}\r\n"
        self.socket = None
        self.received = b""

    def exchange(self, method, path, body="", **headers):
        """Sends a request and returns the timed reply. `If_Match="…"` stands for the header `If-Match`."""
        content = body.encode()
        fields = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        head = f"{method} {path} HTTP/1.1\r\n{self.common}{fields}Content-Length: {len(content)}\r\n\r\n"
        request = head.encode() + content
        start = time.perf_counter()
        reply = self.send(request)
        reply.seconds = time.perf_counter() - start
        return reply

    def send(self, request):
        if self.socket is None:
            return self.send_first(request)
        try:
            self.socket.sendall(request)
            return self.read_reply()
        except ConnectionError:
            # A server may close an idle connection at any time.
            self.close()
            return self.send_first(request)

    def send_first(self, request):
        self.socket = socket.create_connection(self.address, timeout=600)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(request)
        return self.read_reply()

    def read_reply(self):
        lines = self.read_until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        version, status = lines[0].split(" ")[:2]
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body = self.read_chunks()
        elif status in ("204", "304"):
            body = b""
        elif "content-length" in headers:
            body = self.read(int(headers["content-length"]))
        else:
            body = self.read_rest()
        if version == "HTTP/1.0" or headers.get("connection", "").lower() == "close":
            self.close()
        return Reply(int(status), headers, body)

    def read_chunks(self):
        chunks = []
        while length := int(self.read_until(b"\r\n").split(b";")[0], 16):
            chunks.append(self.read(length))
            self.read(2)
        self.read_until(b"\r\n")
        return b"".join(chunks)

    def read_until(self, end):
        while (place := self.received.find(end)) < 0:
            self.receive()
        text, self.received = self.received[:place], self.received[place + len(end):]
        return text

    def read(self, length):
        parts, missing = [self.received], length - len(self.received)
        while missing > 0:
            parts.append(self.socket.recv(1 << 20))
            missing -= len(parts[-1])
            if not parts[-1]:
                raise ConnectionResetError("The server closed the connection in the middle of a reply.")
        content = b"".join(parts)
        self.received = content[length:]
        return content[:length]

    def read_rest(self):
        try:
            while True:
                self.receive()
        except ConnectionResetError:
            content, self.received = self.received, b""
            return content

    def receive(self):
        content = self.socket.recv(1 << 16)
        if not content:
            raise ConnectionResetError("The server closed the connection.")
        self.received += content

    def close(self):
        if self.socket is not None:
            self.socket.close()
        self.socket, self.received = None, b""
