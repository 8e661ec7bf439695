"""The API of an agent, as programs of its user call it."""

import http.client
import json
import socket


class Agent:
    """The API of an agent, on its Unix socket."""

    def __init__(self, path):
        self.path = path

    def call(self, method, path, body=None, content=None):
        """Sends JSON, or the bytes of a file."""
        connection = http.client.HTTPConnection("contactsd")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(self.path)
        connection.request(method, path, content if body is None else json.dumps(body))
        reply = connection.getresponse()
        content = reply.read()
        connection.close()
        if reply.status >= 400:
            raise AssertionError(f"{method} {path}: {reply.status} {content.decode()}")
        return json.loads(content) if content else None

    def send_file(self, path, content):
        """Posts a file and returns the text of the reply."""
        connection = http.client.HTTPConnection("contactsd")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(self.path)
        connection.request("POST", path, content.encode())
        reply = connection.getresponse().read().decode()
        connection.close()
        return reply

    def add(self, **fields):
        return self.call("POST", "/v1/contacts", fields)

    def contact(self, identifier):
        return self.call("GET", f"/v1/contacts/{identifier}")

    def change(self, identifier, **fields):
        return self.call("PATCH", f"/v1/contacts/{identifier}", fields)

    def exists(self, identifier):
        return self.has(f"/v1/contacts/{identifier}")

    def has(self, path):
        try:
            return bool(self.call("GET", path))
        except AssertionError:
            return False
