// The history of a contact: each change with its time, its device and the values before and after.

import { ApiError, call, read } from "./api.js";
import { button, element, stateView } from "./elements.js";
import { reportFailure } from "./failure.js";
import { fieldName, lineFields, textFields } from "./fields.js";
import { incompleteNotice } from "./notices.js";
import { ReadingPlace } from "./reading-place.js";
import { deviceName, formats, hasText, text } from "./texts.js";
import { offerUndo } from "./undo.js";

const longestValue = 300;
// Fields with one text, which a history has whole: these can be restored.
const restorable = [...textFields.filter((field) => !lineFields.includes(field)), "emergency"];

/** Shows the steps of one contact, the newest first. */
export default class HistoryPlace extends ReadingPlace {
  async read() {
    const [history, contact] = await Promise.all([read(`contacts/${this.item}/history`), this.#present()]);
    return { ...history, contact };
  }

  draw({ id, name, history, complete, contact }) {
    this.place.title.textContent = name || text("contact.unnamed");
    const versions = versionsOf(history);
    this.place.present(
      element(
        "div", { class: "place-column" },
        complete ? null : incompleteNotice(text("history.incomplete"), () => this.refresh()),
        contact ? null : this.#deleted(id, name),
        history.length
          ? element("ol", { class: "steps", tabindex: "0", "aria-label": text("history") }, ...history.map((step, number) => this.#step(step, contact, number && versions[number])))
          : stateView({ picture: "history", title: text("history.none"), sentence: text("history.none.hint") })), {
        note: text("history.note"),
        tools: contact ? [button(text("contact.show"), () => this.place.navigate.contact(contact.id), "", { data: { key: "contact" } })] : [],
      });
  }

  /** The contact as it is; null if it was deleted. */
  async #present() {
    try {
      return await read(`contacts/${this.item}`);
    } catch (error) {
      if (error instanceof ApiError && error.code === "unknownItem") return null;
      throw error;
    }
  }

  #deleted(id, name) {
    return element(
      "div", { class: "notice place-notice" }, element("p", { text: text("history.deleted") }),
      button(text("trash.restore"), () => this.#restoreContact(id, name), "primary", { data: { key: "restore" } }));
  }

  #step({ revision, change, time, by, synced, fields }, contact, version) {
    const isUpdate = change === "updated";
    const kind = isUpdate && fields.length === 0 ? "moved" : change;
    const sentence = text(`history.${hasText(`history.${kind}`) ? kind : "updated"}`, {
      account: by.name ?? by.account, device: deviceName(by),
    });
    const canRestore = contact && version && Object.entries(version).some(([field, value]) => value !== valueOf(contact, field));
    return element(
      "li", { class: "step" },
      element(
        "div", { class: "step-heading" }, element("h3", { text: sentence, dir: "auto" }),
        element("p", { class: "row-second", text: formats.moment(time) + (synced ? "" : ` · ${text("history.unsent")}`) })),
      fields.length ? element("dl", { class: "differences" }, ...fields.map((difference) => this.#difference(difference, isUpdate, contact, revision))) : null,
      canRestore
        ? button(text("history.restore"), () => this.#change(contact, version), "quiet", {
          "aria-label": text("history.restore.of", { time: formats.moment(time) }), data: { key: `version/${revision}` },
        })
        : null);
  }

  #difference({ field, entry, before, after }, isUpdate, contact, revision) {
    const canRestore = isUpdate && contact && entry === null && restorable.includes(field)
      && valueOf(contact, field) !== (before ?? "");
    return element(
      "div", { class: "difference" }, element("dt", { text: fieldName(field), dir: "auto" }),
      element(
        "dd", {},
        element(
          "span", { class: "difference-values" },
          before === null ? null : changedText("del", "history.before", before),
          before !== null && after !== null ? element("span", { "aria-hidden": "true", text: " → " }) : null,
          after === null ? null : changedText(isUpdate ? "ins" : "span", "history.after", after)),
        canRestore
          ? button(text(before === null ? "history.clear" : "history.use"), () => this.#change(contact, { [field]: before ?? "" }), "quiet small", {
            "aria-label": text("history.use.of", { field: fieldName(field), value: before === null ? text("conflict.empty") : shortened(before) }),
            data: { key: `field/${revision}/${field}` },
          })
          : null));
  }

  async #change(contact, fields) {
    const body = Object.fromEntries(Object.entries(fields)
      .filter(([field, value]) => value !== valueOf(contact, field))
      .map(([field, value]) => [field, field === "emergency" ? value === "yes" : value]));
    try {
      const { headers } = await call("PATCH", `contacts/${contact.id}`, { body, version: contact.version, key: crypto.randomUUID() });
      offerUndo(text("history.restored", { name: contact.name }), headers.get("Undo-Action"), () => this.refresh());
      await this.refresh();
    } catch (error) {
      reportFailure(error);
    }
  }

  async #restoreContact(id, name) {
    try {
      const { headers } = await call("POST", `trash/${id}/restore`, { key: crypto.randomUUID() });
      offerUndo(text("trash.restored", { name }), headers.get("Undo-Action"), () => this.refresh());
      await this.refresh();
    } catch (error) {
      reportFailure(error);
    }
  }
}

/**
 * For each step, the values after it of the fields that have changed since. Null if one of them cannot be restored: of
 * the entries of lists, a history has only a text.
 */
function versionsOf(history) {
  const versions = [{}];
  for (const step of history.slice(0, -1)) {
    const newer = versions.at(-1);
    const canGoOn = newer && step.change === "updated"
      && step.fields.every(({ field, entry }) => entry === null && restorable.includes(field));
    versions.push(canGoOn ? { ...newer, ...Object.fromEntries(step.fields.map(({ field, before }) => [field, before ?? ""])) } : null);
  }
  return versions;
}

function valueOf(contact, field) {
  if (field === "emergency") return contact.emergency ? "yes" : "";
  return contact[field] ?? "";
}

const shortened = (value) => (value.length > longestValue ? `${value.slice(0, longestValue)}…` : formats.day(value));

function changedText(tag, key, value) {
  return element(
    tag, { dir: "auto" }, element("span", { class: "visually-hidden", text: `${text(key)} ` }), shortened(value));
}
