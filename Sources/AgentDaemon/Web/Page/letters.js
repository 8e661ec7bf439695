// The letters next to the list: a jump to each section.

import { element, icon } from "./elements.js";
import { text } from "./texts.js";

// The sections before the letters.
const pictures = { owncard: "person", favorites: "star" };

/** A toolbar with one button for each section; the arrow keys move in it, as one stop of the Tab key. */
export class JumpLetters {
  #labels = "";
  #current = 0;

  constructor({ onJump }) {
    this.onJump = onJump;
    this.node = element("div", {
      class: "letters", role: "toolbar", "aria-orientation": "vertical", "aria-label": text("list.letters"),
      on: { keydown: (event) => this.#pressed(event) },
    });
  }

  /** Shows the letters of `sections`; none if there is only one. */
  show(sections) {
    const labels = sections.map((section) => section.label).join("\n");
    if (labels === this.#labels) return;
    this.#labels = labels;
    this.node.hidden = sections.length < 2;
    this.node.replaceChildren(...sections.map((section, number) => element("button", {
      type: "button", class: "letter", tabindex: "-1",
      "aria-label": text("list.jump", { letter: section.label, count: section.contacts }),
      on: { click: () => this.onJump(number) },
    }, section.kind ? icon(pictures[section.kind]) : section.label)));
    this.mark(0);
  }

  /** Marks the section that is at the top of the list. */
  mark(number) {
    const buttons = this.node.children;
    if (number < 0 || number >= buttons.length) return;
    buttons[this.#current]?.setAttribute("tabindex", "-1");
    buttons[this.#current]?.classList.remove("current");
    this.#current = number;
    buttons[number].setAttribute("tabindex", "0");
    buttons[number].classList.add("current");
  }

  #pressed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = this.node.children[this.#current + step];
    if (!step || !next) return;
    event.preventDefault();
    event.stopPropagation();
    const number = this.#current + step;
    this.onJump(number);
    this.mark(number);
    next.focus();
  }
}
