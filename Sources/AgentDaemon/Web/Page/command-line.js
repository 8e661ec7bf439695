// A command that the user enters in a terminal, with a button that copies it.

import { element, iconButton } from "./elements.js";
import { text } from "./texts.js";
import { announce } from "./toasts.js";

/** Returns a command with a copy button. */
export function commandLine(command) {
  return copyLine(command, text("command.copy"));
}

/** Returns a text of one line with a copy button, whose name is `label`. */
export function copyLine(content, label) {
  const copied = element("span", { class: "copied", "aria-hidden": "true" });
  const copy = async () => {
    const done = await copyText(content);
    copied.textContent = done ? text("card.copied") : text("card.notcopied");
    // A dialog makes the rest of the page silent.
    said.textContent = copied.textContent;
  };
  const said = element("span", { class: "visually-hidden", role: "status" });
  return element(
    "div", { class: "copy-line" }, element("code", { text: content, dir: "ltr" }), copied, said,
    iconButton("copy", label, copy, { class: "quiet", data: { key: `copy/${content}` } }));
}

/** Copies a text. Returns whether the browser allowed it. */
export async function copyText(content) {
  try {
    await navigator.clipboard.writeText(content);
    announce(text("card.copied"));
    return true;
  } catch {
    return false;
  }
}
