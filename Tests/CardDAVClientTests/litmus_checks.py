"""Checks with litmus, one for each suite (D1)."""

from client_checks import ClientChecks
from litmus import EXCEPTIONS, Litmus

BOOK = "litmus"


class LitmusChecks(ClientChecks):
    def perform_suite(self, suite):
        self.ending.callback(self.delete_book)
        results = Litmus(self.new_folder("litmus"), self.server()).results(suite)
        # Without a book, litmus ends after the test “begin”.
        assert "finish" in {name for name, _, _ in results}, results
        bad = {name: (result, why) for name, result, why in results if result != "pass"}
        failed = {name: outcome for name, outcome in bad.items() if name not in EXCEPTIONS[suite]}
        assert not failed, failed
        outdated = EXCEPTIONS[suite].keys() - bad.keys()
        assert not outdated, f"these pass, so they are no exceptions: {outdated}"
        return f"{len(results) - len(bad)} of {len(results)} tests"

    def delete_book(self):
        """litmus leaves its book, because a server does not delete groups for clients."""
        for group in self.groups():
            if group["title"] == BOOK:
                self.delete_group("laptop", group["id"])

    def check_litmus_basic(self):
        return self.perform_suite("basic")

    def check_litmus_copymove(self):
        return self.perform_suite("copymove")

    def check_litmus_props(self):
        return self.perform_suite("props")

    def check_litmus_http(self):
        return self.perform_suite("http")
