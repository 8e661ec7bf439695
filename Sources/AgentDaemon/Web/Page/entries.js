// The phones, e-mails, addresses and other lists of a form.

import { element, icon, iconButton } from "./elements.js";
import { entryLists, usualLabels } from "./fields.js";
import { fieldBox } from "./form-fields.js";
import { text } from "./texts.js";
import { announce } from "./toasts.js";

const keyboards = { phones: "tel", emails: "email", urls: "url" };

/** Edits one list of entries of a draft. */
export class EntryEditor {
  #rows = new Map();

  constructor(list, draft) {
    Object.assign(this, { list, draft, parts: entryLists[list] });
    this.rows = element("div", { class: "entries" });
    this.node = element(
      "fieldset", { class: "entry-list" }, element("legend", { text: text(`list.${list}`) }),
      element("datalist", { id: `labels-${list}` }, ...usualLabels[list].map((label) => element("option", { value: label }))),
      this.rows,
      element(
        "button", { type: "button", class: "button add-entry", on: { click: () => this.#add() } },
        icon("add"), text(`list.${list}.add`)));
    this.update();
  }

  /**
   * Adds rows for new entries of the draft, and removes those of entries that are gone. The focus goes on in the row of
   * an entry that got another id: `moved` has the new ones by `LIST/ID`.
   */
  update(moved = {}) {
    const ids = this.draft.entries(this.list);
    const place = this.#typingPlace(moved);
    for (const [id, row] of this.#rows) {
      if (ids.includes(id)) continue;
      row.node.remove();
      this.#rows.delete(id);
    }
    for (const id of ids) {
      if (this.#rows.has(id)) continue;
      const row = this.#row(id);
      this.#rows.set(id, row);
      this.rows.append(row.node);
    }
    if (!place) return;
    const { input } = this.#rows.get(place.id).boxes[place.part];
    input.focus();
    input.setSelectionRange(place.start, place.end);
  }

  /** Where the user is typing in a row that gets another id. */
  #typingPlace(moved) {
    const { activeElement: input } = document;
    const [list, id, part] = input?.name?.split("/") ?? [];
    const newId = moved[`${list}/${id}`];
    return list === this.list && newId ? { id: newId, part, start: input.selectionStart, end: input.selectionEnd } : null;
  }

  get allBoxes() { return [...this.#rows.values()].flatMap((row) => Object.values(row.boxes)); }

  /** The field with a path, `phones/ENTRY/value`. */
  box(path) {
    const [list, id, part] = path.split("/");
    return list === this.list ? this.#rows.get(id)?.boxes[part] : undefined;
  }

  /** The field of an added entry that has a value. */
  boxOfNew(part, value) {
    for (const [id, { boxes }] of this.#rows) {
      if (id.startsWith("new-") && boxes[part]?.input.value === value) return boxes[part];
    }
    return undefined;
  }

  #row(id) {
    const boxes = {};
    const box = (part, label, choices) => {
      const path = `${this.list}/${id}/${part}`;
      boxes[part] = fieldBox({
        name: path, label, value: this.draft.text(path), compact: true, choices,
        keyboard: part === "value" ? keyboards[this.list] : null,
        onInput: (value) => this.draft.set(path, value),
      });
      return boxes[part].node;
    };
    const label = box("label", text("field.label"), this.list);
    const values = this.parts.map((part) => box(part, part === "value" ? text(`list.${this.list}.one`) : text(`field.${part}`)));
    const name = text(`list.${this.list}.one`);
    const node = element(
      "div", { class: `entry ${this.parts.length > 1 ? "wide" : ""}`, role: "group", "aria-label": name },
      label, element("div", { class: "entry-values" }, ...values),
      iconButton("close", text("list.remove", { name }), () => this.#remove(id), { class: "quiet" }));
    return { node, boxes };
  }

  #add() {
    const used = this.draft.entries(this.list).map((id) => this.draft.text(`${this.list}/${id}/label`));
    const label = usualLabels[this.list].find((candidate) => !used.includes(candidate)) ?? "";
    const id = this.draft.addEntry(this.list, label);
    this.update();
    this.#rows.get(id).boxes[this.parts[0]].input.focus();
  }

  #remove(id) {
    this.draft.removeEntry(this.list, id);
    this.update();
    this.node.querySelector(".add-entry").focus();
    announce(text("list.removed"));
  }
}
