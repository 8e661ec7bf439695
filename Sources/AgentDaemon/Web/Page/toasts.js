// Short messages: those that only screen readers hear, and toasts that offer to undo an action.

import { button, element, iconButton } from "./elements.js";
import { text } from "./texts.js";

const visibleMilliseconds = 10_000;

/** Says a sentence to screen readers, when they have finished the present one. */
export function announce(sentence) {
  const place = document.getElementById("announcer");
  // The same sentence twice is read twice only if the text changes.
  place.textContent = place.textContent === sentence ? `${sentence}\u00a0` : sentence;
}

/**
 * Shows a sentence with an optional action. The toast stays while the pointer or the focus is in it. The key `u` runs the
 * action if it undoes something.
 */
export function showToast(sentence, action = null) {
  const toast = element("div", { class: "toast" }, element("p", { text: sentence, dir: "auto" }));
  let timer = null;
  let before = null;
  const close = () => {
    clearTimeout(timer);
    const hadFocus = toast.contains(document.activeElement);
    toast.remove();
    if (hadFocus) focusAgain(before);
  };
  const start = () => {
    clearTimeout(timer);
    timer = setTimeout(close, visibleMilliseconds);
  };
  let isPointed = false;
  if (action) {
    toast.append(button(action.label, () => { close(); action.run(); }, "quiet", action.undoes ? { data: { undo: "" } } : {}));
  }
  toast.append(iconButton("close", text("close"), close));
  toast.addEventListener("focusin", ({ relatedTarget }) => { if (!toast.contains(relatedTarget)) before = relatedTarget; });
  toast.addEventListener("focusin", () => clearTimeout(timer));
  toast.addEventListener("focusout", ({ relatedTarget }) => { if (!isPointed && !toast.contains(relatedTarget)) start(); });
  toast.addEventListener("pointerenter", () => {
    isPointed = true;
    clearTimeout(timer);
  });
  toast.addEventListener("pointerleave", () => {
    isPointed = false;
    if (!toast.contains(document.activeElement)) start();
  });
  document.getElementById("toasts").replaceChildren(toast);
  announce(action?.undoes ? `${sentence} ${action.label}: u` : sentence);
  start();
  return toast;
}

/** Gives the focus back to what had it before, or to the pane that is shown. */
function focusAgain(before) {
  if (before?.isConnected && before.checkVisibility()) return before.focus({ preventScroll: true });
  const pane = document.getElementById("panes")?.dataset.pane;
  const target = pane === "list" ? "list-rows" : pane;
  document.getElementById(target)?.focus({ preventScroll: true });
}

/** Undoes what the visible toast offers to undo. */
export function runToastAction() {
  document.querySelector("#toasts .toast [data-undo]")?.click();
}
