// The form that adds or edits a contact, in the place of the card.

import { ApiError, call, read } from "./api.js";
import { draftProblem } from "./draft-problem.js";
import { button, element, icon } from "./elements.js";
import { EntryEditor } from "./entries.js";
import { isFavorite, toggled } from "./favorites.js";
import { entryLists, lineFields, moreNameFields, nameFields, otherFields, textFields, workFields } from "./fields.js";
import { fieldBox, showProblem, showTheirs } from "./form-fields.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";
import { announce } from "./toasts.js";

const tallFields = ["note", ...lineFields];

/** A form on a draft. `actions` has `saved(form, contact, undoAction)` and `cancel()`. */
export class ContactForm {
  #boxes = new Map();
  #saving = false;
  /** The number of the action that took the contact out of the trash before it was saved, or null. */
  restoration = null;

  constructor(draft, { groups, photo = null, actions }) {
    Object.assign(this, { draft, groups, actions });
    this.summary = element("div", { class: "form-summary", role: "alert" });
    this.lists = Object.keys(entryLists).map((list) => new EntryEditor(list, draft));
    this.saveButton = element("button", { class: "button primary", text: text("save") });
    this.node = element(
      "form",
      {
        class: "form", novalidate: true, "aria-label": text(draft.isNew ? "contact.new" : "contact.edit"),
        on: { submit: (event) => { event.preventDefault(); this.save(); } },
      },
      element(
        "header", { class: "form-heading" },
        element("h2", { text: text(draft.isNew ? "contact.new" : "contact.edit") }),
        element("div", { class: "form-actions" }, button(text("cancel"), () => actions.cancel()), this.saveButton)),
      this.summary, draftProblem(draft.writer), photo, this.#names(),
      this.#fieldset("form.work", workFields), ...this.lists.map((list) => list.node),
      this.#fieldset("form.other", otherFields), this.#choices());
    for (const type of ["click", "mousedown", "keydown"]) {
      this.node.addEventListener(type, (event) => this.#holdBack(event), { capture: true });
    }
  }

  /** Puts the focus into the first field. */
  focus() { this.node.querySelector("input[name=firstName]")?.focus(); }

  async save() {
    if (this.#saving) return;
    const body = this.draft.body();
    if (!this.draft.isNew && Object.keys(body).length === 0) {
      this.actions.cancel();
      return;
    }
    this.#setSaving(true);
    this.#clearProblems();
    try {
      await this.#send(body);
    } catch (error) {
      if (error instanceof SessionEnded) return;
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "serverRecordChanged") await this.#mergeAfterConflict();
      else this.#show(error);
    } finally {
      this.#setSaving(false);
    }
  }

  async #send(body) {
    const { draft } = this;
    const key = await draft.keyOf(body);
    const reply = draft.isNew
      ? await call("POST", "contacts", { body, key })
      : await call("PATCH", `contacts/${draft.id}`, { body, version: draft.version, key });
    draft.remove();
    this.actions.saved(this, reply.data, reply.headers.get("Undo-Action"));
  }

  /** Takes in what another device has changed; the user's texts stay. Returns how many fields have two texts now. */
  merge(contact, author) {
    if (contact.version === this.draft.version) return 0;
    const { taken, differing, moved } = this.draft.merge(contact);
    for (const list of this.lists) list.update(moved);
    for (const path of taken) this.#update(path);
    for (const [path, value] of Object.entries(differing)) {
      const box = this.#box(path);
      if (box) showTheirs(box, value, author, () => { this.#take(path, value); });
    }
    const count = Object.keys(differing).length;
    if (count) announce(text("form.differing", { count, device: author }));
    else if (taken.length) announce(text("form.taken", { device: author }));
    if (count + taken.length) {
      this.summary.replaceChildren(element("p", {
        class: "notice", text: text(count ? "form.differing" : "form.taken", { count, device: author }), dir: "auto",
      }));
    }
    return count;
  }

  async #mergeAfterConflict() {
    const contact = await read(`contacts/${this.draft.id}`);
    const by = contact.modifiedBy;
    this.merge(contact, by.deviceName ?? by.device);
    this.#askToSaveAgain();
  }

  #askToSaveAgain() {
    this.summary.append(element("p", { class: "notice", text: text("form.again") }));
    this.saveButton.focus();
  }

  /** Takes the contact out of the trash, with its photo and all that the form does not show, and saves. */
  async #restore() {
    if (this.#saving) return;
    this.#setSaving(true);
    try {
      const { data, headers } = await call("POST", `trash/${this.draft.id}/restore`, { key: crypto.randomUUID() });
      this.restoration = headers.get("Undo-Action");
      const count = this.merge(data, data.modifiedBy.deviceName ?? data.modifiedBy.device);
      if (count) return this.#askToSaveAgain();
    } catch (error) {
      if (error instanceof SessionEnded) return;
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== "unknownItem") return this.#show(error);
      // It was erased from the trash too.
      this.draft.becomeNew();
    } finally {
      this.#setSaving(false);
    }
    await this.save();
  }

  #take(path, value) {
    this.draft.set(path, value);
    this.#update(path);
  }

  #update(path) {
    const box = this.#box(path);
    if (!box) return;
    if (path === "categories") this.#showFavorite();
    if (box.input.type === "checkbox") box.input.checked = this.draft.text(path) !== "";
    else box.input.value = this.draft.text(path);
  }

  #box(path) {
    return this.#boxes.get(path) ?? this.lists.map((list) => list.box(path)).find(Boolean);
  }

  #show(error) {
    this.#clearProblems();
    const problems = error.problems.length ? error.problems : [{ field: error.field ?? "contact", message: error.message }];
    const unplaced = [];
    let first = null;
    for (const problem of problems) {
      const box = this.#boxOf(problem);
      if (!box) unplaced.push(problem.message);
      else {
        showProblem(box, problem.message);
        box.input.addEventListener("input", () => this.#correct(box), { once: true });
        first ??= box.input;
      }
    }
    const gone = error.code === "unknownItem" && !this.draft.isNew;
    if (error.code === "agentUnreachable") unplaced.splice(0, 1, text("form.unreachable"));
    const sentence = text("form.problems", { count: problems.length });
    this.summary.replaceChildren(
      ...(first ? [element("p", { class: "problem count" }, icon("alert"), sentence)] : []),
      ...unplaced.map((message) => element("p", { class: "problem", dir: "auto" }, icon("alert"), message)),
      ...(gone ? [button(text("form.restore"), () => this.#restore())] : []));
    if (first) {
      first.closest("details")?.setAttribute("open", "");
      first.focus();
    } else this.summary.scrollIntoView({ block: "nearest" });
  }

  /** The field of a problem. The agent gives new entries an id of its own, so they are found by their value. */
  #boxOf({ field, value }) {
    const [list, id, part = "value"] = field.split("/");
    if (!id) return this.#box(list);
    return this.#box(`${list}/${id}/${part}`)
      ?? this.lists.find((editor) => editor.list === list)?.boxOfNew(part, value);
  }

  /** A field that is being corrected loses its message, and the sentence about all goes with the last one. */
  #correct(box) {
    showProblem(box, null);
    const rest = this.node.querySelectorAll("[aria-invalid]").length;
    const sentence = this.summary.querySelector(".count");
    if (rest) sentence?.replaceChildren(icon("alert"), text("form.problems", { count: rest }));
    else sentence?.remove();
  }

  #clearProblems() {
    this.summary.replaceChildren();
    for (const box of [...this.#boxes.values(), ...this.lists.flatMap((list) => list.allBoxes)]) showProblem(box, null);
  }

  #setSaving(saving) {
    this.#saving = saving;
    // What would be typed now would not be saved. A field that is read-only keeps the focus; a disabled one would not.
    for (const field of this.node.querySelectorAll("textarea, input")) field.readOnly = saving;
    this.saveButton.textContent = text(saving ? "saving" : "save");
    this.saveButton.setAttribute("aria-disabled", saving);
  }

  /** While a save is running, only leaving the form works. */
  #holdBack(event) {
    const { target, key } = event;
    if (!this.#saving || key === "Tab" || key === "Escape" || this.saveButton.parentNode.contains(target)) return;
    if (!target.closest("button, select, input[type=checkbox]")) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #textField(field) {
    const box = fieldBox({
      name: field, label: text(`field.${field}`), value: this.draft.text(field), tall: tallFields.includes(field),
      hint: ["birthday", "anniversary"].includes(field) ? text("hint.date")
        : lineFields.includes(field) ? text("hint.lines") : null,
      onInput: (value) => {
        this.draft.set(field, value);
        if (field === "categories") this.#showFavorite();
      },
    });
    this.#boxes.set(field, box);
    return box.node;
  }

  /** A favorite is a contact with a category, so this is another control of the categories. */
  #favoriteChoice() {
    this.favorite = element("input", {
      type: "checkbox", id: "field-favorite", on: { change: () => this.#take("categories", toggled(this.#categories()).join("\n")) },
    });
    this.#showFavorite();
    return element("div", { class: "check" }, this.favorite, element("label", { for: "field-favorite", text: text("favorite") }));
  }

  #categories() { return this.draft.text("categories").split("\n").map((line) => line.trim()).filter(Boolean); }
  #showFavorite() { this.favorite.checked = isFavorite({ categories: this.#categories() }); }

  #names() {
    const hasMore = moreNameFields.some((field) => this.draft.text(field) !== "");
    return element(
      "fieldset", {}, element("legend", { text: text("form.name") }),
      element("div", { class: "field-pair" }, ...nameFields.map((field) => this.#textField(field))),
      element(
        "details", { open: hasMore }, element("summary", { text: text("form.more") }),
        element("div", { class: "field-grid" }, ...moreNameFields.map((field) => this.#textField(field)))));
  }

  #fieldset(title, fields) {
    return element(
      "fieldset", {}, element("legend", { text: text(title) }),
      element("div", { class: "field-grid" }, ...fields.filter((field) => textFields.includes(field))
        .map((field) => this.#textField(field))));
  }

  #choices() {
    const groups = this.groups.filter((group) => group.writable || group.id === this.draft.text("group"));
    const group = element(
      "select", { id: "field-group", class: "field", on: { change: () => this.draft.set("group", group.value) } },
      ...groups.map(({ id, title }) => element("option", { value: id, text: title, dir: "auto", selected: id === this.draft.text("group") })));
    const emergency = element("input", {
      type: "checkbox", id: "field-emergency", checked: this.draft.text("emergency") !== "",
      on: { change: () => this.draft.set("emergency", emergency.checked ? "yes" : "") },
    });
    this.#boxes.set("group", { input: group }).set("emergency", { input: emergency });
    return element(
      "fieldset", {}, element("legend", { text: text("form.place") }),
      groups.length > 1
        ? element("div", { class: "field-box" }, element("label", { for: "field-group", text: text("field.group") }), group)
        : null,
      this.#favoriteChoice(),
      element("div", { class: "check" }, emergency, element("label", { for: "field-emergency", text: text("field.emergency") })));
  }
}
