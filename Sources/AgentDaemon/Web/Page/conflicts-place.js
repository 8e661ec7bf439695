// Conflicts that wait for a decision.

import { avatar } from "./avatar.js";
import { read } from "./api.js";
import { closeConflictForms, conflictView } from "./conflict.js";
import { button, element, stateView } from "./elements.js";
import { ReadingPlace } from "./reading-place.js";
import { text } from "./texts.js";

/** Lists the conflicts, contact by contact. */
export default class ConflictsPlace extends ReadingPlace {
  close() {
    super.close();
    closeConflictForms();
  }

  async read() { return (await read("conflicts")).conflicts; }

  draw(conflicts) {
    const contacts = Map.groupBy(conflicts, ({ contact }) => contact);
    this.place.present(
      conflicts.length
        ? element(
          "div", { class: "place-column" }, element("p", { class: "place-intro", text: text("conflicts.intro") }),
          ...[...contacts].map(([id, found]) => this.#contact(id, found)))
        : stateView({ picture: "check", title: text("conflicts.none"), sentence: text("conflicts.none.hint") }), {
        note: conflicts.length ? text("conflicts.count", { count: conflicts.length }) : "", tools: [],
      });
    // The card of a contact leads to its conflicts.
    if (this.item) this.place.content.querySelector(`#conflicts-${CSS.escape(this.item)}`)?.scrollIntoView({ block: "nearest" });
    this.item = null;
  }

  #contact(id, conflicts) {
    const [{ name }] = conflicts;
    const isDeleted = conflicts.some((conflict) => conflict.field === "" && conflict[conflict.shown] === "deleted");
    const shown = name || text("contact.unnamed");
    return element(
      "article", { class: "panel", id: `conflicts-${id}`, "aria-labelledby": `conflicts-name-${id}` },
      element(
        "header", { class: "panel-heading" }, avatar({ id, name }),
        element("h3", { id: `conflicts-name-${id}`, text: shown, dir: "auto" }),
        button(text("history"), () => this.place.navigate.place("history", id), "quiet", {
          "aria-label": text("history.of", { name: shown }), data: { key: `history/${id}` },
        }),
        isDeleted ? null : button(text("contact.show"), () => this.place.navigate.contact(id), "quiet", {
          "aria-label": text("contact.show.one", { name: shown }), data: { key: `show/${id}` },
        })),
      ...conflicts.map((conflict) => conflictView(conflict, { resolved: () => this.refresh() })));
  }
}
