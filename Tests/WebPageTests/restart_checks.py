"""Checks of a page whose agent restarts: with its socket, without, and with another program in its place (N4, H1)."""

import contextlib
import itertools
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from check_run import LeftOut
from page_checks import PageChecks

# Each check has a device of its own, also for a second time.
DEVICES = (f"porch-{number}" for number in itertools.count(1))
GONE = "No answer from the agent"


class RestartChecks(PageChecks):
    def check_page_continues_where_the_socket_was_kept(self):
        """The service manager holds the port while the agent is away."""
        device = next(DEVICES)
        with self.managed(device) as manager, self.page_of(device) as page:
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
        """The agent has a new address. The page offers what the agent does not have, and a new one has the rest."""
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
            link = household.link(device)
            self.pass_a_minute(page)
            page.wait(lambda: page.text(".whole-page .copy-line code") == "contactsctl open", "the page does not say what to do")
            unsent = page.text(".unsent-text pre")
            assert unsent == "First name: Nils\nNote: Before and after", page.text(".whole-page")
            assert not page.violations(), page.violations()
            self.allow_clipboard(page)
            page.click(".unsent-text .button")
            page.wait(lambda: page.text(".unsent-text .copied") == "Copied.", "the text cannot be copied")
            assert page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])") == unsent
            assert self.notes_at(agent) == ["Before"], "the old page still sends"
            page.driver.switch_to.new_window("tab")
            page.driver.get(link)
            page.wait(lambda: page.all("#list .row, #list [role=option]"), "the new page does not open")
            page.press("g", "w")
            page.wait(lambda: "Note: Before" in page.text(".draft-row"), "the new page does not list the draft")

    def check_page_stops_looking_for_an_agent_that_stays_away(self):
        household, device = self.household, next(DEVICES)
        household.start(device, account="ada")
        with self.page_of(device) as page:
            agent = household.agent(device)
            self.type_note(page, "Before")
            page.wait(lambda: self.notes_at(agent) == ["Before"], "the text is not sent")
            household.kill(device)
            page.wait(lambda: page.text(".status-label") == GONE, "the page does not say it")
            page.one("[name=note]").send_keys(" and after")
            self.pass_a_minute(page)
            page.wait(lambda: page.text(".whole-page h2") == "The agent does not answer", "the page asks without an end")
            assert page.text(".whole-page .copy-line code") == "contactsctl open"
            assert "Note: Before and after" in page.text(".unsent-text pre")
            page.click(".state-actions .button")
            assert page.all(".whole-page"), "the page forgets the text"
            # A new agent has a new address, which it does not know.
            household.start(device, account="ada")
            page.click(".state-actions .button")
            assert "Note: Before and after" in page.text(".unsent-text pre"), "the page forgets the text"

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
            with stranger(*address_of(page.driver.current_url)) as requests:
                page.wait(lambda: page.all(".unsent-text"), "the page takes the other program for its agent")
                page.wait(lambda: requests, "the page does not ask")
                for line, content in requests:
                    assert line.startswith("POST /web/proof "), line
                    assert token not in content and "secret" not in content and "Before" not in content, content
            assert "Note: Before secret" in page.text(".unsent-text pre")

    # Parts

    @staticmethod
    def pass_a_minute(page):
        page.run("const now = performance.now.bind(performance); performance.now = () => now() + 61_000")

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


def address_of(url):
    """The host and the port of a page's address."""
    parts = urllib.parse.urlsplit(url)
    return parts.hostname, parts.port


@contextlib.contextmanager
def stranger(host, port):
    """A program at an address that records each request, with all that was sent."""
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

    server = ThreadingHTTPServer((host, port), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield requests
    finally:
        server.shutdown()
        server.server_close()
