"""Browsers that open an address and run a script there: Chromium, Firefox and WebKit. Each has a profile of its own, which
lasts as long as its context."""

import contextlib
import os
import shutil
import subprocess
import tempfile

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service as ChromeService
from selenium.webdriver.webkitgtk.service import Service as WebKitService

from check_run import LeftOut
from mozilla import Mozilla

MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
DISPLAY = ":97"


class Driven:
    """A browser that selenium drives."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, address):
        # A page that cannot be reached is one that the browser shows too.
        with contextlib.suppress(WebDriverException):
            self.driver.get(address)

    def run(self, script):
        """Runs the body of a function, and returns what it returns. It may await."""
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; (async () => { %s })().then(done, (error) => done(String(error)));"
            % script)


class Fox:
    """Firefox."""

    def __init__(self, marionette):
        self.marionette = marionette

    def open(self, address):
        with contextlib.suppress(AssertionError):
            self.marionette.command("WebDriver:Navigate", url=address)

    def run(self, script):
        return self.marionette.run(script)


@contextlib.contextmanager
def chromium(sandbox):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-background-networking", *([] if sandbox else ["--no-sandbox"])):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=ChromeService("/usr/bin/chromedriver"))
    try:
        yield Driven(driver)
    finally:
        driver.quit()


@contextlib.contextmanager
def firefox(_):
    with tempfile.TemporaryDirectory() as folder, Mozilla("firefox-esr", folder, {}, "content") as program:
        yield Fox(program.marionette)


@contextlib.contextmanager
def webkit(_):
    if not os.path.exists(MINI_BROWSER):
        raise LeftOut("There is no WebKit.")
    display = subprocess.Popen(["Xvfb", DISPLAY, "-nolisten", "tcp"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    surroundings = {**os.environ, "DISPLAY": DISPLAY, "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
                    "WEBKIT_FORCE_SANDBOX": "0", "GDK_BACKEND": "x11"}
    options = webdriver.WebKitGTKOptions()
    options.binary_location = MINI_BROWSER
    options.add_argument("--automation")
    try:
        driver = webdriver.WebKitGTK(
            options=options, service=WebKitService(shutil.which("WebKitWebDriver"), env=surroundings))
        try:
            yield Driven(driver)
        finally:
            driver.quit()
    finally:
        display.terminate()
        display.wait()


BROWSERS = {"chromium": chromium, "firefox": firefox, "webkit": webkit}
