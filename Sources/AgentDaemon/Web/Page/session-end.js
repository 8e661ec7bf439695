// What the page shows when it has no agent any more: nothing of the address book, but the texts that the agent did not get.

import { commandLine, copyText } from "./command-line.js";
import { connected } from "./connection.js";
import { draftTexts } from "./draft-texts.js";
import { draftsInTab } from "./drafts.js";
import { button, element, stateView } from "./elements.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";

let isSilent = false;

/** The session has ended: only a new link helps. */
export function showEnded() {
  isSilent = false;
  replacePage(stateView({ picture: "alert", title: text("session.ended"), sentence: text("session.ended.hint") }));
}

/** The agent has not answered for long. The session may continue where it comes back, which the user tries. */
export function showSilence() {
  const view = stateView({
    picture: "alert", title: text("session.silent"), sentence: text("session.silent.hint"),
    actions: [button(text("retry"), tryAgain)],
  });
  isSilent = true;
  replacePage(view);
}

/** The page cannot begin. */
export function showFailure() {
  replacePage(stateView({ picture: "alert", title: text("agent.unreachable"), sentence: text("agent.unreachable.hint") }));
}

function replacePage(view) {
  view.append(commandLine("contactsctl open"), ...unsentTexts());
  document.getElementById("status").replaceChildren();
  document.getElementById("toasts").replaceChildren();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.remove();
  (document.getElementById("panes") ?? document.querySelector(".whole-page"))
    .replaceWith(element("main", { class: "whole-page" }, view));
}

/** The texts that are only in this tab, each with a button that copies it. */
function unsentTexts() {
  const unsent = draftsInTab().map((draft) => ({ ...draft, lines: draftTexts(draft) })).filter(({ lines }) => lines !== "");
  if (unsent.length === 0) return [element("p", { class: "hint", text: text("session.unsent.none") })];
  return [element(
    "section", { class: "unsent", "aria-label": text("session.unsent") }, element("h3", { text: text("session.unsent") }),
    ...unsent.map(({ title, lines }) => {
      const copied = element("span", { class: "copied", role: "status" });
      const copy = async () => { copied.textContent = text(await copyText(lines) ? "card.copied" : "card.notcopied"); };
      return element(
        "article", { class: "unsent-text" }, title ? element("h4", { text: title, dir: "auto" }) : null,
        element("pre", { text: lines, dir: "auto", tabindex: "0" }),
        element("div", { class: "form-actions" }, button(text("session.unsent.copy"), copy, "primary"), copied));
    }))];
}

/** Continues if the agent is there again. The page begins again with its drafts. */
async function tryAgain() {
  try {
    await connected();
    location.reload();
  } catch (error) {
    // The end of the session has shown itself.
    if (!(error instanceof TypeError) && !(error instanceof SessionEnded)) throw error;
  }
}

document.addEventListener("visibilitychange", () => { if (isSilent && !document.hidden) tryAgain(); });
