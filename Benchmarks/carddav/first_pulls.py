"""How long clients need to fetch an address book for the first time: from each server, and from a recording of the
first server's answers, which costs next to nothing. The targets take turns, in rounds."""

import statistics
import tempfile
from collections import defaultdict

from clients import CLIENTS, Account
from replay import Replay
from servers import USER

ROUNDS = 3


def measure_pulls(servers, count, folder, report):
    """Returns the clients that are not installed."""
    installed = [client for client in CLIENTS if client.is_installed()]
    for client in installed:
        measure_client(client, servers, count, folder, report)
    return [client for client in CLIENTS if client not in installed]


def measure_client(client, servers, count, folder, report):
    seconds, processor_seconds = defaultdict(list), defaultdict(list)
    with Replay(servers[0]) as replay:
        pull(client, replay, count, folder, password=servers[0].password())
        for _ in range(ROUNDS):
            for server in servers:
                before = server.processor_seconds()
                seconds[server.name].append(pull(client, server, count, folder))
                processor_seconds[server.name].append(server.processor_seconds() - before)
            replay.rewind()
            seconds["replay"].append(pull(client, replay, count, folder))
            if replay.unknown:
                raise SystemExit(f"{client.name} asks the recording something else: {replay.unknown[:3]}")
    for name, values in seconds.items():
        report(f"carddav_{name}_{client.name}_ms", statistics.median(values) * 1000)
    for name, values in processor_seconds.items():
        report(f"carddav_{name}_{client.name}_cpu_ms", statistics.median(values) * 1000)


def pull(client, server, count, folder, password=None):
    # A password of its own each time: the agent remembers what it has served a client.
    with tempfile.TemporaryDirectory(prefix=client.name + ".", dir=folder) as place:
        return client.pull(Account(server.address, USER, password or server.password()), count, place)
