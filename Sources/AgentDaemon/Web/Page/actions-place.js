// What this device has changed: each action can be undone, also after a restart.

import { read } from "./api.js";
import { button, element, icon, stateView } from "./elements.js";
import { ReadingPlace } from "./reading-place.js";
import { formats, hasText, text } from "./texts.js";
import { undo } from "./undo.js";

const pictures = {
  add: "add", edit: "edit", delete: "delete", restore: "history", undo: "history", import: "transfer", addGroup: "people",
  renameGroup: "people", deleteGroup: "people", merge: "duplicates", resolve: "conflict", move: "people",
};

/** Lists the last hundred actions. */
export default class ActionsPlace extends ReadingPlace {
  async read() { return (await read("actions")).actions; }

  draw(actions) {
    this.place.present(
      actions.length
        ? element("ul", { class: "cards" }, ...actions.map((action) => this.#row(action)))
        : stateView({ picture: "history", title: text("actions.none"), sentence: text("actions.none.hint") }),
      { note: text("actions.note"), tools: [] });
  }

  #row({ id, kind, name, count, time, undoneBy }) {
    const key = `action.${hasText(`action.${kind}`) ? kind : "several"}`;
    const one = text(key, { name: name || text("contact.unnamed") });
    const sentence = count > 1 ? text("action.more", { sentence: one, count: count - 1 }) : one;
    return element(
      "li", { class: undoneBy === null ? "card-row" : "card-row undone" },
      element("span", { class: "row-picture" }, icon(pictures[kind] ?? "edit")),
      element(
        "div", { class: "row-texts" }, element("span", { class: "row-name", text: sentence, dir: "auto" }),
        element("span", { class: "row-second", text: formats.shortMoment(time) })),
      undoneBy === null
        ? button(text(kind === "undo" ? "redo" : "undo"), () => this.#undo(id), "", {
          "aria-label": text(kind === "undo" ? "redo.one" : "undo.one", { sentence }), data: { key: `undo/${id}` },
        })
        : element("span", { class: "mark", text: text("actions.undone") }));
  }

  async #undo(id) {
    await undo(id);
    await this.refresh();
  }
}
