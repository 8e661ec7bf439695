"""Checks that clients on another machine reach the agent over TLS, and only so (D1)."""

import contextlib
import os

from certificate_authority import CertificateAuthority
from client_checks import ClientChecks
from other_machine import OtherMachine
from rude_client import RudeClient
from sample_cards import person, sample
from server import Server
from vdirsyncer import Vdirsyncer

DEVICE = "tower"
CARDS = 20


class OtherMachineChecks(ClientChecks):
    def remote(self):
        """Another machine, and the server of a new device as it is reached from there."""
        machine = self.start(OtherMachine())
        authority = CertificateAuthority(self.new_folder("authority"))
        certificate, key = authority.issue(f"IP:{machine.here}")
        port = self.free_port()
        self.start_device(DEVICE, dav=f"127.0.0.1:{port}, {machine.here}:{port}", certificate=certificate, key=key)
        addresses = [f"http://127.0.0.1:{port}/", f"https://{machine.here}:{port}/"]
        server = self.server(DEVICE, addresses[1], authority.certificate, ["--network"])
        listed = self.household.agent(DEVICE).call("GET", "/v1/dav")["addresses"]
        assert listed == addresses, listed
        return machine, server

    def check_vdirsyncer_on_another_machine_reads_and_writes(self):
        machine, server = self.remote()
        group = self.group("From afar", device=DEVICE)
        self.add(group, "--first", "Hedy", "--last", "Home", device=DEVICE)
        command = machine.command(os.devnull)
        side = Vdirsyncer(self.new_folder("vdirsyncer"), server, group["id"], command)
        side.discover()
        assert len(side.synchronize()) == 1
        for number in range(CARDS):
            side.write(sample(number))
        assert len(side.synchronize()) == CARDS
        self.wait(lambda: len(self.exported(group, "phone")) == CARDS + 1, "the phone does not get the cards")
        # Without the authority, and with a wrong password, it gets nothing.
        for stranger, complaint in (
                (Server(server.address, server.user, server.password), "certificate"), (server.with_password("wrong"), "401")):
            refused = Vdirsyncer(self.new_folder("vdirsyncer"), stranger, group["id"], command)
            with self.refused(complaint):
                refused.discover()
        return f"{CARDS} cards"

    def check_evolution_on_another_machine_reads_and_writes(self):
        machine, server = self.remote()
        group = self.group("Far Evolution", device=DEVICE)
        self.add(group, "--first", "Hedy", "--last", "Home", device=DEVICE)
        evolution = self.evolution(machine.command(server.authority))
        found = evolution.discover(server)
        evolution.open(server, found["Far Evolution"])
        [hedy] = self.wait(evolution.cards, "Evolution reads no card")
        evolution.change(hedy, "note", "From afar")
        self.wait_for_value(group, "Hedy Home", "NOTE", "From afar", device="phone")
        evolution.add(person("Fay Far"))
        self.wait(lambda: self.exported_names(group, "phone") == ["Fay Far", "Hedy Home"], "the contact does not arrive")
        stranger = self.evolution(machine.command(server.authority))
        with self.refused("nauthori"):
            stranger.discover(server.with_password("wrong"))

    def check_other_machine_gets_nothing_without_tls_and_password(self):
        machine, server = self.remote()
        assert machine.call(server.home) == "/books/"
        wrong = server.with_password("wrong")
        for method in ("GET", "PUT", "DELETE", "PROPFIND", "OPTIONS"):
            reply = machine.call(wrong.request, method, "/books/contacts/")
            assert reply.status == 401 and "Basic" in reply.headers["WWW-Authenticate"], f"{method}: {reply.status}"

        def ask_plainly():
            with RudeClient(server) as client:
                with contextlib.suppress(ConnectionError):
                    client.send_head("OPTIONS", "/")
                return client.answer()
        answer = machine.call(ask_plainly)
        assert not answer.startswith(b"HTTP"), answer
        # Another authority is not trusted, so this is TLS with the certificate of the settings.
        other = CertificateAuthority(self.new_folder("authority"))
        with self.refused("certificate verify failed"):
            machine.call(Server(server.address, server.user, server.password, other.certificate).home)
