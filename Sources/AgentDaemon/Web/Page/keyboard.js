// Shortcuts that work everywhere, except where the user types.

import { button, element } from "./elements.js";
import { places } from "./places.js";
import { text } from "./texts.js";

// How long the second letter of a shortcut may take.
const letterMilliseconds = 2000;

/** What `?` lists. */
const shortcuts = [
  ["/", "key.search"], ["↑ ↓", "key.move"], ["Enter", "key.open"], ["e", "key.edit"], ["n", "key.new"],
  ["Ctrl+Enter", "key.save"], ["u", "key.undo"], ["Esc", "key.back"], ["?", "key.help"],
];

/** The letter after `g` of each view: `contacts`, `groups`, or the name of a place. */
const views = () => [
  ["c", "contacts"], ["g", "groups"], ...places.filter(({ key }) => key).map(({ key, name }) => [key, name]),
];

/** Calls an action of `actions`, by name, when its key is pressed. */
export function listenToKeys(actions) {
  let begun = -Infinity;
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open], :popover-open")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return actions.save();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return actions.back();
    if (isTyping(event.target)) return;
    const view = event.timeStamp - begun < letterMilliseconds ? views().find(([key]) => key === event.key)?.[1] : null;
    begun = event.key === "g" && !view ? event.timeStamp : -Infinity;
    if (view) {
      event.preventDefault();
      return actions.visit(view);
    }
    const action = { "/": "search", e: "edit", n: "add", u: "undo", "?": "help" }[event.key];
    if (!action) return;
    // The letter must not arrive in the field that the action puts the focus into.
    event.preventDefault();
    actions[action]();
  });
}

function isTyping(target) {
  return target.closest?.("textarea, select, input:not([type=checkbox])") !== null;
}

/** Shows the list of shortcuts. */
export function showHelp() {
  const close = button(text("close"), () => dialog.close(), "primary");
  const dialog = element(
    "dialog", { class: "dialog", "aria-labelledby": "help-title", on: { close: () => dialog.remove() } },
    element("h2", { id: "help-title", text: text("help") }),
    element("dl", { class: "shortcuts" }, ...shortcuts.map(([key, name]) => row([key], text(name))),
      ...views().map(([key, name]) => row(["g", key], text("key.visit", { view: viewName(name) })))),
    close);
  document.body.append(dialog);
  dialog.showModal();
}

const row = (keys, name) => element(
  "div", {}, element("dt", {}, ...keys.map((key) => element("kbd", { text: key }))), element("dd", { text: name }));

const viewName = (name) => text({ contacts: "groups.all", groups: "groups" }[name] ?? `place.${name}`);
