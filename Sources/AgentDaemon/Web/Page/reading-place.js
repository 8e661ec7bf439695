// The common part of the places that show what the agent answers.

import { ApiError, combined } from "./api.js";

/**
 * A view that reads and draws. A subclass has `read()`, which returns data, and `draw(data)`.
 *
 * What arrives after the place was left is not drawn, and calls of `refresh()` during a read are combined into one more.
 */
export class ReadingPlace {
  #isOpen = true;
  #isDrawn = false;

  constructor(place) { this.place = place; }

  async show(item) {
    this.item = item;
    this.#isDrawn = false;
    await this.refresh();
  }

  refresh() { return this.#readOnce(); }

  close() { this.#isOpen = false; }

  #readOnce = combined(() => this.#readAndDraw());

  get #isTyping() { return this.place.content.querySelector("form.typing") !== null; }

  async #readAndDraw() {
    if (!this.#isOpen) return;
    const { item } = this;
    try {
      const data = await this.read();
      // A text that the user is typing is worth more than the newest data.
      if (!this.#isOpen || item !== this.item || this.#isTyping) return;
      this.draw(data);
      this.#isDrawn = true;
    } catch (error) {
      if (!this.#isOpen) return;
      // What is on the screen stays while the agent is away; the status says so. What the user types stays in any case.
      if (error instanceof ApiError && (this.#isTyping || (this.#isDrawn && error.code === "agentUnreachable"))) return;
      this.place.fail(error, () => this.refresh());
    }
  }
}
