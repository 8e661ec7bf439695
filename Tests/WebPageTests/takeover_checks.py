"""Another user of the machine takes the port of a page, and leaves a service worker in the browser (H1)."""

import contextlib
import http.client
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.parse

from browsers import BROWSERS
from check_run import LeftOut
from page_checks import PageChecks

NOBODY = "65534"
# Each check has a device of its own, also for a second time.
DEVICES = (f"gate-{number}" for number in itertools.count(1))
WORKERS = "return (await navigator.serviceWorker.getRegistrations()).length"


class TakeoverChecks(PageChecks):
    def check_another_user_cannot_take_over_the_page_in_chromium(self):
        self.take_over("chromium")

    def check_another_user_cannot_take_over_the_page_in_firefox(self):
        self.take_over("firefox")

    def check_another_user_cannot_take_over_the_page_in_webkit(self):
        self.take_over("webkit")

    # Parts

    def take_over(self, browser):
        household, device = self.household, next(DEVICES)
        if household.files:
            raise LeftOut("The files come from another port than the agent's.")
        if os.getuid() != 0:
            raise LeftOut("Only root can start a program of another user.")
        household.start(device, account="ada")
        with BROWSERS[browser](self.page.sandbox) as window:
            first = household.link(device)
            window.open(first)
            self.wait_for_list(window)
            assert window.run("return isSecureContext"), "the page has no secure context"
            token = window.run("return sessionStorage.getItem('session')")
            household.kill(device)
            with self.impostor(first) as requests:
                # What the open page sends by itself, and then a reload by the user.
                time.sleep(2)
                for request in requests():
                    assert request["line"].startswith("POST /web/proof "), request
                    assert token not in json.dumps(request), request
                window.open(first.split("#")[0])
                self.wait(lambda: window.run("return document.title") == "taken", "the other program cannot do harm here")
                assert window.run(WORKERS) == 1
                sent = requests()
            household.start(device, account="ada")
            window.open(first.split("#")[0])
            second = household.link(device)
            assert urllib.parse.urlsplit(second).netloc != urllib.parse.urlsplit(first).netloc, "the address is the same"
            window.open(second)
            self.wait_for_list(window)
            assert window.run(WORKERS) == 0, "the service worker has come along"
            assert window.run("return navigator.serviceWorker.controller === null")
            assert window.run("return document.title") != "taken by the worker"
            self.assert_worthless(second, token, sent)

    def wait_for_list(self, window):
        shown = "return document.querySelectorAll('#list-rows [role=option]').length > 0"
        self.wait(lambda: window.run(shown) is True, "the page does not show the list")

    @staticmethod
    def wait(condition, failure):
        end = time.monotonic() + 30
        while not condition():
            assert time.monotonic() < end, failure
            time.sleep(0.1)

    @staticmethod
    def assert_worthless(link, token, sent):
        """Nothing that the former page had, or sent to the other program, is accepted at the new address."""
        address = urllib.parse.urlsplit(link).netloc
        tokens = {token, *(request["headers"].get("X-Contacts-Token") for request in sent)} - {None}
        cookies = {request["headers"].get("Cookie") for request in sent} - {None}
        for headers in [{"X-Contacts-Token": token} for token in tokens] + [{"Cookie": cookie} for cookie in cookies]:
            connection = http.client.HTTPConnection(address, timeout=30)
            connection.request("GET", "/v1/contacts", headers=headers)
            assert connection.getresponse().status == 401, headers
            connection.close()

    @contextlib.contextmanager
    def impostor(self, link):
        """A program of another user at the address of a link. Returns what it was sent."""
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            script = shutil.copy(os.path.join(os.path.dirname(__file__), "impostor.py"), folder)
            os.chmod(script, 0o755)
            record, address = os.path.join(folder, "record"), urllib.parse.urlsplit(link)
            process = subprocess.Popen(
                ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "/usr/bin/python3", script,
                 address.hostname, str(address.port), record], stdout=subprocess.PIPE, text=True)

            def requests():
                if not os.path.exists(record):
                    return []
                with open(record) as lines:
                    return [json.loads(line) for line in lines]

            try:
                assert process.stdout.readline() == "listening\n", "the other program cannot take the port"
                yield requests
            finally:
                process.kill()
                process.wait()
