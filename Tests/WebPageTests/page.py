"""A browser on the agent's page. Needs Debian's chromium and chromium-driver, and from PyPI selenium and
axe-playwright-python (for its copy of axe-core)."""

import glob
import json
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE_SECONDS = 30
TRACED = "toplevel,disabled-by-default-devtools.timeline"
TASKS = {"RunTask", "ThreadControllerImpl::RunTask"}
# Stands between the page and the agent, as a slow or broken connection does.
DISTURB = """
const [method, path, how] = arguments, { fetch } = window, { send, open } = XMLHttpRequest.prototype;
const isMeant = (used, address) => used === method && new RegExp(path).test(address);
let release;
const released = new Promise((resolve) => { release = resolve; });
window.disturbed = 0;
window.settle = () => {
  window.fetch = fetch;
  Object.assign(XMLHttpRequest.prototype, { send, open });
  release();
};
window.fetch = async (address, options = {}) => {
  if (!isMeant(options.method ?? 'GET', address)) return fetch(address, options);
  window.disturbed += 1;
  if (how === 'refuse') {
    return Response.json({ error: { code: 'internalError', message: 'This was refused.' } }, { status: 500 });
  }
  const reply = await fetch(address, options);
  if (how === 'lose') throw new TypeError('The reply was lost.');
  await released;
  return reply;
};
XMLHttpRequest.prototype.open = function (used, address) {
  this.isMeant = isMeant(used, address);
  open.call(this, used, address);
};
XMLHttpRequest.prototype.send = function (content) {
  if (this.isMeant) {
    window.disturbed += 1;
    const { onload, onerror } = this;
    this.onload = how === 'lose' ? onerror : () => released.then(onload);
  }
  send.call(this, content);
};
"""
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]


class Page:
    """Chromium on one address. Its methods do what a user does, by pointer or by keyboard."""

    def __init__(self, address, sandbox=True, ready="#list-rows [role=option]", traced=False):
        self.sandbox = sandbox
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        arguments = [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--lang=en-GB",
            "--window-size=1280,900",
        ]
        if not sandbox:
            arguments.append("--no-sandbox")
        for argument in arguments:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", **({"performance": "ALL"} if traced else {})})
        if traced:
            options.add_experimental_option("perfLoggingPrefs", {"traceCategories": TRACED})
        self.main_threads = set()
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.get(address)
        self.wait(lambda: self.all(ready), f"the page does not show {ready}")

    def start_again(self):
        """Loads the page again: a check does not depend on the one before."""
        self.go("/")
        self.driver.refresh()
        self.wait(lambda: self.all("#list .state, #list [role=option]"), "the page does not load")

    def another(self, address, ready="#list-rows [role=option]"):
        """A browser of another user, with its own storage."""
        return Page(address, self.sandbox, ready)

    def close(self):
        self.driver.quit()

    # Looking

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.wait(lambda: self.all(selector), f"there is no {selector}")[0]

    def text(self, selector):
        found = self.all(selector)
        return found[0].text if found else ""

    def value(self, name):
        return self.value_of(f"[name='{name}']")

    def value_of(self, selector):
        return self.one(selector).get_property("value")

    def focus(self):
        return self.run("return document.activeElement.id")

    def wait(self, condition, failure):
        def holds(_):
            return condition()

        ignored = webdriver.remote.webdriver.WebDriverException
        return WebDriverWait(self.driver, PATIENCE_SECONDS, 0.005, ignored_exceptions=[ignored]).until(holds, failure)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def command(self, name, **parameters):
        """Sends a command of the debugger's protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def tasks(self):
        """The milliseconds of each task of the page's main thread since the last call, from the browser's trace."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        traced = [event["params"] for event in events if event["method"] == "Tracing.dataCollected"]
        threads = {
            (event["pid"], event["tid"]) for event in traced
            if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
        }
        self.main_threads |= threads
        return [
            event["dur"] / 1000 for event in traced
            if event["name"] in TASKS and (event["pid"], event["tid"]) in self.main_threads and "dur" in event
        ]

    def disturb(self, method, path, how):
        """From now on, replies to requests are held until `settle`, or lost (`lose`), or requests are refused (`refuse`).
        `path` is a regular expression. `disturbed` counts them."""
        self.run(DISTURB, method, path, how)

    def disturb_from_the_start(self, method, path, how):
        """Loads the page again, disturbed from the beginning."""
        source = f"(function () {{ {DISTURB} }})({json.dumps(method)}, {json.dumps(path)}, {json.dumps(how)})"
        script = self.command("Page.addScriptToEvaluateOnNewDocument", source=source)
        self.driver.refresh()
        self.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])

    def disturbed(self):
        return self.run("return window.disturbed")

    def settle(self):
        self.run("window.settle()")

    def errors(self):
        """What the console has reported since the last call. The browser reports each failed request too."""
        return [
            entry["message"] for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"]
        ]

    # Pointer and keyboard

    def click(self, selector):
        def clicks():
            found = self.all(selector)
            if found:
                found[0].click()
            return bool(found)

        # The page may draw a control again between looking for it and the click.
        self.wait(clicks, f"{selector} cannot be clicked")

    def press(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def press_together(self, modifier, key):
        webdriver.ActionChains(self.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def fill(self, name, text):
        field = self.one(f"[name='{name}']")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text if text else Keys.DELETE)

    def tab_to(self, selector, most=40):
        """Presses Tab until an element has the focus: what is not reachable fails."""
        for _ in range(most):
            if self.run("return document.activeElement.matches(arguments[0])", selector):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"{selector} is not reached by Tab")

    # Views

    def go(self, route):
        self.run("location.hash = arguments[0]", route)

    def resize(self, width, height, scheme="light", forced=False, scale=1):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": False,
        })
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "forced-colors", "value": "active" if forced else "none"},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]})

    def scrolls_sideways(self):
        return self.run(
            "const e = document.scrollingElement; return e.scrollWidth > e.clientWidth || [...document.querySelectorAll("
            "'.list-rows, .card-content, .groups, .group-lists, .place-content')].some((e) => e.scrollWidth > e.clientWidth)")

    def violations(self):
        """What axe-core finds in the present view: rule, impact, elements."""
        pattern = sys.prefix + "/lib/python3*/site-packages/axe_playwright_python/axe.min.js"
        with open(glob.glob(pattern)[0]) as source:
            # The page's policy admits no script of ours; the debugger may run one.
            self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": source.read()})
        found = self.driver.execute_async_script(
            "const done = arguments[1];"
            "axe.run(document, { runOnly: arguments[0], resultTypes: ['violations'] })"
            ".then((result) => done(result.violations))", AXE_RULES)
        return [
            (violation["id"], violation["impact"], [node["target"] for node in violation["nodes"]][:4])
            for violation in found
        ]

    def timed(self, action, condition, failure):
        """The milliseconds from an action until a condition holds."""
        start = time.monotonic()
        action()
        self.wait(condition, failure)
        return (time.monotonic() - start) * 1000
