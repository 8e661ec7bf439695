"""Checks of what the printer gets."""

import base64
import os
import subprocess
import tempfile

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks

LONG = "Annika-Alexandra Emilia von und zu Hohenstein-Weissenfels-Wolkenburg the Elder of the Northern Shores"


class PrintChecks(PageChecks):
    def printed(self, name):
        """The text of each page on paper. Keeps pictures of the pages, if there is a folder for them."""
        result = self.page.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "paperWidth": 8.27, "paperHeight": 11.69})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.pdf")
            with open(path, "wb") as file:
                file.write(base64.b64decode(result["data"]))
            if self.pictures:
                subprocess.run(["pdftoppm", "-png", "-r", "60", "-l", "3", path, os.path.join(self.pictures, f"print-{name}")], check=True)
            text = subprocess.run(["pdftotext", "-layout", path, "-"], check=True, capture_output=True, text=True).stdout
        return text.rstrip("\f").split("\f")

    def check_print_card(self):
        contact = self.add(
            firstName=LONG, company="Works", note="\n".join(f"Line {number} of the note." for number in range(120)),
            phones=[{"label": "home", "value": "+1 555 0100"}], emails=[{"label": "", "value": "print@example.org"}],
            addresses=[{"label": "work", "street1": "Main Street 1", "city": "Austin"}])
        self.show(contact)
        pages = self.printed("card")
        whole = "\n".join(pages)
        for part in ("Annika-Alexandra", "+1 555 0100", "print@example.org", "Main Street 1", "Line 0 of", "Line 119 of"):
            assert part in whole, (part, whole)
        assert "Search" not in whole and "Call" not in whole and "Trash" not in whole, whole
        assert "Line 0 of" in pages[0] and 2 <= len(pages) <= 3, pages

    def check_print_list(self):
        self.add(firstName="Pär", lastName="Printed", company="Paper Works", emails=[{"label": "", "value": "par@example.org"}])
        for number in range(60):
            self.added.append(self.agent.add(firstName=f"Number {number:02}", lastName="Listed", phones=[{"label": "", "value": f"+1 555 {number:04}"}])["id"])
        page = self.page
        page.go("/transfer")
        # The browser's dialog is not part of the page: the list waits for it.
        page.run("window.print = () => { window.isPrinting = true; }")
        page.one("[data-key=print]")
        page.tab_to("[data-key=print]")
        page.press(Keys.ENTER)
        page.wait(lambda: page.run("return window.isPrinting"), "the list is not printed")
        pages = self.printed("list")
        whole = "\n".join(pages)
        for part in ("All contacts", "Pär Printed", "par@example.org", "Number 00 Listed", "Number 59 Listed"):
            assert part in whole, (part, whole)
        assert "Import" not in whole, whole
        page.run("dispatchEvent(new Event('afterprint'))")
        page.wait(lambda: not page.all("#print-sheet"), "the printed list stays in the page")

    def check_print_key_in_list(self):
        page = self.page
        page.go("/")
        page.run("window.isPrinting = false; window.print = () => { window.isPrinting = true; }")
        page.press("/")
        page.press("Tanager")
        page.wait(lambda: len(page.all(".row")) == 1, "the search finds nothing")
        page.press_together(Keys.CONTROL, "p")
        page.wait(lambda: page.run("return window.isPrinting"), "the list is not printed")
        assert "Ivo Tanager" in page.run("return document.querySelector('#print-sheet li').textContent")
        assert page.run("return document.querySelectorAll('#print-sheet li').length") == 1
        page.run("dispatchEvent(new Event('afterprint'))")
        page.press(Keys.ESCAPE)
