"""The clients whose first pull of a book is measured. Each is new, with folders of its own."""

import os
import shutil
import subprocess
import sys
import time
from urllib.parse import urlsplit

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests/CardDAVClients"))

from account import Account  # noqa: E402, F401
from evolution import PYTHON, Evolution  # noqa: E402
from thunderbird import Thunderbird  # noqa: E402
from vdirsyncer import PROGRAM, Vdirsyncer  # noqa: E402

LIMIT_SECONDS = 500
# Each look costs the program some milliseconds.
LOOK_SECONDS = 0.2
# As Thunderbird's assistant does after it has found the book; the assistant needs a server that asks for a password.
PULL = """
  const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
  const { CardDAVDirectory } = ChromeUtils.importESModule("resource:///modules/CardDAVDirectory.sys.mjs");
  const [address, origin, user, password] = given;
  const login = Cc["@mozilla.org/login-manager/loginInfo;1"].createInstance(Ci.nsILoginInfo);
  login.init(origin, null, "CardDAV", user, password, "", "");
  await Services.logins.addLoginAsync(login);
  const type = Ci.nsIAbManager.CARDDAV_DIRECTORY_TYPE;
  const book = MailServices.ab.getDirectoryFromId(MailServices.ab.newAddressBook("Bench", null, type, null));
  book.setStringValue("carddav.url", address);
  book.setStringValue("carddav.username", user);
  const directory = CardDAVDirectory.forFile(book.fileName);
  const start = Date.now();
  await directory.fetchAllFromServer();
  return [Date.now() - start, directory.childCardCount];
"""


def require(pulled, count, name):
    if pulled != count:
        raise SystemExit(f"{name} has {pulled} cards.")


class VdirsyncerPull:
    """Into a folder of files."""

    name = "vdirsyncer"
    packages = "vdirsyncer"

    @staticmethod
    def is_installed():
        return os.path.exists(PROGRAM)

    @staticmethod
    def pull(account, count, folder):
        """Returns the seconds of the whole process, which knows already which books to compare."""
        client = Vdirsyncer(folder, account)
        client.discover()
        start = time.perf_counter()
        client.run("sync")
        seconds = time.perf_counter() - start
        require(len(client.files()), count, "vdirsyncer")
        return seconds


class EvolutionPull:
    """Into the database of Evolution Data Server, in which GNOME's programs keep their contacts."""

    name = "evolution"
    packages = "evolution-data-server, gir1.2-ebook-1.2, gir1.2-ebookcontacts-1.2, python3-gi, dbus"

    @staticmethod
    def is_installed():
        if not shutil.which("dbus-run-session") or not os.path.exists(PYTHON):
            return False
        bindings = "import gi; gi.require_version('EBook', '1.2'); from gi.repository import EBook"
        return subprocess.run([PYTHON, "-c", bindings], capture_output=True).returncode == 0

    @staticmethod
    def pull(account, count, folder):
        """Returns the seconds from opening the book until all cards are in the database."""
        with Evolution(folder) as client:
            # The registry of sources, which it starts first, is not measured.
            client.count()
            start = time.perf_counter()
            client.open(account, account.address)
            while client.count() < count:
                if time.perf_counter() - start > LIMIT_SECONDS:
                    raise SystemExit("Evolution Data Server: the cards do not arrive.")
                time.sleep(LOOK_SECONDS)
            return time.perf_counter() - start


class ThunderbirdPull:
    """Into a new profile, without a window."""

    name = "thunderbird"
    packages = "thunderbird"

    @staticmethod
    def is_installed():
        return shutil.which("thunderbird") is not None

    @staticmethod
    def pull(account, count, folder):
        """Returns the seconds from the first request until all cards are in the database."""
        place = urlsplit(account.address)
        with Thunderbird(folder, LIMIT_SECONDS) as client:
            milliseconds, pulled = client.marionette.run(
                PULL, account.address, f"{place.scheme}://{place.netloc}", account.user, account.password)
        require(pulled, count, "Thunderbird")
        return milliseconds / 1000


CLIENTS = [VdirsyncerPull, EvolutionPull, ThunderbirdPull]
