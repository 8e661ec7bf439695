"""Checks of a page whose agent restarts: with its socket, without, and with another program in its place (N4, H1)."""

import contextlib
import itertools
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from check_run import LeftOut
from page_checks import PageChecks
from service_manager import ServiceManager

# Each check has a device of its own, also for a second time.
DEVICES = (f"porch-{number}" for number in itertools.count(1))
GONE = "No answer from the agent"


class RestartChecks(PageChecks):
    def check_page_continues_where_the_socket_was_kept(self):
        """Without the setting “web”: the service manager holds the port while the agent is away."""
        device = next(DEVICES)
        with self.managed(device) as manager, self.page_of(device) as page:
            manager.wait_for("FDSTORE=1")
            agent = self.household.agent(device)
            self.type_note(page, "Before")
            page.wait(lambda: agent.call("GET", "/v1/drafts")["drafts"], "the text is not sent")
            manager.kill()
            page.wait(lambda: page.text(".status-label") == GONE, "the page does not say it")
            page.one("[name=note]").send_keys(" and after")
            manager.start()
            page.wait(lambda: page.text(".status-label") != GONE, "the page does not continue")
            page.wait(lambda: self.notes_at(agent) == ["Before and after"], "what was typed meanwhile is not sent")
            assert page.value("note") == "Before and after"
            page.click(".form-heading .primary")
            page.wait(lambda: page.all(".card-view"), "the form cannot be saved")
            page.wait(lambda: not self.notes_at(agent), "the draft is still there")

    def check_old_page_after_a_restart_says_contactsctl_open(self):
        """The restart ends the session. The page offers what the agent does not have, and a new one has the rest."""
        household, device = self.household, next(DEVICES)
        household.start(device, account="ada")
        with self.page_of(device) as page:
            agent = household.agent(device)
            self.type_note(page, "Before")
            page.wait(lambda: self.notes_at(agent) == ["Before"], "the text is not sent")
            household.kill(device)
            page.wait(lambda: page.text(".status-label") == GONE, "the page does not say it")
            page.one("[name=note]").send_keys(" and after")
            household.start(device, account="ada")
            # The port is the same, and so is the browser; the session is not.
            link = household.link(device)
            page.wait(lambda: page.text(".whole-page .copy-line code") == "contactsctl open", "the page does not say what to do")
            unsent = page.text(".unsent-text pre")
            assert unsent == "First name: Nils\nNote: Before and after", page.text(".whole-page")
            assert not page.violations(), page.violations()
            self.allow_clipboard(page)
            page.click(".unsent-text .button")
            page.wait(lambda: page.text(".unsent-text .copied") == "Copied.", "the text cannot be copied")
            assert page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])") == unsent
            sent = page.run("return performance.getEntriesByType('resource').length")
            assert self.notes_at(agent) == ["Before"], "the old page still sends"
            page.driver.switch_to.new_window("tab")
            page.driver.get(link)
            page.wait(lambda: page.all("#list .row, #list [role=option]"), "the new page does not open")
            page.press("g", "w")
            page.wait(lambda: "Note: Before" in page.text(".draft-row"), "the new page does not list the draft")
            first, *_ = page.driver.window_handles
            page.driver.switch_to.window(first)
            assert page.run("return performance.getEntriesByType('resource').length") == sent, "the old page still sends"
            # A new link in the old tab sends what it had kept.
            page.driver.get(household.link(device))
            page.wait(lambda: "Before and after" in self.notes_at(agent), "the old tab does not send what it has kept")

    def check_page_stops_looking_for_an_agent_that_stays_away(self):
        household, device = self.household, next(DEVICES)
        household.start(device, account="ada")
        with self.page_of(device) as page:
            agent = household.agent(device)
            agent.call("PUT", "/v1/settings/web", {"value": "on"})
            self.type_note(page, "Before")
            page.wait(lambda: self.notes_at(agent) == ["Before"], "the text is not sent")
            household.kill(device)
            page.wait(lambda: page.text(".status-label") == GONE, "the page does not say it")
            page.one("[name=note]").send_keys(" and after")
            # A minute passes.
            page.run("const now = performance.now.bind(performance); performance.now = () => now() + 61_000")
            page.wait(lambda: page.text(".whole-page h2") == "The agent does not answer", "the page asks without an end")
            assert page.text(".whole-page .copy-line code") == "contactsctl open"
            assert "Note: Before and after" in page.text(".unsent-text pre")
            page.click(".state-actions .button")
            assert page.all(".whole-page"), "the page forgets the text"
            household.start(device, account="ada")
            page.click(".state-actions .button")
            page.wait(lambda: page.value("note") == "Before and after", "the page does not continue")
            page.wait(lambda: self.notes_at(agent) == ["Before and after"], "what was typed meanwhile is not sent")

    def check_page_sends_nothing_to_another_program(self):
        """Another program takes the port while the agent is away."""
        household, device = self.household, next(DEVICES)
        if household.files:
            raise LeftOut("The files come from another port than the agent's.")
        household.start(device, account="ada")
        with self.page_of(device) as page:
            agent = household.agent(device)
            self.type_note(page, "Before")
            page.wait(lambda: self.notes_at(agent) == ["Before"], "the text is not sent")
            token = page.run("return sessionStorage.getItem('session')")
            household.kill(device)
            page.wait(lambda: page.text(".status-label") == GONE, "the page does not say it")
            page.one("[name=note]").send_keys(" secret")
            port = int(page.driver.current_url.split(":")[2].split("/")[0])
            with stranger(port) as requests:
                page.wait(lambda: page.all(".unsent-text"), "the page takes the other program for its agent")
                page.wait(lambda: requests, "the page does not ask")
                for line, content in requests:
                    assert line.startswith("POST /web/proof "), line
                    assert token not in content and "secret" not in content and "Before" not in content, content
            assert "Note: Before secret" in page.text(".unsent-text pre")

    # Parts

    @contextlib.contextmanager
    def managed(self, device):
        """An agent that is started as systemd does, with an account of its own."""
        household = self.household
        program = os.path.join(household.programs, "contactsd")
        manager = ServiceManager(
            [program, "--state", household.path(device), "--device", device, "--socket", household.path(f"{device}.sock"),
             "--broker", household.path("broker.sock"), "--account", "ada"], household.path(f"{device}.log"))
        manager.start()
        try:
            yield manager
        finally:
            manager.close()

    @staticmethod
    def type_note(page, text):
        page.wait(lambda: page.all("#list .row, #list [role=option]"), "the list does not load")
        page.press("n")
        page.fill("firstName", "Nils")
        page.fill("note", text)

    @staticmethod
    def notes_at(agent):
        return [draft["texts"]["note"] for draft in agent.call("GET", "/v1/drafts")["drafts"]]

    @staticmethod
    def allow_clipboard(page):
        for name in ("clipboard-read", "clipboard-write"):
            page.command("Browser.setPermission", permission={"name": name}, setting="granted")


@contextlib.contextmanager
def stranger(port):
    """A program at a port that records each request, with all that was sent."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            requests.append((self.requestline, f"{self.headers}{body}"))
            content = b'{"proofs":["0"]}'
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield requests
    finally:
        server.shutdown()
        server.server_close()
