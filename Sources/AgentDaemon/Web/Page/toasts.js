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
  let before = null;
  const close = () => {
    clearTimeout(timer);
    const hadFocus = toast.contains(document.activeElement);
    toast.remove();
    if (hadFocus) focusAgain(before);
  };
  const start = () => { timer = setTimeout(close, visibleMilliseconds); };
  if (action) {
    toast.append(button(action.label, () => { close(); action.run(); }, "quiet"));
  }
  toast.append(iconButton("close", text("close"), close));
  toast.addEventListener("focusin", ({ relatedTarget }) => { if (!toast.contains(relatedTarget)) before = relatedTarget; });
  for (const event of ["pointerenter", "focusin"]) toast.addEventListener(event, () => clearTimeout(timer));
  for (const event of ["pointerleave", "focusout"]) toast.addEventListener(event, start);
  document.getElementById("toasts").replaceChildren(toast);
  announce(action ? `${sentence} ${action.label}: u` : sentence);
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

/** Runs the action of the visible toast, if there is one. */
export function runToastAction() {
  document.querySelector("#toasts .toast .button")?.click();
}
