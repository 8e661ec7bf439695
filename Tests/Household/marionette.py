"""Marionette, through which programs of Mozilla are driven by their own JavaScript."""

import json
import socket

# The script is the body of an asynchronous function; its arguments are in `given`.
WRAPPED = """
const done = arguments[arguments.length - 1], given = Array.from(arguments).slice(0, -1);
(async () => { %s })().then(
  (value) => done({ value }), (error) => done({ error: `${error} ${error?.stack ?? ''}` }));
"""


class Marionette:
    """A connection to a program that was started with --marionette. Scripts run in the context `chrome`, with the rights of
    the program's own code, or `content`, as a page's. They may take some seconds."""

    def __init__(self, port, script_seconds, context):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=script_seconds + 30)
        self.stream = self.socket.makefile("rb")
        self.number = 0
        self.read()
        self.command("WebDriver:NewSession", capabilities={})
        self.command("Marionette:SetContext", value=context)
        self.sandbox = "system" if context == "chrome" else "default"
        self.command("WebDriver:SetTimeouts", script=script_seconds * 1000)

    def read(self):
        """A message is its length, a colon, and JSON."""
        digits = b""
        while not digits.endswith(b":"):
            digit = self.stream.read(1)
            assert digit, "the program has ended"
            digits += digit
        return json.loads(self.stream.read(int(digits[:-1])))

    def command(self, name, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, number, error, result = self.read()
        assert number == self.number and not error, error
        return result

    def run(self, script, *arguments):
        """Runs a script, which may await, and returns what it returns."""
        result = self.command("WebDriver:ExecuteAsyncScript", script=WRAPPED % script, args=arguments,
                              sandbox=self.sandbox, newSandbox=False)["value"]
        assert "error" not in result, result["error"]
        return result.get("value")

    def close(self):
        self.stream.close()
        self.socket.close()
