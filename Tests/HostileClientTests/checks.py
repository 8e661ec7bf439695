#!/usr/bin/env python3
"""Attacks an agent while a program of its user goes on reading: by hostile requests to each of its three interfaces, by
thousands of connections of another user, and by cards that take long to read. Then attacks the broker by hostile frames, while
another account goes on saving.

  checks.py --programs FOLDER [--requests NUMBER] [--seed NUMBER] [--milliseconds NUMBER] [api page dav strangers cards frames]

Fails if the program ends, if the 99th percentile of the user's requests exceeds a tenth of a second or what is given, or if
its memory exceeds its bound. A failed run can be repeated with its seed."""

import argparse
import base64
import http.client
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = os.path.dirname(__file__)
sys.path.insert(0, os.path.join(HERE, "../Household"))

from agent import Agent
from household import Household
import hostile_frames
from hostile_requests import APIRequests, DAVRequests, PageRequests

DESCRIPTION = os.path.join(HERE, "../../docs/openapi.yaml")
# The number of requests that are sent before the answers are read.
BATCH = 25
QUIET_SECONDS = 0.5
MEMORY_BYTES = 512 << 20
READINGS_MINIMUM = 100
# The connections of another user to each port.
STRANGERS = 3_000
# A little less than the largest card.
CARD_BYTES = 25_000_000
KINDS = ["api", "page", "dav", "strangers", "cards", "frames"]


def connect(address):
    if isinstance(address, str):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(address)
        return connection
    return socket.create_connection(address)


def attack(kind, seed, address, head, count, answered):
    """Sends requests until `count` have been answered by all attackers together."""
    made = {"api": APIRequests, "page": PageRequests, "dav": DAVRequests}[kind]
    requests = made(seed, head) if kind == "dav" else made(seed, head, DESCRIPTION)
    while answered.value < count:
        number = answers(address, requests.batch(BATCH))
        with answered.get_lock():
            answered.value += number


def answers(address, content):
    """Sends bytes, and returns how many answers come before the connection ends or is silent."""
    received, last = 0, b""
    try:
        with connect(address) as connection:
            connection.settimeout(QUIET_SECONDS)
            connection.sendall(content)
            while part := connection.recv(1 << 20):
                received += (last + part).count(b"HTTP/1.1 ") - last.count(b"HTTP/1.1 ")
                last = part[-8:]
    except OSError:
        # The agent may hang up in the middle of what it refuses. Whether it still runs is examined elsewhere.
        pass
    return received


class User:
    """A program of the user that goes on reading."""

    def __init__(self, path):
        self.path, self.milliseconds = path, []

    def read(self):
        start = time.monotonic()
        Agent(self.path).call("GET", "/v1/contacts?limit=20")
        self.milliseconds.append((time.monotonic() - start) * 1000)

    def percentile(self):
        return sorted(self.milliseconds)[len(self.milliseconds) * 99 // 100]


def memory(process):
    """The largest memory that a process has had, in bytes."""
    with open(f"/proc/{process}/status") as lines:
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM"))


def requests_of(household, kind, count, seed):
    """Processes that send hostile requests to an interface, and the number of answers that they have got."""
    agent = household.agent("laptop")
    if kind == "api":
        address, head = household.path("laptop.sock"), ["Host: contactsd"]
    elif kind == "page":
        link = page_link(household)
        address = (link.hostname, link.port)
        head = [f"Host: {link.netloc}", f"X-Contacts-Token: {session(address, link)}"]
    else:
        parts, authorization = dav_access(agent)
        address, head = (parts.hostname, parts.port), [f"Host: {parts.netloc}", f"Authorization: {authorization}"]
    answered = multiprocessing.Value("q", 0)
    return answered, [
        multiprocessing.Process(target=attack, args=(kind, seed * 10 + number, address, head, count, answered))
        for number in range(2)]


def strangers_of(household, *_):
    """Another user's processes that connect to the ports of the page and of CardDAV."""
    if os.getuid() != 0:
        print("strangers: LEFT OUT, because only root can start processes of another user", flush=True)
        return None, []
    parts, _ = dav_access(household.agent("laptop"))
    answered = multiprocessing.Value("q", 0)
    return answered, [
        multiprocessing.Process(target=connect_as_stranger, args=(place.hostname, place.port, answered))
        for place in (page_link(household), parts)]


def connect_as_stranger(host, port, answered):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        script = shutil.copy(os.path.join(HERE, "strangers.py"), folder)
        subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", script, host,
                        str(port), str(STRANGERS)], check=True)
    with answered.get_lock():
        answered.value += STRANGERS


def cards_of(household, *_):
    """A process that stores cards of the largest size, which take long to read."""
    parts, authorization = dav_access(household.agent("laptop"))
    answered = multiprocessing.Value("q", 0)
    return answered, [multiprocessing.Process(target=store_cards, args=(parts.hostname, parts.port, authorization, answered))]


def store_cards(host, port, authorization, answered):
    piece = b"x" * 60
    for first, line in (
        (b"", b"TEL;X=%s:1\n" % piece),
        # Nearly as many lines as are read.
        (b"", b"TEL;X=%s:1\n" % piece[:43]),
        (b"NOTE;X=", b"\n %s=" % piece), (b"PHOTO", b";TYPE=a"), (b"", b"\n")):
        card = b"BEGIN:VCARD\nVERSION:3.0\nFN:Ada\n" + first
        card += line * ((CARD_BYTES - len(card) - 20) // len(line)) + b":1\nEND:VCARD\n"
        connection = http.client.HTTPConnection(host, port, timeout=600)
        connection.request("PUT", "/books/contacts/large.vcf", card, {"Authorization": authorization, "Content-Type": "text/vcard"})
        reply = connection.getresponse()
        reply.read()
        assert reply.status in (201, 204, 403, 413, 507), reply.status
        with answered.get_lock():
            answered.value += 1
        connection.close()


class Saver:
    """A client of another account that goes on saving."""

    def __init__(self, connection):
        self.connection, self.milliseconds = connection, []

    def read(self):
        start = time.monotonic()
        self.connection.save(f"{start}")
        self.milliseconds.append((time.monotonic() - start) * 1000)

    percentile = User.percentile


def frames_of(household, count, seed):
    """Processes that send hostile frames to the broker, and a client of another account."""
    folder, path = household.path("protocol"), household.path("broker.sock")
    os.mkdir(folder)
    wire = hostile_frames.protocol(folder)
    answered = multiprocessing.Value("q", 0)
    saver = Saver(hostile_frames.Connection(wire, path, "grace", os.urandom(32)))
    return answered, saver, [
        multiprocessing.Process(target=hostile_frames.attack, args=(seed * 10 + number, path, folder, count, answered))
        for number in range(2)]


def check_frames(household, count, seed, milliseconds):
    try:
        answered, saver, attackers = frames_of(household, count, seed)
    except (ImportError, FileNotFoundError) as missing:
        print(f"frames: LEFT OUT, because protoc or python3-protobuf is not installed ({missing})", flush=True)
        return
    measure("frames", household.running["broker"], saver, attackers, answered, milliseconds)
    saver.connection.close()


def check(household, kind, count, seed, milliseconds):
    if kind == "frames":
        return check_frames(household, count, seed, milliseconds)
    made = {"strangers": strangers_of, "cards": cards_of}.get(kind, requests_of)
    if made is requests_of:
        answered, attackers = made(household, kind, count, seed)
    else:
        answered, attackers = made(household)
    if answered is None:
        return
    measure(kind, household.running["laptop"], User(household.path("laptop.sock")), attackers, answered, milliseconds)


def measure(kind, process, user, attackers, answered, milliseconds):
    """Lets the attackers run while the user goes on, and examines both."""
    start = time.monotonic()
    for attacker in attackers:
        attacker.start()
    while any(attacker.is_alive() for attacker in attackers) or len(user.milliseconds) < READINGS_MINIMUM:
        assert process.poll() is None, f"the program ended with {process.returncode}"
        user.read()
        time.sleep(0.01)
    for attacker in attackers:
        attacker.join()
        assert attacker.exitcode == 0, "an attacker failed"
    assert process.poll() is None, f"the program ended with {process.returncode}"
    seconds = time.monotonic() - start
    print(f"{kind}: {answered.value:,} answers in {seconds:.0f} s; others' requests: 99 % within {user.percentile():.0f} ms, "
          f"all within {max(user.milliseconds):.0f} ms ({len(user.milliseconds)}); memory: {memory(process.pid) >> 20} MiB", flush=True)
    assert user.percentile() <= milliseconds, "others wait too long"
    assert memory(process.pid) <= MEMORY_BYTES, "the memory exceeds its bound"


def page_link(household):
    return urllib.parse.urlsplit(household.control("laptop", "open", "--print"))


def dav_access(agent):
    """The address of CardDAV, and the header of a new password."""
    made = agent.call("POST", "/v1/dav/passwords", {"name": f"hostile {time.monotonic_ns()}"})
    password = base64.b64encode(f"ada:{made['password']}".encode()).decode()
    return urllib.parse.urlsplit(made["addresses"][0]), f"Basic {password}"


def session(address, link):
    """The token of a session, for which the token of a link is exchanged."""
    body = f'{{"token":"{link.fragment}"}}'.encode()
    head = f"POST /web/session HTTP/1.1\r\nHost: {link.netloc}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    with connect(address) as connection:
        connection.sendall(head.encode() + body)
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    return answer.split(b'"token":"')[1].split(b'"')[0].decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", required=True)
    parser.add_argument("--requests", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--milliseconds", type=int, default=100)
    parser.add_argument("kinds", nargs="*", default=KINDS)
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        household = Household(options.programs, folder)
        try:
            household.start_broker()
            household.start("laptop", account="ada")
            for kind in options.kinds or KINDS:
                check(household, kind, options.requests, options.seed, options.milliseconds)
        finally:
            household.close()


if __name__ == "__main__":
    main()
