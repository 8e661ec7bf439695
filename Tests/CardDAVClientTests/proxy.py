"""Stands between a program and the server: writes down what the program asks, and spoils its sync token on demand."""

import http.client
import re
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

# What belongs to one connection.
HOP_BY_HOP = {"connection", "transfer-encoding", "content-length", "keep-alive"}
TOKEN = re.compile(rb"(<(?:\w+:)?sync-token>)[^<]+")
# A URI, as RFC 6578 requires, that no server has given out.
UNKNOWN_TOKEN = rb"\g<1>urn:unknown:token"


class Exchange(NamedTuple):
    """A request and its response."""

    method: str
    path: str
    headers: dict
    content: bytes
    status: int
    response: bytes


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def forward(self):
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.server.proxy.spoils_tokens and b"sync-collection" in content:
            content = TOKEN.sub(UNKNOWN_TOKEN, content)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP | {"host"}}
        response, answer = self.server.proxy.ask(self.command, self.path, content, headers)
        self.server.proxy.exchanges.append(
            Exchange(self.command, self.path, headers, content, response.status, answer))
        self.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        if response.status not in (204, 304):
            self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_HEAD = do_PUT = do_DELETE = do_OPTIONS = do_PROPFIND = do_PROPPATCH = do_REPORT = do_MKCOL = do_MOVE = forward


class Proxy:
    """A proxy to a server, at an address of its own, until its context ends."""

    def __init__(self, server):
        self.place, self.spoils_tokens, self.exchanges = urllib.parse.urlsplit(server.address), False, []
        self.listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.listener.proxy, self.listener.daemon_threads = self, True
        self.address = f"http://127.0.0.1:{self.listener.server_port}/"

    def __enter__(self):
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown()
        self.listener.server_close()

    def ask(self, method, path, content, headers):
        connection = http.client.HTTPConnection(self.place.hostname, self.place.port, timeout=60)
        try:
            connection.request(method, path, content, headers)
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()

    def asked(self, method):
        return [exchange for exchange in self.exchanges if exchange.method == method]
