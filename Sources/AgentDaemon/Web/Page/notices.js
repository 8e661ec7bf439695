// Notices inside a place.

import { button, element, icon } from "./elements.js";
import { text } from "./texts.js";

/** Returns the notice that the broker did not answer, so that something may be missing, with a button to read again. */
export function incompleteNotice(sentence, retry) {
  return element(
    "div", { class: "notice place-notice" }, icon("alert"), element("p", { text: sentence }),
    button(text("retry"), retry, "", { data: { key: "incomplete" } }));
}
