// Dialogs: a sheet with a title, and questions whose answer is carried out while the dialog is open.

import { ApiError } from "./api.js";
import { button, element, iconButton } from "./elements.js";
import { failureSentence } from "./failure.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";

let sheets = 0;

/** A modal dialog with a title, a way to close it, and a body that can be replaced. */
export class Sheet {
  /** `closed` runs after the sheet was closed. */
  constructor(title, { closed = () => {}, style = "" } = {}) {
    const id = `sheet-${++sheets}`;
    const opener = document.activeElement;
    const key = opener?.closest?.("[data-key]")?.dataset.key;
    // Going back, or to another address, leaves the view that the dialog belongs to.
    const leave = () => this.close();
    addEventListener("popstate", leave);
    this.title = element("h2", { id, text: title, dir: "auto" });
    this.body = element("div", { class: "sheet-body" });
    this.node = element(
      "dialog",
      {
        class: `dialog sheet ${style}`, "aria-labelledby": id,
        on: { close: () => { removeEventListener("popstate", leave); this.node.remove(); restoreFocus(opener, key); closed(); } },
      },
      element(
        "header", { class: "sheet-heading" }, this.title,
        iconButton("close", text("close"), () => this.close(), { class: "quiet", data: { key: "close" } })),
      this.body);
    document.body.append(this.node);
    this.node.showModal();
  }

  get isOpen() { return this.node.open; }

  close() { if (this.isOpen) this.node.close(); }

  /** Replaces the body. The focus stays on the control with the same `data-key`. */
  present(...content) { replaceKeepingFocus(this.body, ...content); }
}

/** Replaces the content of a node. The focus stays on the control with the same `data-key`. */
export function replaceKeepingFocus(node, ...content) {
  const key = node.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  node.replaceChildren(...content.filter(Boolean));
  if (key !== undefined) node.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** The control that opened a dialog may have been drawn again meanwhile. */
function restoreFocus(opener, key) {
  if (document.activeElement && document.activeElement !== document.body) return;
  const place = opener?.isConnected ? opener : key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const sheet = [...document.querySelectorAll("dialog[open]")].at(-1);
  (place ?? sheet?.querySelector("[data-key=close]"))?.focus({ preventScroll: true });
}

/**
 * Asks a question, and runs `run` when the user agrees. The dialog closes when that has worked; otherwise it says why,
 * and what was typed stays. Returns what `run` returns, or null if the user does not agree.
 */
export function ask({ title, sentences = [], content = null, action, style = "primary", run }) {
  return new Promise((resolve) => {
    let outcome = null;
    const sheet = new Sheet(title, { closed: () => resolve(outcome), style: "question" });
    const problem = element("p", { class: "problem", role: "alert", dir: "auto", id: "question-problem" });
    const agree = element("button", { class: `button ${style}`, text: action, data: { key: "agree" } });
    const submit = async () => {
      if (agree.getAttribute("aria-busy")) return;
      agree.setAttribute("aria-busy", "true");
      problem.textContent = "";
      try {
        outcome = await run() ?? true;
        sheet.close();
      } catch (error) {
        if (error instanceof SessionEnded) return sheet.close();
        if (error.name !== "AbortError") problem.textContent = problemSentence(error);
        form.querySelector("input, select")?.focus();
      } finally {
        agree.removeAttribute("aria-busy");
      }
    };
    const form = element(
      "form", { class: "sheet-form", on: { submit: (event) => { event.preventDefault(); submit(); } } },
      ...sentences.filter(Boolean).map((sentence) => element("p", { text: sentence, dir: "auto" })), content, problem,
      element("div", { class: "sheet-actions" }, button(text("cancel"), () => sheet.close(), "", { data: { key: "cancel" } }), agree));
    sheet.present(form);
    const first = form.querySelector("input:not([type=radio]), select") ?? form.querySelector("[data-key=cancel]");
    first.focus();
    first.select?.();
  });
}

/** Asks for a text. `save(text)` sends it. */
export function askText({ title, sentences = [], label, value, action, save }) {
  const field = textField({ name: "text", label, value });
  return ask({ title, sentences, content: field.box, action, run: () => save(field.input.value.trim()) });
}

/** Returns a labelled field: `box` to show it, `input` with its text. */
export function textField({ name, label, value = "", hint = null, ...properties }) {
  const id = `field-${name}`;
  const input = element("input", {
    id, name, class: "field", dir: "auto", autocomplete: "off", maxlength: "255", value, data: { key: id },
    "aria-describedby": hint ? `${id}-hint` : null, ...properties,
  });
  const box = element(
    "div", { class: "field-box" }, element("label", { for: id, text: label }), input,
    hint ? element("p", { class: "hint", id: `${id}-hint`, text: hint }) : null);
  return { box, input };
}

/** Returns a labelled choice. `options` are pairs of a value and its text. */
export function choiceField({ name, label, options, value, change = () => {}, hideLabel = false }) {
  const id = `field-${name}`;
  const input = element(
    "select", { id, name, class: "field", data: { key: id }, on: { change: () => change(input.value) } },
    ...options.map(([option, shown]) => element("option", { value: option, text: shown, selected: option === value })));
  const box = element(
    "div", { class: "field-box" },
    element("label", { for: id, text: label, class: hideLabel ? "visually-hidden" : null }), input);
  return { box, input };
}

/** Why an action in a dialog failed. A programmer's mistake is thrown. */
export function problemSentence(error) {
  if (!(error instanceof ApiError)) throw error;
  return failureSentence(error);
}
