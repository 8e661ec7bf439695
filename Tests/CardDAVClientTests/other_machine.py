"""Another machine, as far as the network is concerned: a network namespace that a cable connects with this one."""

import contextlib
import ctypes
import ipaddress
import os
import subprocess
import threading

from check_run import LeftOut

# Addresses for tests of networks (RFC 2544), of which each run has four of its own.
NETWORKS = list(ipaddress.ip_network("198.18.0.0/15").subnets(new_prefix=30))
NEW_NETWORK = 0x40000000
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
# Replaces the authorities that the programs of a command trust. `ip netns exec` gives it mounts of its own.
TRUSTING = f'mount --bind "$0" {AUTHORITIES} && exec "$@"'


class OtherMachine:
    """A machine, until its context ends. `here` is the address of this machine in its network."""

    def __init__(self):
        if os.geteuid() != 0:
            raise LeftOut("only root can make a network namespace")
        self.name = f"contacts-{os.getpid()}"
        self.plugs = [f"cts{os.getpid()}{end}" for end in "ab"]
        self.here, self.there = map(str, NETWORKS[os.getpid() % len(NETWORKS)].hosts())

    def __enter__(self):
        plug, other_plug = self.plugs
        try:
            self.ip("netns", "add", self.name)
        except AssertionError as error:
            if "Operation not permitted" in str(error):
                raise LeftOut("root may not make a network namespace here") from error
            raise
        try:
            self.ip("link", "add", plug, "type", "veth", "peer", "name", other_plug, "netns", self.name)
            self.ip("address", "add", f"{self.here}/30", "dev", plug)
            self.ip("link", "set", plug, "up")
            self.ip("-n", self.name, "address", "add", f"{self.there}/30", "dev", other_plug)
            self.ip("-n", self.name, "link", "set", other_plug, "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for words in (["link", "delete", self.plugs[0]], ["netns", "delete", self.name]):
            with contextlib.suppress(AssertionError):
                self.ip(*words)

    @staticmethod
    def ip(*words):
        result = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
        assert result.returncode == 0, f"ip {' '.join(words)}: {result.stderr}"

    def command(self, authority):
        """The beginning of a command that runs on this machine, which trusts only one authority."""
        return ["ip", "netns", "exec", self.name, "sh", "-c", TRUSTING, authority]

    def call(self, function, *arguments):
        """Calls a function in a thread whose new sockets are in the network of this machine."""
        results, errors = [], []

        def run():
            try:
                self.enter()
                results.append(function(*arguments))
            except BaseException as error:
                errors.append(error)
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        if errors:
            raise errors[0]
        return results[0]

    def enter(self):
        with open(f"/run/netns/{self.name}") as file:
            entered = ctypes.CDLL(None, use_errno=True).setns(file.fileno(), NEW_NETWORK)
        assert entered == 0, os.strerror(ctypes.get_errno())
