"""Checks of a contact's photo."""

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks

# A picture of 200 × 100 pixels, red on the left and blue on the right. `use` gets the file.
PICTURE = (
    "const done = arguments[0], canvas = document.createElement('canvas'), context = canvas.getContext('2d');"
    "canvas.width = 200; canvas.height = 100;"
    "for (const [left, color] of [[0, 'red'], [100, 'blue']]) { context.fillStyle = color; context.fillRect(left, 0, 100, 100); }"
    "canvas.toBlob((blob) => { const data = new DataTransfer();"
    " data.items.add(new File([blob], 'photo.png', { type: 'image/png' })); (%s)(data); done(); })")
CHOOSE = (
    "(data) => { const input = document.querySelector('.photo-editor input'); input.files = data.files;"
    " input.dispatchEvent(new Event('change')); }")
DROP = (
    "(data) => document.querySelector('#list').dispatchEvent("
    "new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))")
# Spreadsheets put a picture of the cells next to their text.
PASTE_CELLS = (
    "(data) => { data.setData('text/plain', 'Cell'); window.isPrevented = !document.activeElement.dispatchEvent("
    "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); }")
PASTE = "(data) => dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }))"


class PhotoChecks(PageChecks):
    def edit_with_picture(self, first_name, use=CHOOSE):
        """A contact in the form, with the picture in the dialog."""
        contact = self.add(firstName=first_name, lastName="Photo")
        self.show(contact)
        self.page.press("e")
        self.page.one(".photo-editor")
        self.page.driver.execute_async_script(PICTURE % use)
        self.page.wait(lambda: self.page.run("return document.activeElement.className") == "crop-view", "no part can be chosen")
        return contact

    def colors(self):
        """The colors at the left, in the middle and at the right of the photo in the form."""
        self.page.wait(
            lambda: self.page.run("return document.querySelector('.photo-editor .portrait img')?.complete"), "the photo is not shown")
        return self.page.run(
            "const image = document.querySelector('.photo-editor .portrait img'), canvas = document.createElement('canvas');"
            "canvas.width = canvas.height = 100; const context = canvas.getContext('2d'); context.drawImage(image, 0, 0, 100, 100);"
            "return [5, 50, 94].map((x) => { const [red, , blue] = context.getImageData(x, 50, 1, 1).data;"
            " return red > blue ? 'red' : 'blue'; })")

    def check_crop_photo_by_pointer(self):
        contact = self.edit_with_picture("Pia")
        page = self.page
        found = self.look_at("photo-crop")
        view = page.one(".crop-view")
        width = page.run("return arguments[0].getBoundingClientRect().width", view)
        ActionChains(page.driver).drag_and_drop_by_offset(view, int(width * 0.45), 0).perform()
        page.click("dialog .primary")
        assert self.colors()[:2] == ["red", "red"]
        photo = self.agent.contact(contact["id"])["photo"]
        assert photo["mediaType"] == "image/jpeg"
        assert page.run("return document.querySelector('.portrait img').naturalWidth") == 100, "not cut to a square"
        page.click(".photo-editor .button:nth-child(2)")
        page.wait(lambda: self.agent.contact(contact["id"])["photo"] is None, "the photo is not removed")
        page.press(Keys.ESCAPE)
        assert not found, found

    def check_crop_photo_by_keyboard(self):
        contact = self.edit_with_picture("Pelle", PASTE)
        page = self.page
        page.press("+", "+", "+")
        page.press(*[Keys.ARROW_RIGHT] * 30)
        page.press(Keys.ENTER)
        assert self.colors() == ["blue", "blue", "blue"]
        # Zoomed three times: the part has fewer pixels.
        assert 60 <= page.run("return document.querySelector('.portrait img').naturalWidth") < 70
        page.press(Keys.ESCAPE)
        page.wait(lambda: page.all(".card-view .portrait img"), "the card does not show the photo")
        assert self.agent.contact(contact["id"])["photo"]

    def check_crop_photo_and_cancel(self):
        contact = self.edit_with_picture("Paula", DROP)
        page = self.page
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all("dialog[open]"), "Escape does not close the dialog")
        assert page.all(".form"), "Escape closes the form too"
        assert self.agent.contact(contact["id"])["photo"] is None
        page.press(Keys.ESCAPE)

    def check_pasted_cells_are_a_text(self):
        page = self.page
        self.show(self.add(firstName="Petra", lastName="Paste"))
        page.press("e")
        page.wait(lambda: self.focus_is("[name=firstName]"), "the form has not the focus")
        page.driver.execute_async_script(PICTURE % PASTE_CELLS)
        assert not page.run("return isPrevented"), "the text is not pasted"
        assert not page.all("dialog[open]"), "the picture of the cells is taken as the photo"

    def check_paste_into_a_dialog_is_not_for_the_form(self):
        page = self.page
        self.edit_with_picture("Pim")
        page.driver.execute_async_script(PICTURE % PASTE)
        assert len(page.all("dialog[open]")) == 1, "a second photo is shown"
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all("dialog[open]"), "Escape does not close the dialog")
