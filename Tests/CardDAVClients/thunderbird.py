"""Thunderbird without a window, used as its address book and its account wizard use their own parts."""

import contextlib
import json
import os
import subprocess
import time

from marionette import Marionette

START_SECONDS = 90
SCRIPT_SECONDS = 120
PREFERENCES = {
    # The program chooses a free port and writes it into the profile.
    "marionette.port": 0,
    "app.update.enabled": False, "app.donation.eoy.version.viewed": 999, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False, "extensions.update.enabled": False,
    "mail.inappnotifications.enabled": False, "mail.provider.suppress_dialog_on_startup": True, "mail.rights.version": 1,
    "mail.shell.checkDefaultClient": False, "mail.spotlight.firstRunDone": True, "mail.winsearch.firstRunDone": True, "mailnews.start_page.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,", "toolkit.telemetry.enabled": False,
}
FIND = """
const { CardDAVUtils } = ChromeUtils.importESModule('resource:///modules/CardDAVUtils.sys.mjs');
globalThis.found = await CardDAVUtils.detectAddressBooks(...given, false);
return found.map((book) => [book.name, String(book.url)]);
"""
SUBSCRIBE = """
const directory = await found.find((book) => String(book.url) === given[0]).create();
globalThis.book = directory.wrappedJSObject ?? directory;
"""
ADD = """
const { VCardUtils } = ChromeUtils.importESModule('resource:///modules/VCardUtils.sys.mjs');
return book.addCard(VCardUtils.vCardToAbCard(given[0]), false).UID;
"""
# As the dialog of a card does: it changes one entry, and keeps all others.
CHANGE = """
const [identifier, name, value] = given;
const card = [...book.childCards].find((card) => card.UID === identifier);
const entry = card.vCardProperties.getFirstEntry(name);
if (entry) entry.value = value; else card.vCardProperties.addValue(name, value);
book.modifyCard(card);
"""
DELETE = "book.deleteCards([...book.childCards].filter((card) => card.UID === given[0]))"
CARDS = "return [...book.childCards].map((card) => [card.UID, card.getProperty('_vCard', '')])"


class Thunderbird:
    """Thunderbird with a new profile in a folder, until its context ends."""

    def __init__(self, folder, script_seconds=SCRIPT_SECONDS):
        self.folder, self.profile, self.script_seconds = folder, os.path.join(folder, "profile"), script_seconds

    def __enter__(self):
        os.makedirs(self.profile)
        with open(os.path.join(self.profile, "user.js"), "w") as file:
            file.writelines(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
        surroundings = {**os.environ, "HOME": self.folder, "MOZ_HEADLESS": "1", "MOZ_CRASHREPORTER_DISABLE": "1"}
        surroundings.pop("DISPLAY", None)
        with open(os.path.join(self.folder, "log"), "w") as log:
            self.process = subprocess.Popen(
                ["thunderbird", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile",
                 self.profile], env=surroundings, stdout=log, stderr=log, start_new_session=True)
        try:
            self.marionette = Marionette(self.port(), self.script_seconds)
        except BaseException:
            self.__exit__()
            raise
        return self

    def port(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                with open(os.path.join(self.profile, "MarionetteActivePort")) as file:
                    return int(file.read())
            time.sleep(0.1)
        raise AssertionError("Thunderbird does not start")

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.marionette.command("Marionette:Quit", flags=["eForceQuit"])
            self.marionette.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def find_books(self, server):
        """What the wizard finds from an address, a user and a password: the addresses of books by name."""
        return dict(self.marionette.run(FIND, server.user, server.password, server.address))

    def subscribe(self, address):
        """Adds a book that was found. The first synchronization begins, and goes on after this returns."""
        self.marionette.run(SUBSCRIBE, address)

    def synchronize(self):
        self.marionette.run("await book.syncWithServer()")

    def count(self):
        return self.marionette.run("return book.childCardCount")

    def cards(self):
        """The cards by UID, as Thunderbird keeps them."""
        return dict(self.marionette.run(CARDS))

    def is_read_only(self):
        return self.marionette.run("return book.readOnly")

    def token(self):
        return self.marionette.run("return book.getStringValue('carddav.token', '')")

    def add(self, card):
        """Adds a card, which is then sent, and returns its UID."""
        return self.marionette.run(ADD, card.text)

    def change(self, identifier, name, value):
        """Changes a property of a card, or adds it. The card is then sent."""
        self.marionette.run(CHANGE, identifier, name, value)

    def delete(self, identifier):
        self.marionette.run(DELETE, identifier)

