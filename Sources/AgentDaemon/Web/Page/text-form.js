// A form with one text: a comment, or a caption that is edited.

import { draftProblem } from "./draft-problem.js";
import { DraftWriter } from "./draft-writer.js";
import { drafts } from "./drafts.js";
import { button, element } from "./elements.js";
import { failureSentence } from "./failure.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";

/**
 * A text area with a button. What the user types is a draft until it is saved or given up. The draft has the `kind` and the
 * `target` of `draft`, and its `title` and `address` in the list of drafts.
 */
export class TextForm {
  #saving = false;
  // Whether the user has sent the next text while the one before was being saved.
  #sendsAgain = false;

  /** `save(text)` sends the text; `cancel` is what the second button does, if there is one. */
  constructor({ draft, label, value = "", action, save, cancel = null }) {
    Object.assign(this, { draft, value, save, cancel });
    const id = `text-${draft.kind}/${draft.target}`;
    const stored = drafts.free(draft.kind, draft.target);
    this.writer = new DraftWriter({ ...draft, continued: stored });
    this.problem = element("p", { class: "problem", id: `${id}-problem`, role: "alert", dir: "auto" });
    this.area = element("textarea", {
      id, class: "field", rows: "1", dir: "auto", "aria-label": label, placeholder: label, data: { key: id },
      "aria-describedby": `${id}-problem`,
      on: { input: () => this.#typed(), keydown: (event) => this.#pressed(event) },
    });
    this.area.value = stored?.texts.text ?? value;
    this.button = element("button", { class: "button primary", text: action });
    this.node = element(
      "form", { class: "text-form", on: { submit: (event) => { event.preventDefault(); this.#submit(); } } },
      this.area, this.problem, draftProblem(this.writer),
      element("div", { class: "form-actions" }, cancel ? button(text("cancel"), () => this.#cancel()) : null, this.button));
  }

  focus() {
    this.area.focus();
    this.area.setSelectionRange(this.area.value.length, this.area.value.length);
  }

  #typed() {
    this.#keep();
    this.#show("");
  }

  #keep() {
    if (this.area.value === this.value) return this.writer.clear();
    const { title, address } = this.draft;
    this.writer.write({ title, address, base: { text: this.value }, texts: { text: this.area.value } });
  }

  /** The form is left, and what is not saved stays a draft. */
  close() { this.writer.close(); }

  #pressed(event) {
    const saves = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (saves) this.#submit();
    else if (event.key === "Escape" && this.cancel) this.#cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #cancel() {
    this.writer.remove();
    this.cancel();
  }

  async #submit() {
    if (this.#saving) {
      this.#sendsAgain = !this.cancel;
      return;
    }
    this.#saving = true;
    this.button.setAttribute("aria-disabled", "true");
    const typed = this.area.value;
    // The user can write the next comment at once. A form that closes after saving would lose what is typed meanwhile.
    if (this.cancel) this.area.readOnly = true; else this.area.value = "";
    try {
      await this.save(typed.trim());
      this.#show("");
      if (this.cancel) this.writer.remove(); else this.#keep();
    } catch (error) {
      if (error instanceof SessionEnded) return;
      if (error.code === undefined) throw error;
      if (!this.cancel) this.area.value = [typed, this.area.value].filter(Boolean).join("\n");
      this.#sendsAgain = false;
      this.#keep();
      this.#show(error.code === "agentUnreachable" ? text("text.unreachable") : failureSentence(error));
      this.area.focus();
    } finally {
      this.#saving = false;
      this.area.readOnly = false;
      this.button.removeAttribute("aria-disabled");
    }
    if (this.#sendsAgain) {
      this.#sendsAgain = false;
      await this.#submit();
    }
  }

  #show(problem) {
    this.problem.textContent = problem;
    if (problem) this.area.setAttribute("aria-invalid", "true"); else this.area.removeAttribute("aria-invalid");
  }
}
