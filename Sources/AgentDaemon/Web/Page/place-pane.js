// The pane of a place, which takes the room of the list and the card.

import { failureView } from "./failure.js";
import { element, iconButton, stateView } from "./elements.js";
import { placeNamed } from "./places.js";
import { text } from "./texts.js";

/** Shows one place at a time. Its views use the members that have a description. */
export class PlacePane {
  #place = null;
  #view = null;
  #item = undefined;
  // What the present view draws with.
  #current = null;

  constructor(node, { navigate, groups, status }) {
    /** `contact(id)` shows a contact, `group(id)` a group, `place(name, item)` a place, `up()` what contains the present view. */
    this.navigate = navigate;
    /** Returns the groups as `/v1/groups` has them. */
    this.groups = groups;
    /** Returns the data of `/v1/status`, or null before it is known. */
    this.status = status;
    /** The node that the view fills. */
    this.content = element("div", { class: "place-content" });
    this.node = node;
    this.title = element("h2", { class: "pane-title", id: "place-title", dir: "auto" });
    this.note = element("p", { class: "pane-count" });
    this.tools = element("div", { class: "place-tools" });
    node.setAttribute("aria-labelledby", "place-title");
    node.append(
      element(
        "div", { class: "pane-bar" }, iconButton("back", text("list.back"), navigate.up, { class: "back" }),
        element("div", { class: "pane-heading" }, this.title, this.note), this.tools),
      this.content);
  }

  /** Shows the place of a route; null leaves the place. */
  async show(name, item) {
    if (name === null) {
      this.#view?.close?.();
      this.#place = this.#view = this.#current = null;
      this.content.replaceChildren();
      return;
    }
    const isOpen = this.#place === name;
    if (isOpen && this.#item === item) return;
    this.#item = item;
    this.node.classList.toggle("has-item", item !== null);
    if (!isOpen) this.#open(name);
    await this.#view.show(item);
  }

  /** Draws the place again: something has changed. */
  refresh() { this.#view?.refresh(); }

  /** Tells the place of an event of the agent. */
  event(type, detail) { this.#view?.event?.(type, detail); }

  /** Begins something new in the place. Returns false if the place has nothing that `n` adds. */
  add() {
    if (!this.#view?.add) return false;
    this.#view.add();
    return true;
  }

  /** Edits what the place shows. */
  edit() { this.#view?.edit?.(); }

  /** Makes the view of a place. */
  #open(name) {
    this.#view?.close?.();
    this.#place = name;
    this.#view = this.#current = null;
    this.present(stateView({ picture: placeNamed(name).picture, title: text("loading"), isLoading: true }), { note: "", tools: [] });
    this.title.textContent = text(`place.${name}`);
    const { View } = placeNamed(name);
    this.#view = new View(this.#frame());
  }

  /**
   * Returns what a view gets as its pane: this pane, until the view is closed. A view that is still reading when the
   * user leaves must not draw over the next one.
   */
  #frame() {
    const frame = Object.create(this);
    frame.present = (...content) => { if (this.#current === frame) this.present(...content); };
    this.#current = frame;
    return frame;
  }

  /** Replaces the content. The focus stays on the control with the same `data-key`. */
  present(view, { note = this.note.textContent, tools = null } = {}) {
    const key = this.content.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    const { scrollTop } = this.content;
    this.content.replaceChildren(view);
    this.content.scrollTop = scrollTop;
    this.note.textContent = note;
    if (tools) this.tools.replaceChildren(...tools);
    // A control that has done its work may be gone: the keyboard goes on from the place.
    if (key !== undefined) (this.content.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? this.node).focus({ preventScroll: true });
  }

  /** Shows why the place cannot be read. */
  fail(error, retry) {
    const view = failureView(text("place.failed"), error, retry);
    if (view) this.present(view, { note: "", tools: [] });
  }
}
