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

/** Shows a sentence with an optional action. The toast stays while the pointer or the focus is in it. */
export function showToast(sentence, action = null) {
  const toast = element("div", { class: "toast" }, element("p", { text: sentence, dir: "auto" }));
  let timer = null;
  const close = () => {
    clearTimeout(timer);
    if (toast.contains(document.activeElement)) document.getElementById("list-rows")?.focus();
    toast.remove();
  };
  const start = () => { timer = setTimeout(close, visibleMilliseconds); };
  if (action) {
    toast.append(button(action.label, () => { close(); action.run(); }, "quiet"));
  }
  toast.append(iconButton("close", text("close"), close));
  for (const event of ["pointerenter", "focusin"]) toast.addEventListener(event, () => clearTimeout(timer));
  for (const event of ["pointerleave", "focusout"]) toast.addEventListener(event, start);
  document.getElementById("toasts").replaceChildren(toast);
  announce(action ? `${sentence} ${action.label}: u` : sentence);
  start();
  return toast;
}

/** Runs the action of the visible toast, if there is one. */
export function runToastAction() {
  document.querySelector("#toasts .toast .button")?.click();
}
