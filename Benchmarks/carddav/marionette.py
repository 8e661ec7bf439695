"""Runs scripts with the rights of the program itself in Thunderbird, through its remote control Marionette."""

import json
import socket


class Marionette:
    """A session. A message is its length in decimal digits, a colon, and JSON: type, number, command and parameters, or
    type, number, error and result."""

    def __init__(self, port):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=600)
        self.stream = self.connection.makefile("rb")
        self.number = 0
        self.receive()  # the greeting
        self.command("WebDriver:NewSession", capabilities={})
        self.command("Marionette:SetContext", value="chrome")
        self.command("WebDriver:SetTimeouts", script=600_000)

    def command(self, name, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, name, parameters]).encode()
        self.connection.sendall(f"{len(message)}:".encode() + message)
        _, _, error, result = self.receive()
        if error:
            raise SystemExit(f"Thunderbird: {error.get('message')}")
        return result

    def receive(self):
        digits = b""
        while (digit := self.stream.read(1)) != b":":
            if not digit:
                raise SystemExit("Thunderbird has ended.")
            digits += digit
        return json.loads(self.stream.read(int(digits)))

    def run(self, script, *arguments):
        """Runs the body of an asynchronous function, whose arguments are `given`, and returns its result."""
        wrapped = f"""
          const done = arguments[arguments.length - 1];
          (async (...given) => {{ {script} }})(...arguments).then(
            (value) => done({{ value }}), (error) => done({{ error: String(error) }}));
        """
        result = self.command(
            "WebDriver:ExecuteAsyncScript", script=wrapped, args=list(arguments), sandbox="system")["value"]
        if "error" in result:
            raise SystemExit(f"Thunderbird: {result['error']}")
        return result.get("value")

    def quit(self):
        self.command("Marionette:Quit", flags=["eForceQuit"])
