#!/usr/bin/env python3
"""Serves the files of the page from a folder, and everything else from the agent: a change needs no build.

  files.py FOLDER LINK

Prints the link to open instead of LINK, which `contactsctl open` has printed."""

import http.client
import mimetypes
import os
import sys
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# What belongs to one connection, and what describes the agent's copy of a file.
HOP_BY_HOP = {"connection", "transfer-encoding", "date", "server"}
OF_THE_COPY = {"content-encoding", "content-length", "content-type", "cache-control", "etag", "vary"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self):
        name = self.path.split("?")[0].lstrip("/") or "index.html"
        file = os.path.join(self.server.folder, os.path.basename(name))
        if self.command == "GET" and "/" not in name and os.path.isfile(file):
            self.answer_with(file)
        else:
            self.forward()

    def ask_agent(self, method, path, body=None, headers=None):
        """The agent sees the address that it listens at."""
        connection = http.client.HTTPConnection(*self.server.agent)
        own, agent = ("%s:%d" % address for address in (self.server.server_address, self.server.agent))
        named = {name: value.replace(own, agent) for name, value in (headers or {}).items()}
        connection.request(method, path, body, named)
        return connection, connection.getresponse()

    def answer_with(self, file):
        # The agent's own headers, so that its policy applies.
        connection, reply = self.ask_agent("GET", "/")
        connection.close()
        with open(file, "rb") as source:
            content = source.read()
        # The agent proves who it is for its own address only.
        content = content.replace(b"${location.origin} ", b"http://%s:%d " % (self.server.agent[0].encode(), self.server.agent[1]))
        self.send_response(200)
        for name, value in reply.getheaders():
            if name.lower() not in HOP_BY_HOP | OF_THE_COPY:
                self.send_header(name, value)
        self.send_header("Content-Type", mimetypes.guess_type(file)[0])
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def forward(self):
        length = int(self.headers.get("Content-Length") or 0)
        kept = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        connection, reply = self.ask_agent(self.command, self.path, self.rfile.read(length) if length else None, kept)
        self.send_response(reply.status)
        for name, value in reply.getheaders():
            if name.lower() not in HOP_BY_HOP:
                self.send_header(name, value)
        if reply.getheader("Content-Length") is None and reply.status not in (204, 304):
            self.send_header("Connection", "close")
        self.end_headers()
        try:
            while part := reply.read1(65536):
                self.wfile.write(part)
                self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            connection.close()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = answer


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """A browser closes connections when it likes."""


def main():
    folder, link = sys.argv[1], urllib.parse.urlsplit(sys.argv[2])
    mimetypes.add_type("text/javascript", ".js")
    server = Server(("127.0.0.1", 0), Handler)
    server.folder, server.agent = folder, (link.hostname, link.port)
    print(f"http://127.0.0.1:{server.server_port}/#{link.fragment}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
