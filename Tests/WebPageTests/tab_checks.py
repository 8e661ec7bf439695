"""Checks of several tabs."""

from page_checks import PageChecks


class TabChecks(PageChecks):
    def check_twelve_tabs(self):
        contact = self.add(firstName="Tab", lastName="0")
        page = self.page
        address = page.driver.current_url.split("#")[0]
        session = page.run("return sessionStorage.getItem('session')")
        first = page.driver.current_window_handle
        try:
            for _ in range(11):
                page.driver.switch_to.new_window("tab")
                page.driver.get(address + "style.css")
                page.run("sessionStorage.setItem('session', arguments[0])", session)
                page.driver.get(f"{address}#/contact/{contact['id']}")
                page.wait(lambda: page.text("#card-name") == "Tab 0", "a tab does not load")
            self.other.change(contact["id"], lastName="1")
            for handle in page.driver.window_handles:
                if handle == first:
                    continue
                page.driver.switch_to.window(handle)
                page.wait(lambda: page.text("#card-name") == "Tab 1", "a tab does not hear of a change")
        finally:
            for handle in page.driver.window_handles:
                if handle != first:
                    page.driver.switch_to.window(handle)
                    page.driver.close()
            page.driver.switch_to.window(first)
