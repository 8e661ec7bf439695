// The trash: contacts, and groups with their contacts, that were deleted in the last 30 days.

import { avatar } from "./avatar.js";
import { call, read } from "./api.js";
import { ask } from "./dialogs.js";
import { button, element, stateView } from "./elements.js";
import { reportFailure } from "./failure.js";
import { incompleteNotice } from "./notices.js";
import { ReadingPlace } from "./reading-place.js";
import { deviceName, formats, text } from "./texts.js";
import { announce } from "./toasts.js";
import { offerUndo } from "./undo.js";

const pageLength = 200;

/** Lists deleted contacts, restores them, and erases all of them. */
export default class TrashPlace extends ReadingPlace {
  #wanted = pageLength;

  /** Reads as many pages as the user has asked for. */
  async read() {
    const found = { groups: [], trash: [], complete: true, next: null };
    do {
      const limit = Math.min(this.#wanted - found.trash.length, 1000);
      const page = await read("trash", { limit, cursor: found.next });
      found.complete &&= page.complete;
      found.groups.push(...page.groups);
      found.trash.push(...page.trash);
      found.next = page.next;
    } while (found.next && found.trash.length < this.#wanted);
    return found;
  }

  draw({ groups, trash, complete, next }) {
    const hasAny = trash.length + groups.length > 0;
    const notice = complete ? null : incompleteNotice(text("trash.incomplete"), () => this.refresh());
    const more = next ? button(text("more"), () => this.#showMore(), "", { data: { key: "more" } }) : null;
    const count = text(next ? "trash.countmore" : "trash.count", { count: trash.length });
    this.place.present(
      element("div", { class: "place-column" }, notice, hasAny ? this.#list(groups, trash) : this.#empty(), more), {
        note: trash.length ? count : "",
        tools: hasAny ? [button(text("trash.erase"), () => this.#erase(), "danger", { data: { key: "erase" } })] : [],
      });
  }

  #empty() {
    return stateView({ picture: "delete", title: text("trash.empty"), sentence: text("trash.empty.hint") });
  }

  #list(groups, trash) {
    return element(
      "ul", { class: "cards" }, ...groups.map((group) => this.#groupRow(group)),
      ...trash.map((contact) => this.#row(contact)));
  }

  #groupRow({ id, title, contacts, deleted }) {
    const details = text("trash.group", { count: contacts, time: formats.shortMoment(deleted) });
    return element(
      "li", { class: "card-row" }, avatar({ id, name: title }),
      element(
        "div", { class: "row-texts" }, element("span", { class: "row-name", dir: "auto", text: title }),
        element("span", { class: "row-second", text: details })),
      button(text("trash.restore"), () => this.#restoreGroup(id, title), "", {
        "aria-label": text("trash.restore.one", { name: title }), data: { key: `restore/${id}` },
      }));
  }

  #row({ id, name, deleted, by, synced }) {
    const where = text("trash.deleted", { device: deviceName(by), time: formats.shortMoment(deleted) });
    const shown = name || text("contact.unnamed");
    return element(
      "li", { class: "card-row" }, avatar({ id, name }),
      element(
        "div", { class: "row-texts" }, element("span", { class: "row-name", dir: "auto", text: shown }),
        element("span", { class: "row-second", dir: "auto", text: synced ? where : `${where} · ${text("trash.unsent")}` })),
      button(text("history"), () => this.place.navigate.place("history", id), "quiet", {
        "aria-label": text("history.of", { name: shown }), data: { key: `history/${id}` },
      }),
      button(text("trash.restore"), () => this.#restore(id, shown), "", {
        "aria-label": text("trash.restore.one", { name: shown }), data: { key: `restore/${id}` },
      }));
  }

  async #showMore() {
    this.#wanted += pageLength;
    await this.refresh();
  }

  async #restore(id, name) {
    try {
      const { headers } = await call("POST", `trash/${id}/restore`, { key: crypto.randomUUID() });
      offerUndo(text("trash.restored", { name }), headers.get("Undo-Action"), () => this.refresh());
      await this.refresh();
    } catch (error) {
      reportFailure(error);
    }
  }

  async #restoreGroup(id, title) {
    try {
      await call("POST", `groups/${id}/restore`, { key: crypto.randomUUID() });
      announce(text("trash.group.restored", { name: title }));
      await this.refresh();
    } catch (error) {
      reportFailure(error);
    }
  }

  async #erase() {
    const reply = await ask({
      title: text("trash.erase.question"), sentences: [text("trash.erase.hint")], action: text("trash.erase.now"),
      style: "danger", run: () => call("DELETE", "trash"),
    });
    if (!reply) return;
    announce(text("trash.erased", { count: reply.data.erased }));
    await this.refresh();
  }
}
