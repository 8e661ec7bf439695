"""Checks of import and export (W4)."""

import json
import os
import tempfile
import urllib.parse

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks

PLACE = ".place-content"


def card(name, *lines):
    return "".join(f"{line}\r\n" for line in ("BEGIN:VCARD", "VERSION:3.0", f"UID:{name}", f"N:{name};;;;", f"FN:{name}", *lines, "END:VCARD"))


class TransferChecks(PageChecks):
    def named(self, name):
        return [contact for contact in self.agent.call("GET", "/v1/contacts?q=" + urllib.parse.quote(name))["contacts"] if contact["name"] == name]

    def drop(self, content, name, selector="#list"):
        """Drops a file on a part of the page, as a file manager does."""
        self.page.run(
            "const data = new DataTransfer(); data.items.add(new File([arguments[0]], arguments[1]));"
            "for (const type of ['dragover', 'drop']) document.querySelector(arguments[2]).dispatchEvent("
            "new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))", content, name, selector)

    def check_import_by_drop(self):
        page = self.page
        page.go("/")
        self.drop(card("Dropped One", "BDAY:soon") + card("Dropped Two"), "two.vcf")
        page.wait(lambda: "2 contacts are new." in page.text(PLACE), "the page does not say what will happen")
        assert "“soon” is not a date" in page.text(".report"), page.text(".report")
        assert not self.named("Dropped One"), "the page imports without being asked"
        found = self.look_at("import-preview")
        page.click("[data-key=import-start]")
        page.wait(lambda: page.all("[data-key=import-undo]"), "the import does not end")
        assert self.named("Dropped One") and self.named("Dropped Two")
        found += self.look_at("import-done")
        page.click("[data-key=import-undo]")
        page.wait(lambda: not self.named("Dropped One") and not self.named("Dropped Two"), "the import is not undone")
        assert not found, found

    def check_import_by_keyboard(self):
        page = self.page
        page.go("/")
        page.tab_to(".group[data-key='place/transfer']")
        page.press(Keys.ENTER)
        page.wait(lambda: page.all("[data-key=import-choose]"), "the place is not shown")
        page.tab_to("[data-key=import-choose]")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "keys.vcf")
            with open(path, "w") as file:
                file.write(card("Keyboard Import"))
            # The browser's dialog for files is not part of the page.
            page.one("#import-file").send_keys(path)
            page.wait(lambda: page.all("[data-key=import-start]"), "the file is not read")
            page.wait(lambda: page.run("return document.activeElement.dataset.key") == "import-start", "the button has no focus")
            page.press(Keys.ENTER)
            page.wait(lambda: self.named("Keyboard Import"), "the contact is not imported")
        self.added += [contact["id"] for contact in self.named("Keyboard Import")]

    def check_import_goes_on_in_other_views(self):
        page = self.page
        page.go("/")
        self.drop("".join(card(f"Background {number}") for number in range(2000)), "many.vcf")
        page.click(".report summary")
        # A list that scrolls is reached by keyboard.
        found = self.judge("import-many")
        page.click("[data-key=import-start]")
        page.wait(lambda: page.all("[data-key=import-stop]"), "the import does not start")
        page.go("/trash")
        self.drop(card("Another"), "another.vcf", "#place")
        self.toast("An import is running.")
        page.go("/trash")
        self.toast("The import is complete")
        assert self.named("Background 1999") and not self.named("Another")
        page.press("u")
        page.wait(lambda: not self.named("Background 0"), "the import is not undone")
        assert not found, found

    def check_import_of_known_contacts(self):
        page = self.page
        self.agent.send_file("/v1/import", card("Known Before", "NOTE:old"))
        [known] = self.named("Known Before")
        self.added.append(known["id"])
        page.go("/")
        self.drop(card("Known Before", "NOTE:new"), "known.vcf")
        page.wait(lambda: "1 contact is here with other values." in page.text(PLACE), "the page does not say what differs")
        page.run(
            "const choice = document.getElementById('import-policy'); choice.value = 'update';"
            "choice.dispatchEvent(new Event('change'))")
        page.wait(lambda: "1 contact gets the values of the file." in page.text(PLACE), "the choice is not checked again")
        page.click("[data-key=import-start]")
        page.wait(lambda: self.agent.contact(known["id"])["note"] == "new", "the contact is not updated")

    def check_import_of_nothing(self):
        page = self.page
        page.go("/")
        self.drop("This is a letter.", "letter.txt")
        page.wait(lambda: page.all("[data-key=import-again]"), "the page does not say that there are no contacts")
        found = self.look_at("import-nothing")
        page.click("[data-key=import-again]")
        page.wait(lambda: page.all("[data-key=import-choose]"), "there is no way back")
        assert not found, found

    def check_export_by_pointer(self):
        contact = self.add(firstName="Exported", lastName="Everywhere")
        page = self.page
        page.go("/transfer")
        found = self.look_at("transfer")
        with tempfile.TemporaryDirectory() as folder:
            page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
            for form, ending in (("vcard3", "vcf"), ("vcard4", "vcf"), ("jcard", "json"), ("json", "json"), ("csv", "csv")):
                page.click(f"input[value={form}]")
                page.click("[data-key=export]")
                path = os.path.join(folder, f"Contacts.{ending}")
                page.wait(lambda path=path: os.path.exists(path), f"{form} is not downloaded")
                with open(path) as file:
                    content = file.read()
                assert "Everywhere" in content, form
                if ending == "json":
                    json.loads(content)
                os.remove(path)
        assert contact and not found, found
