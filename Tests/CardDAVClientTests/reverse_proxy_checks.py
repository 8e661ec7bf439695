"""Checks with a reverse proxy in front of the agent, and that no other user of the machine gets past it (H1)."""

import os
import shutil
import stat
import subprocess
import tempfile
import urllib.parse

from certificate_authority import CertificateAuthority
from check_run import LeftOut
from client_checks import ClientChecks
from reverse_proxy import USER, ReverseProxy, documented
from sample_cards import large, person, sample
from server import Server
from vdirsyncer import Vdirsyncer

DEVICE = "server"
CARDS = 20
STRANGER = "nobody"
# What the documentation writes, and what a proxy could use instead.
SOCKET = "http://unix:/run/contacts-dav/alice.sock:/"
LOOPBACK = "http://127.0.0.1:7435/"
CERTIFICATE = "/etc/letsencrypt/live/contacts.example.org/fullchain.pem"
KEY = "/etc/letsencrypt/live/contacts.example.org/privkey.pem"
# Exit statuses of curl: it could not connect; the server answered nothing; receiving failed.
CANNOT_CONNECT, ENDED = 7, (52, 56)


class ReverseProxyChecks(ClientChecks):
    def served(self, old, new):
        """The server as clients reach it through nginx, which asks at a new address in place of a documented one."""
        authority = CertificateAuthority(self.new_folder("authority"))
        certificate, key = authority.issue("DNS:contacts.example.org", "IP:127.0.0.1")
        port = self.free_port()
        places = {"listen 443 ssl": f"listen 127.0.0.1:{port} ssl", CERTIFICATE: certificate, KEY: key, SOCKET: old}
        settings = documented(places).replace(old, new)
        self.start(ReverseProxy(self.new_folder("nginx"), settings))
        scope = ["--network"] if "unix:" in new else []
        server = self.server(DEVICE, f"https://127.0.0.1:{port}/", authority.certificate, scope)
        self.wait(lambda: server.request("OPTIONS", "/"), "nginx does not answer")
        return server

    @staticmethod
    def need_root():
        if os.geteuid() != 0:
            raise LeftOut("only root can start a proxy as another user")

    def socket_folder(self):
        """A folder as the documentation makes it. The web server could not enter the folder of the checks."""
        folder = tempfile.mkdtemp(prefix="contacts-dav.")
        self.ending.callback(shutil.rmtree, folder)
        shutil.chown(folder, group=USER)
        os.chmod(folder, 0o2750)
        return folder

    def assert_serves(self, server):
        """Clients find the server, and read and write through the proxy."""
        start = server.request("PROPFIND", "/.well-known/carddav", headers={"Depth": "0"})
        location = urllib.parse.urljoin(server.address, start.headers["Location"])
        assert start.status == 301 and location == server.address, location
        group, other = (self.group(title, device=DEVICE) for title in ("Through nginx", "Also through nginx"))
        book, other_book = self.book(server, group), self.book(server, other)
        added = book.put(person("Nina Nginx"), **{"If-None-Match": "*"})
        assert added.status == 201, f"{added.status} {added.text}"
        # The tag is the same through the proxy, also if the client accepts a compressed answer.
        [path] = book.tags()
        read = server.request("GET", path, headers={"Accept-Encoding": "gzip"})
        tags = added.headers["ETag"], read.headers["ETag"], book.tags()[path]
        assert len(set(tags)) == 1, tags
        moved = other_book.path + "moved.vcf"
        assert server.request("MOVE", path, headers={"Destination": server.address.rstrip("/") + moved}).status == 201
        assert book.put(large("Nora Nginx")).status == 201
        [path] = book.tags()
        assert not book.card(path).lacks(large("Nora Nginx")), "the large card is another one"
        assert server.request("DELETE", path).status == server.request("DELETE", moved).status == 204
        side = Vdirsyncer(self.new_folder("vdirsyncer"), server, group["id"])
        side.discover()
        for number in range(CARDS):
            side.write(sample(number))
        assert len(side.synchronize()) == CARDS
        assert not side.synchronize()
        self.wait(lambda: len(self.exported(group, "phone")) == CARDS, "the phone does not get the cards")
        wrong = server.with_password("wrong").request("PROPFIND", "/")
        assert wrong.status == 401 and "Basic" in wrong.headers["WWW-Authenticate"], wrong.status

    def ask_as(self, user, server, *words):
        """The exit status of curl as another user of this machine, with the right password."""
        command = ["curl", "--silent", "--user", f"{server.user}:{server.password}", *words]
        return subprocess.run(command, user=user, group=user if user == USER else "nogroup", extra_groups=[], cwd="/",
                              capture_output=True, check=False).returncode

    def check_reverse_proxy_uses_a_socket(self):
        self.need_root()
        path = os.path.join(self.socket_folder(), "alice.sock")
        self.start_device(DEVICE, dav=f"127.0.0.1:{self.free_port()}, {path}")
        server = self.served(SOCKET, f"http://unix:{path}:/")
        self.assert_serves(server)
        found = os.stat(path)
        assert stat.S_IMODE(found.st_mode) == 0o660, oct(found.st_mode)
        words = ["--unix-socket", path, "http://contacts.example.org/"]
        assert self.ask_as(USER, server, *words) == 0
        assert self.ask_as(STRANGER, server, *words) == CANNOT_CONNECT

    def check_reverse_proxy_of_another_user_is_refused_at_loopback(self):
        self.need_root()
        port = self.free_port()
        address = f"http://127.0.0.1:{port}/"
        self.start_device(DEVICE, dav=f"127.0.0.1:{port}")
        server = self.served(LOOPBACK, address)
        reply = server.request("PROPFIND", "/")
        assert reply.status == 502, reply.status
        for user in (USER, STRANGER):
            assert self.ask_as(user, server, address) in ENDED

    def check_password_that_another_user_captured_is_worth_nothing(self):
        """Another user's program takes the port while the agent is away, and gets the password of a program."""
        self.need_root()
        port, folder = self.free_port(), self.socket_folder()
        address, path = f"http://127.0.0.1:{port}/", os.path.join(folder, "alice.sock")
        self.start_device(DEVICE, dav=f"127.0.0.1:{port}, {path}")
        server = self.server(DEVICE)
        assert server.request("PROPFIND", "/").status == 207
        through_proxy = self.served(SOCKET, f"http://unix:{path}:/")
        captured = Server(through_proxy.address, server.user, server.password, through_proxy.authority)
        reply = captured.request("PROPFIND", "/")
        assert reply.status == 401 and "computer" in reply.text, f"{reply.status} {reply.text}"
        for user in (USER, STRANGER):
            assert self.ask_as(user, server, address) in ENDED
        # And the other way round.
        assert Server(server.address, through_proxy.user, through_proxy.password).request("PROPFIND", "/").status == 401
