"""Checks of duplicates (W4)."""

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks

PLACE = ".place-content"


class DuplicateChecks(PageChecks):
    def pair(self, first_name, digits):
        kept = self.add(
            firstName=first_name, lastName="Twin", company="Twin Works", phones=[{"label": "mobile", "value": f"+46 70 555 {digits}"}])
        given = self.add(
            firstName=first_name, lastName="Twin", company="Other Works", birthday="1984-06-05",
            phones=[{"label": "home", "value": f"+4670555{digits}"}], emails=[{"label": "", "value": f"{first_name}@example.org"}])
        return kept, given

    def check_merge_by_pointer(self):
        one, other = self.pair("Tove", "1234")
        page = self.page
        page.go("/duplicates")
        page.wait(lambda: "Tove Twin" in page.text(PLACE), "the pair is not listed")
        assert "Same phone" in page.text(PLACE), page.text(PLACE)
        found = self.look_at("duplicates")
        page.click("[data-key^='compare/']")
        page.wait(lambda: page.all(".pair .side"), "the pair is not compared")
        found += self.look_at("duplicates-pair")
        page.click(f"input[value='{other['id']}']")
        page.wait(lambda: "Company “Twin Works” goes to: Note." in page.text(PLACE), page.text(PLACE))
        promised = page.text(".panel .lines")
        # One number in two notations is one.
        assert promised.count("555") == 1, promised
        page.click("[data-key=merge]")
        page.wait(lambda: not self.agent.exists(one["id"]), "the contacts are not merged")
        merged = self.agent.contact(other["id"])
        assert "Twin Works" in merged["note"] and merged["company"] == "Other Works"
        for text in (merged["note"], merged["phones"][0]["value"], "Tove@example.org"):
            assert text in promised, (text, promised)
        page.click(".toast .button")
        page.wait(lambda: self.agent.exists(one["id"]), "the merge is not undone")
        self.agent.call("DELETE", f"/v1/contacts/{one['id']}?acknowledged=true")
        assert not found, found

    def check_preview_is_what_the_merge_gives(self):
        """Each notation of a number, and each case of an address, is folded as the agent folds it."""
        fields = {"firstName": "Tage", "lastName": "Twin"}
        one = self.add(**fields, phones=[{"label": "", "value": "+46 (0)70 555 98 76"}, {"label": "", "value": "070-1112233"}],
                       emails=[{"label": "", "value": "Tage@Example.org"}], urls=[{"label": "", "value": "https://example.org/"}])
        other = self.add(**fields, phones=[{"label": "", "value": "0046705559876"}, {"label": "", "value": "(070) 111 22 33"}],
                         emails=[{"label": "", "value": "tage@example.org"}], urls=[{"label": "", "value": "https://example.org"}])
        page = self.page
        page.go(f"/duplicates/{one['id']}+{other['id']}")
        page.wait(lambda: page.all(".panel .lines"), "the pair is not compared")
        promised = sorted(line.text for line in page.all(".panel .lines dd"))
        page.click("[data-key=merge]")
        page.wait(lambda: not self.agent.exists(other["id"]), "the contacts are not merged")
        page.go(f"/contact/{one['id']}")
        merged = self.agent.contact(one["id"])
        lists = [entry["value"] for name in ("phones", "emails", "urls") for entry in merged[name]]
        assert promised == sorted([merged["firstName"], merged["lastName"], *lists]), (promised, lists)

    def check_merge_by_keyboard(self):
        one, other = self.pair("Ture", "4321")
        page = self.page
        page.go("/")
        page.tab_to(".group[data-key='place/duplicates']")
        page.press(Keys.ENTER)
        page.wait(lambda: "Ture Twin" in page.text(PLACE), "the pair is not listed")
        page.tab_to("[data-key^='compare/']")
        page.press(Keys.ENTER)
        page.wait(lambda: page.all(".pair .side"), "the pair is not compared")
        page.tab_to(".pair input:checked")
        kept = page.run("return document.activeElement.value")
        page.press(Keys.ARROW_DOWN)
        page.wait(lambda: page.run("return document.activeElement.value") not in ("", kept), "the arrow does not choose the other contact")
        page.tab_to("[data-key=merge]")
        page.press(Keys.ENTER)
        page.wait(lambda: self.agent.exists(one["id"]) != self.agent.exists(other["id"]), "the contacts are not merged")
        assert not self.agent.exists(kept)
        page.wait(lambda: "Ture Twin" not in page.text(PLACE), "the pair is still listed")
