// A question before something that cannot be undone.

import { button, element } from "./elements.js";
import { text } from "./texts.js";

/** Asks, and returns whether the user chose `action`. The focus begins on the button that changes nothing. */
export function confirmed({ title, sentence, action }) {
  return new Promise((resolve) => {
    const close = (answer) => dialog.close(answer);
    const dialog = element(
      "dialog",
      {
        class: "dialog", role: "alertdialog", "aria-labelledby": "question-title", "aria-describedby": "question-text",
        on: { close: () => { dialog.remove(); resolve(dialog.returnValue === "yes"); } },
      },
      element("h2", { id: "question-title", text: title, dir: "auto" }),
      element("p", { id: "question-text", text: sentence, dir: "auto" }),
      element(
        "div", { class: "form-actions" }, button(text("cancel"), () => close("no"), "", { autofocus: true }),
        button(action, () => close("yes"), "danger")));
    document.body.append(dialog);
    dialog.showModal();
  });
}
