// One field of a form: label, input, the agent's validation message, and what another device wrote meanwhile.

import { button, element } from "./elements.js";
import { rightToLeft, text } from "./texts.js";

// Browsers need seconds for a text area of this length that finds its own size or direction.
const longText = 20_000;

/** The direction of the first letter of a text, as `dir="auto"` finds it. */
const direction = (value) => (rightToLeft.test(/\p{L}/u.exec(value)?.[0] ?? "") ? "rtl" : "ltr");

/**
 * Creates a field and returns `{ node, input, problem, theirs }`.
 *
 * `name` is its path in the draft. `keyboard` is what a touch screen offers; the types `email` and `url` would rewrite
 * some values. `label` is hidden if `compact` is set; the rows of entries have their own heading.
 */
export function fieldBox({ name, label, value, tall = false, hint = null, compact = false, keyboard = null, choices, onInput }) {
  const id = `field-${name.replaceAll("/", "-")}`;
  // A single-line input would drop the line breaks that an imported address may have.
  const area = tall || value.includes("\n");
  const isHuge = value.length > longText;
  const notes = [`${id}-problem`, hint ? `${id}-hint` : null].filter(Boolean).join(" ");
  const input = element(area ? "textarea" : "input", {
    id, name, class: isHuge ? "field huge" : "field", dir: isHuge ? direction(value) : "auto", autocomplete: "off", "aria-describedby": notes,
    ...(area ? { rows: tall ? 2 : 1 } : { type: "text", inputmode: keyboard, list: choices ? `labels-${choices}` : null }),
    placeholder: compact ? label : null, on: { input: () => onInput(input.value) },
  });
  input.value = value;
  const problem = element("p", { id: `${id}-problem`, class: "problem", hidden: true, dir: "auto" });
  const theirs = element("div", { class: "theirs", hidden: true });
  const node = element(
    "div", { class: "field-box" },
    element("label", { for: id, text: label, class: compact ? "visually-hidden" : null }), input,
    hint ? element("p", { id: `${id}-hint`, class: "hint", text: hint }) : null, problem, theirs);
  return { node, input, problem, theirs };
}

/** Shows or removes the agent's message about a field. */
export function showProblem({ input, problem }, message) {
  if (!problem) return;
  problem.hidden = message === null;
  problem.textContent = message ?? "";
  if (message === null) input.removeAttribute("aria-invalid");
  else input.setAttribute("aria-invalid", "true");
}

/** Shows that another device wrote something else, with a button that takes it. */
export function showTheirs({ input, theirs }, value, device, take) {
  if (!theirs) return;
  const close = () => {
    theirs.hidden = true;
    input.focus();
  };
  theirs.hidden = false;
  theirs.replaceChildren(
    element("p", {
      dir: "auto", text: value === "" ? text("theirs.removed", { device }) : text("theirs.value", { device, value }),
    }),
    button(text("theirs.take"), () => { take(); close(); }),
    button(text("theirs.keep"), close));
}
