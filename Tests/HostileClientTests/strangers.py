#!/usr/bin/env python3
"""A program of another user that opens connections to a port of this machine, many at a time, and never says anything.

  strangers.py HOST PORT COUNT"""

import resource
import socket
import sys

OPEN_AT_A_TIME = 500


def main():
    address, count = (sys.argv[1], int(sys.argv[2])), int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_AT_A_TIME + 50,) * 2)
    opened = []
    for _ in range(count):
        opened.append(socket.create_connection(address))
        if len(opened) == OPEN_AT_A_TIME:
            opened.pop(0).close()
    # Each of them is closed before it is read from.
    for connection in opened:
        connection.settimeout(30)
        try:
            assert connection.recv(1) == b"", "a connection of another user is answered"
        except ConnectionResetError:
            pass


if __name__ == "__main__":
    main()
