// The common part of the places that show what the agent answers.

/**
 * A view that reads and draws. A subclass has `read()`, which returns data, and `draw(data)`.
 *
 * What arrives after the place was left is not drawn, and calls of `refresh()` during a read are combined into one more.
 */
export class ReadingPlace {
  #reading = null;
  #stale = false;
  #isOpen = true;
  #isDrawn = false;

  constructor(place) { this.place = place; }

  async show(item) {
    this.item = item;
    this.#isDrawn = false;
    await this.refresh();
  }

  async refresh() {
    if (this.#reading) {
      this.#stale = true;
      return this.#reading;
    }
    this.#reading = this.#readAndDraw();
    await this.#reading;
    this.#reading = null;
    if (this.#stale && this.#isOpen) {
      this.#stale = false;
      await this.refresh();
    }
  }

  close() { this.#isOpen = false; }

  async #readAndDraw() {
    const { item } = this;
    try {
      const data = await this.read();
      // A text that the user is typing is worth more than the newest data.
      if (!this.#isOpen || item !== this.item || this.place.content.querySelector("form.typing")) return;
      this.draw(data);
      this.#isDrawn = true;
    } catch (error) {
      // What is on the screen stays while the agent is away; the status says so.
      if (!this.#isOpen || (this.#isDrawn && error.code === "agentUnreachable")) return;
      this.place.fail(error, () => this.refresh());
    }
  }
}
