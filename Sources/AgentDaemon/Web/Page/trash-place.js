// The trash: contacts that were deleted in the last 30 days.

import { avatar } from "./avatar.js";
import { call, read } from "./api.js";
import { button, element, stateView } from "./elements.js";
import { reportFailure } from "./failure.js";
import { formats, text } from "./texts.js";
import { announce } from "./toasts.js";

/** Lists deleted contacts and restores them. */
export default class TrashPlace {
  constructor(place) { this.place = place; }

  async show() { await this.refresh(); }

  async refresh() {
    try {
      const { trash } = await read("trash");
      this.place.present(trash.length ? this.#list(trash) : this.#empty(), {
        note: trash.length ? text("trash.count", { count: trash.length }) : "",
      });
    } catch (error) {
      this.place.fail(error, () => this.refresh());
    }
  }

  #empty() {
    return stateView({ picture: "delete", title: text("trash.empty"), sentence: text("trash.empty.hint") });
  }

  #list(trash) {
    return element("ul", { class: "cards" }, ...trash.map((contact) => this.#row(contact)));
  }

  #row({ id, name, deleted, by }) {
    const where = { device: by.deviceName ?? by.device, time: formats.shortMoment(deleted) };
    return element(
      "li", { class: "card-row" }, avatar({ id, name }),
      element(
        "div", { class: "row-texts" }, element("span", { class: "row-name", dir: "auto", text: name }),
        element("span", { class: "row-second", text: text("trash.deleted", where) })),
      button(text("trash.restore"), () => this.#restore(id, name), "", { data: { key: `restore/${id}` } }));
  }

  async #restore(id, name) {
    try {
      await call("POST", `trash/${id}/restore`, { key: crypto.randomUUID() });
      announce(text("trash.restored", { name }));
      this.place.navigate.contact(id);
    } catch (error) {
      reportFailure(error);
    }
  }
}
