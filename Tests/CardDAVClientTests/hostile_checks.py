"""Checks with clients that hang up, come in crowds, are slow, or try passwords: others are served as usual (D4, H2)."""

import contextlib
import socket
import threading
import time

from certificate_authority import CertificateAuthority
from client_checks import ClientChecks
from rude_client import RudeClient
from sample_cards import large, person

# As CardDAVListener has it.
CONNECTIONS_MAXIMUM = 256
ATTEMPTS_A_SECOND = 200
ATTACK_SECONDS = 3
DRIP_SECONDS = 0.1
PATIENCE_SECONDS = 1
MEGABYTE = 1 << 20
STRANGERS, STRANGE_NETWORKS = 600, 8
# Ten, as RemoteClients has it, and some for a busy machine.
STRANGER_SECONDS = 40


class HostileChecks(ClientChecks):
    def memory(self, device):
        """The bytes that a device has in memory."""
        with open(f"/proc/{self.household.running[device].pid}/status") as file:
            [line] = [line for line in file if line.startswith("VmRSS:")]
        return int(line.split()[1]) << 10

    def check_client_that_hangs_up_leaves_nothing(self):
        group, book = self.new_book("Hung up")
        kept, card = person("Kay Kept", "NOTE:First"), large("Hal Half")
        tag = book.put(kept).headers["ETag"]
        content = card.text.encode()
        paths = [f"{book.path}{one.identifier}.vcf" for one in (kept, card)]

        def hang_up(path, sent, **headers):
            for end in (RudeClient.hang_up, RudeClient.close):
                with RudeClient(book.server) as client:
                    client.send_head("PUT", path, Content_Type="text/vcard", **headers)
                    with contextlib.suppress(ConnectionError):
                        client.send(sent)
                    end(client)
        half = content[:len(content) // 2]
        before = self.memory("laptop")
        for _ in range(10):
            for path in paths:
                hang_up(path, half, Content_Length=len(content))
                hang_up(path, content[:-1], Content_Length=len(content))
                hang_up(path, b"%x\r\n%s" % (len(content), half), Transfer_Encoding="chunked")
                hang_up(path, b"%x\r\n%s\r\n" % (len(half), half), Transfer_Encoding="chunked")
                hang_up(path, b"", Content_Length=len(content), Expect="100-continue")
        assert book.tags() == {paths[0]: tag}, book.names()
        assert self.exported_names(group) == ["Kay Kept"]
        growth = (self.memory("laptop") - before) // MEGABYTE
        assert growth < 50, f"the agent keeps {growth} MB of what was not sent whole"
        # The same client comes back.
        assert book.put(kept.with_line("NOTE", "NOTE:Second"), **{"If-Match": tag}).status == 204
        self.wait_for_value(group, "Kay Kept", "NOTE", "Second", device="phone")
        return f"{growth} MB more"

    def check_client_that_does_not_read_answers_leaves_nothing(self):
        _, book = self.new_book("Not read")
        assert book.put(large("Una Unread")).status == 201
        [path] = book.tags()
        before = self.memory("laptop")
        for _ in range(10):
            with RudeClient(book.server) as client:
                # Several requests at once, whose answers do not fit into the kernel's buffers.
                for _ in range(8):
                    client.send_head("GET", path)
                client.socket.recv(1)
                client.hang_up()
        growth = (self.memory("laptop") - before) // MEGABYTE
        assert growth < 50, f"the agent keeps {growth} MB of what was not read"
        assert book.card(path).name == "Una Unread"
        return f"{growth} MB more"

    def check_connections_beyond_the_limit_are_closed(self):
        _, book = self.new_book("Crowd")
        with contextlib.ExitStack() as crowd:
            clients = [crowd.enter_context(RudeClient(book.server)) for _ in range(CONNECTIONS_MAXIMUM + 44)]
            for client in clients:
                with contextlib.suppress(ConnectionError):
                    client.send_head("OPTIONS", book.path)
            statuses = [client.status() for client in clients]
            assert statuses.count(200) == CONNECTIONS_MAXIMUM, {one: statuses.count(one) for one in set(statuses)}
            assert statuses.count(None) == len(clients) - CONNECTIONS_MAXIMUM
            # Those that are open go on.
            for client, status in zip(clients, statuses):
                if status:
                    client.send_head("OPTIONS", book.path)
                    assert client.status() == 200
        self.wait(lambda: book.put(person("Carl Crowd")).status == 201, "no one is served after the crowd has left")
        assert book.names() == ["Carl Crowd"]

    def longest_answer(self, book, during):
        """The longest time that a client with a right password waits while others do something."""
        times, number = [], 0
        while during():
            start, number = time.monotonic(), number + 1
            assert book.put(person(f"Rita Right{number}")).status == 201
            times.append(time.monotonic() - start)
        assert times and max(times) < PATIENCE_SECONDS, f"a client waits {max(times):.2f} s"
        return f"at most {max(times) * 1000:.0f} ms"

    def check_slow_clients_do_not_delay_others(self):
        _, book = self.new_book("Slow")
        with contextlib.ExitStack() as crowd:
            slow = [crowd.enter_context(RudeClient(book.server)) for _ in range(CONNECTIONS_MAXIMUM - 16)]
            for client in slow:
                # Their connections are set up when the measurement begins.
                client.send_head("OPTIONS", book.path)
                assert client.status() == 200
                client.send(b"PROPFIND / HTTP/1.1\r\nX-Slow: ")

            def drip():
                end = time.monotonic() + ATTACK_SECONDS
                while time.monotonic() < end:
                    for client in slow:
                        client.send(b"x")
                    time.sleep(DRIP_SECONDS)
            thread = threading.Thread(target=drip)
            thread.start()
            try:
                return self.longest_answer(book, thread.is_alive)
            finally:
                thread.join()

    def check_wrong_passwords_do_not_delay_a_right_one(self):
        _, book = self.new_book("Guessed")
        statuses = []

        def attempt():
            connection = book.server.connect()
            start = time.monotonic()
            for number in range(ATTEMPTS_A_SECOND * ATTACK_SECONDS):
                wrong = book.server.with_password(f"abcdefg-{number}")
                connection.request("PROPFIND", "/", headers={"Authorization": wrong.authorization})
                response = connection.getresponse()
                response.read()
                statuses.append(response.status)
                time.sleep(max(0, start + number / ATTEMPTS_A_SECOND - time.monotonic()))
            connection.close()
        thread = threading.Thread(target=attempt)
        start = time.monotonic()
        thread.start()
        try:
            longest = self.longest_answer(book, thread.is_alive)
        finally:
            thread.join()
        assert set(statuses) == {401, 429}, set(statuses)
        assert statuses.index(429) <= 30 and 401 not in statuses[statuses.index(429):]
        rate = len(statuses) / (time.monotonic() - start)
        assert rate > ATTEMPTS_A_SECOND / 2, f"only {rate:.0f} wrong passwords a second were tried"
        return f"{rate:.0f} a second; {longest}"

    def check_strangers_of_many_networks_leave_room_for_clients(self):
        """Over TLS any machine can connect. Those without a password get neither all connections nor much time."""
        authority = CertificateAuthority(self.new_folder("authority"))
        certificate, key = authority.issue("IP:127.0.0.2")
        port = self.free_port()
        # Each address of this machine counts as a network; only 127.0.0.1 is served without TLS.
        self.start_device("gate", dav=f"127.0.0.2:{port}", certificate=certificate, key=key)
        server = self.server("gate", f"https://127.0.0.2:{port}/", authority.certificate, ["--network"])
        known = server.connect()
        known.request("PROPFIND", "/", headers={"Authorization": server.authorization, "Depth": "0"})
        assert known.getresponse().read()
        with contextlib.ExitStack() as connections:
            strangers = [
                connections.enter_context(
                    socket.create_connection(("127.0.0.2", port), source_address=(f"127.1.{number % STRANGE_NETWORKS}.1", 0)))
                for number in range(STRANGERS)]
            start = time.monotonic()
            assert server.request("PROPFIND", "/").status == 207
            seconds = time.monotonic() - start
            assert seconds < PATIENCE_SECONDS, f"a client waits for {seconds:.1f} s"
            for stranger in strangers:
                stranger.settimeout(STRANGER_SECONDS)
                with contextlib.suppress(ConnectionResetError):
                    assert stranger.recv(1) == b"", "a stranger is answered"
        # A connection that has given a password stays.
        known.request("PROPFIND", "/", headers={"Authorization": server.authorization, "Depth": "0"})
        assert known.getresponse().status == 207
        known.close()
