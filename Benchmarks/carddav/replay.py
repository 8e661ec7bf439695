"""A proxy that records what a server answers, and later answers the same without the server: what remains then is the
time that the client needs for itself."""

import http.client
import socketserver
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler

from servers import HOST

# They concern one connection only, or the proxy writes its own.
NOT_RECORDED = {"connection", "keep-alive", "transfer-encoding", "content-length"}


class Replay(socketserver.ThreadingTCPServer):
    """Listens until the end of a `with` statement. Passes requests on to the server and records the answers, until
    `rewind` is called; then answers from the record."""

    daemon_threads = True
    allow_reuse_address = True
    # Clients open several connections at once.
    request_queue_size = 64

    def __init__(self, server):
        super().__init__((HOST, 0), Exchange)
        self.upstream = (HOST, server.port)
        self.port = self.server_address[1]
        self.address = server.address.replace(f":{server.port}/", f":{self.port}/", 1)
        self.lock = threading.Lock()
        self.records, self.positions = defaultdict(list), None
        self.unknown = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def password(self):
        return "recorded"

    def rewind(self):
        """Answers from now on from the record, and from its beginning."""
        self.positions = defaultdict(int)

    def answer(self, request, headers, body):
        if self.positions is None:
            answer = self.forward(request, headers, body)
            with self.lock:
                self.records[request].append(answer)
            return answer
        with self.lock:
            recorded, position = self.records.get(request), self.positions[request]
            self.positions[request] += 1
        if recorded is None:
            self.unknown.append(request[:2])
            return 500, "Not recorded", [], b""
        # A client may repeat a request more often than in the recording, when it happens to look again.
        return recorded[min(position, len(recorded) - 1)]

    def forward(self, request, headers, body):
        connection = http.client.HTTPConnection(*self.upstream, timeout=600)
        connection.putrequest(*request[:2], skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        reply = connection.getresponse()
        content = reply.read()
        connection.close()
        kept = [(name, value) for name, value in reply.getheaders() if name.lower() not in NOT_RECORDED]
        return reply.status, reply.reason, kept, content


class Exchange(BaseHTTPRequestHandler):
    """One connection of a client."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def handle_request(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        # Without credentials there is another answer, whatever the credentials are.
        request = (self.command, self.path, "Authorization" in self.headers, body)
        headers = [(name, value) for name, value in self.headers.items()
                   if name.lower() not in NOT_RECORDED | {"expect"}]
        status, reason, fields, content = self.server.answer(request, headers, body)
        self.send_response_only(status, reason)
        for name, value in fields:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_HEAD = do_OPTIONS = do_PROPFIND = do_REPORT = do_PUT = do_DELETE = handle_request

    def log_message(self, *_):
        pass
