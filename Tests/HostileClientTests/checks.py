#!/usr/bin/env python3
"""Sends hostile requests to the three interfaces of an agent, while a program of its user goes on reading.

  checks.py --programs FOLDER [--requests NUMBER] [--seed NUMBER]

Fails if the agent ends, if the 99th percentile of the user's requests exceeds a tenth of a second, or if its memory exceeds
its bound. A failed run can be repeated with its seed."""

import argparse
import base64
import multiprocessing
import os
import socket
import sys
import tempfile
import time
import urllib.parse

HERE = os.path.dirname(__file__)
sys.path.insert(0, os.path.join(HERE, "../Household"))

from agent import Agent
from household import Household
from hostile_requests import APIRequests, DAVRequests, PageRequests

DESCRIPTION = os.path.join(HERE, "../../docs/openapi.yaml")
# The number of requests that are sent before the answers are read.
BATCH = 25
QUIET_SECONDS = 0.5
PERCENTILE_MILLISECONDS = 100
MEMORY_BYTES = 512 << 20


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


def check(household, kind, count, seed):
    agent = household.agent("laptop")
    if kind == "api":
        address, head = household.path("laptop.sock"), ["Host: contactsd"]
    elif kind == "page":
        link = urllib.parse.urlsplit(household.control("laptop", "open", "--print"))
        address = (link.hostname, link.port)
        head = [f"Host: {link.netloc}", f"X-Contacts-Token: {session(address, link)}"]
    else:
        made = agent.call("POST", "/v1/dav/passwords", {"name": "hostile"})
        parts = urllib.parse.urlsplit(made["addresses"][0])
        password = base64.b64encode(f"ada:{made['password']}".encode()).decode()
        address, head = (parts.hostname, parts.port), [f"Host: {parts.netloc}", f"Authorization: Basic {password}"]
    answered = multiprocessing.Value("q", 0)
    attackers = [
        multiprocessing.Process(target=attack, args=(kind, seed * 10 + number, address, head, count, answered))
        for number in range(2)]
    process, user, start = household.running["laptop"], User(household.path("laptop.sock")), time.monotonic()
    for attacker in attackers:
        attacker.start()
    while any(attacker.is_alive() for attacker in attackers):
        assert process.poll() is None, f"the agent ended with {process.returncode}"
        user.read()
        time.sleep(0.01)
    for attacker in attackers:
        attacker.join()
        assert attacker.exitcode == 0, "an attacker failed"
    assert process.poll() is None, f"the agent ended with {process.returncode}"
    seconds = time.monotonic() - start
    print(f"{kind}: {answered.value:,} answers in {seconds:.0f} s; others' requests: 99 % within {user.percentile():.0f} ms "
          f"({len(user.milliseconds)}); memory: {memory(process.pid) >> 20} MiB", flush=True)
    assert user.percentile() <= PERCENTILE_MILLISECONDS, "others wait too long"
    assert memory(process.pid) <= MEMORY_BYTES, "the memory exceeds its bound"


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
    parser.add_argument("kinds", nargs="*", default=["api", "page", "dav"])
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        household = Household(options.programs, folder)
        try:
            household.start_broker()
            household.start("laptop", account="ada")
            for kind in options.kinds or ["api", "page", "dav"]:
                check(household, kind, options.requests, options.seed)
        finally:
            household.close()


if __name__ == "__main__":
    main()
