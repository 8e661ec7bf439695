// The dialog for a new post: a photo, a caption, and the progress of both.

import { upload } from "./api.js";
import { draftProblem } from "./draft-problem.js";
import { DraftWriter } from "./draft-writer.js";
import { drafts } from "./drafts.js";
import { button, element, icon } from "./elements.js";
import { failureSentence } from "./failure.js";
import { jpeg, pictureIn, pictureInput, reduced } from "./picture-file.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";

const photoPixels = 2048;

// The photo of a post that is not sent yet. It lasts as long as the page; the caption is a draft.
let keptPicture = null;
// If the user sends the same photo with the same caption again, the agent posts it once.
let key = crypto.randomUUID();

/** The form of a new post in a dialog. */
export class Composer {
  #picture = keptPicture;
  #address = null;
  #reads = 0;
  #sending = null;
  #taking = null;

  /** `posted(post)` gets the new post. */
  constructor({ posted }) {
    this.posted = posted;
    this.input = pictureInput(text("photo.choose"), (file) => this.take(file));
    this.area = element("div", { class: "drop-area" });
    this.caption = element("textarea", {
      id: "post-caption", class: "field", rows: "2", dir: "auto", "aria-describedby": "post-problem",
      on: { input: () => this.#typed() },
    });
    const stored = drafts.free("post", null);
    this.writer = new DraftWriter({ kind: "post", continued: stored });
    this.caption.value = stored?.texts.text ?? "";
    this.problem = element("p", { id: "post-problem", class: "problem", role: "alert", dir: "auto" });
    this.progress = element("progress", { max: "1", "aria-label": text("post.progress"), hidden: true });
    this.sendButton = element("button", { class: "button primary", text: text("post.send") });
    this.discardButton = button(text("post.discard"), () => this.#discard(), "quiet");
    this.node = this.#dialog();
  }

  #dialog() {
    return element(
      "dialog",
      {
        class: "dialog composer", "aria-labelledby": "composer-title",
        on: {
          close: () => this.#closed(), paste: (event) => this.#takeFrom(event, event.clipboardData),
          dragover: (event) => event.preventDefault(),
          drop: (event) => { event.preventDefault(); this.#takeFrom(event, event.dataTransfer, { isDrop: true }); },
          keydown: (event) => this.#pressed(event),
        },
      },
      element(
        "form", { on: { submit: (event) => { event.preventDefault(); this.#send(); } } },
        element("h2", { id: "composer-title", text: text("post.new") }),
        this.area, this.input,
        element("div", { class: "field-box" }, element("label", { for: "post-caption", text: text("post.caption") }), this.caption),
        this.problem, draftProblem(this.writer), this.progress,
        element(
          "div", { class: "form-actions" }, this.discardButton, element("span", { class: "spacer" }),
          button(text("cancel"), () => this.node.close()), this.sendButton)));
  }

  /** Opens the dialog, with a picture that was dropped or pasted outside of it. */
  open(file = null) {
    document.body.append(this.node);
    this.#showPicture();
    this.node.showModal();
    if (file) this.take(file);
    if (this.#picture) this.caption.focus(); else this.area.querySelector("button").focus();
  }

  /** Takes a file as the photo: it is made smaller first. While a post is sent, it stays as it is. */
  async take(file) {
    if (this.#sending) return;
    this.#taking = this.#read(file);
    await this.#taking;
  }

  async #read(file) {
    const number = ++this.#reads;
    this.problem.textContent = "";
    this.area.setAttribute("aria-busy", "true");
    try {
      if (file.type === "image/svg+xml") throw new Error("A drawing can contain a program.");
      const picture = await jpeg(await reduced(file, photoPixels));
      if (number !== this.#reads) return;
      this.#picture = keptPicture = picture;
      key = crypto.randomUUID();
      this.#showPicture();
      this.caption.focus();
    } catch {
      if (number === this.#reads) this.problem.textContent = text("photo.unreadable");
    } finally {
      if (number === this.#reads) this.area.removeAttribute("aria-busy");
    }
  }

  #takeFrom(event, data, { isDrop = false } = {}) {
    const file = pictureIn(event, data);
    if (file) this.take(file);
    else if (isDrop) this.problem.textContent = text("photo.unreadable");
  }

  #showPicture() {
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = this.#picture ? URL.createObjectURL(this.#picture) : null;
    const choose = button(text(this.#picture ? "post.photo.other" : "photo.choose"), () => {
      if (!this.#sending) this.input.click();
    });
    this.area.replaceChildren(...(this.#picture
      ? [element("img", { src: this.#address, alt: text("post.photo") }), choose]
      : [element("div", { class: "state-picture" }, icon("photo")), choose, element("p", { class: "hint", text: text("post.photo.hint") })]));
    this.#showDiscard();
  }

  #typed() {
    const caption = this.caption.value;
    if (caption === "") this.writer.clear();
    else this.writer.write({ title: "", address: "/timeline", texts: { text: caption } });
    // The key belongs to one photo with one caption.
    key = crypto.randomUUID();
    this.problem.textContent = "";
    this.#showDiscard();
  }

  #showDiscard() { this.discardButton.hidden = !this.#picture && this.caption.value === ""; }

  #pressed(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.#send();
  }

  async #send() {
    await this.#taking;
    if (this.#sending || !this.node.open) return;
    if (!this.#picture) return this.#reject("post.photo.needed", this.area.querySelector("button"));
    if (this.caption.value.trim() === "") return this.#reject("post.caption.needed", this.caption);
    this.#sending = new AbortController();
    this.problem.textContent = "";
    this.#showProgress(0);
    try {
      const { data } = await upload("posts", this.#picture, {
        query: { caption: this.caption.value.trim() }, key, signal: this.#sending.signal,
        progress: (part) => this.#showProgress(part),
      });
      this.#forget();
      this.node.close();
      this.posted(data);
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#sending = null;
      this.#showProgress(null);
    }
  }

  #failed(error) {
    if (error instanceof SessionEnded) return this.node.close();
    if (error.name === "AbortError") return;
    if (error.code === undefined) throw error;
    this.problem.textContent = error.code === "agentUnreachable" ? text("post.unreachable") : failureSentence(error);
  }

  #reject(key, control) {
    this.problem.textContent = text(key);
    control.focus();
  }

  #showProgress(part) {
    this.progress.hidden = part === null;
    this.progress.value = part ?? 0;
    this.sendButton.textContent = text(part === null ? "post.send" : "post.sending");
    this.sendButton.setAttribute("aria-disabled", part !== null);
    // The focus stays in the caption, but what would be typed now would not be in the post.
    this.caption.readOnly = part !== null;
    for (const choose of this.area.querySelectorAll(".button")) choose.setAttribute("aria-disabled", part !== null);
  }

  #discard() {
    this.#forget();
    this.#showPicture();
    this.problem.textContent = "";
    this.node.close();
  }

  #forget() {
    key = crypto.randomUUID();
    this.#picture = keptPicture = null;
    this.caption.value = "";
    this.writer.remove();
  }

  #closed() {
    this.#sending?.abort();
    this.writer.close();
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = null;
    this.node.remove();
  }
}
