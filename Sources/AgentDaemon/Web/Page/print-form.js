// A list on paper.

import { button, element } from "./elements.js";
import { groupChoice } from "./group-choice.js";
import { printList } from "./print-list.js";
import { text } from "./texts.js";

/** Chooses the contacts of a printed list. */
export class PrintForm {
  constructor() {
    this.group = groupChoice("print-group");
    this.node = element(
      "section", { class: "panel", "aria-labelledby": "print-title" },
      element("header", { class: "panel-heading" }, element("h3", { id: "print-title", text: text("print.title") })),
      element("p", { class: "hint", text: text("print.hint") }), this.group.box,
      element("div", { class: "form-actions" }, button(text("print"), () => printList({ group: this.group.value() }), "", { data: { key: "print" } })));
  }

  show(groups) { this.group.show(groups); }
}
