"""The first pull of a book by Thunderbird, without a window and with a new profile."""

import json
import os
import shutil
import subprocess
from urllib.parse import urlsplit

from marionette import Marionette
from servers import USER, wait

NAME = "thunderbird"
PACKAGES = "thunderbird"
SETTINGS = {
    # Any free port, which Thunderbird writes into its profile.
    "marionette.port": 0,
    # Nothing is asked of another machine.
    "app.update.enabled": False,
    "app.donation.eoy.version.viewed": 999,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "mail.inappnotifications.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    # Nothing waits for an answer of the user.
    "mail.provider.suppress_dialog_on_startup": True,
    "mail.rights.version": 1,
    "mail.shell.checkDefaultClient": False,
    "mail.spotlight.firstRunDone": True,
    "mail.winsearch.firstRunDone": True,
    "mailnews.start_page.enabled": False,
}
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


def is_installed():
    return shutil.which("thunderbird") is not None


def pull(address, password, count, folder):
    """Returns the seconds from the first request until all cards are in Thunderbird's database."""
    profile = os.path.join(folder, "profile")
    os.mkdir(profile)
    with open(os.path.join(profile, "user.js"), "w") as file:
        file.writelines(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in SETTINGS.items())
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")},
        "HOME": folder, "MOZ_HEADLESS": "1", "MOZ_CRASHREPORTER_DISABLE": "1"}
    with open(os.path.join(folder, "log"), "w") as log:
        program = subprocess.Popen(
            ["thunderbird", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote",
             "--profile", profile], env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    try:
        port = os.path.join(profile, "MarionetteActivePort")
        remote = Marionette(wait(lambda: active_port(port), "Thunderbird does not start."))
        parts = urlsplit(address)
        milliseconds, pulled = remote.run(PULL, address, f"{parts.scheme}://{parts.netloc}", USER, password)
        remote.quit()
        program.wait(30)
    finally:
        if program.poll() is None:
            program.kill()
            program.wait()
    if pulled != count:
        raise SystemExit(f"Thunderbird has {pulled} cards.")
    return milliseconds / 1000


def active_port(path):
    if not os.path.exists(path):
        return None
    with open(path) as file:
        return int(file.read() or 0)
