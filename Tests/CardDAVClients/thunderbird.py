"""Thunderbird without a window, used as its address book and its account wizard use their own parts."""

from mozilla import SCRIPT_SECONDS, Mozilla

PREFERENCES = {
    "app.donation.eoy.version.viewed": 999, "browser.shell.checkDefaultBrowser": False,
    "mail.inappnotifications.enabled": False, "mail.provider.suppress_dialog_on_startup": True, "mail.rights.version": 1,
    "mail.shell.checkDefaultClient": False, "mail.spotlight.firstRunDone": True, "mail.winsearch.firstRunDone": True, "mailnews.start_page.enabled": False,
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


class Thunderbird(Mozilla):
    """Thunderbird with a new profile in a folder, until its context ends."""

    def __init__(self, folder, script_seconds=SCRIPT_SECONDS):
        super().__init__("thunderbird", folder, PREFERENCES, "chrome", script_seconds)

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

