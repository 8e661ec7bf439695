// Starts the page.

import { App } from "./app.js";
import { element, stateView } from "./elements.js";
import { reportOpening } from "./opening.js";
import { beginSession, onSessionEnded, SessionEnded } from "./session.js";
import { loadTexts, text } from "./texts.js";

async function start() {
  await loadTexts();
  document.title = document.getElementById("title").textContent = text("app");
  onSessionEnded(showEnded);
  try {
    if (await beginSession()) reportOpening();
  } catch (error) {
    return error instanceof SessionEnded ? showEnded() : showFailure();
  }
  return new App().start();
}

/** Without a session the page shows nothing of the address book. */
function showEnded() {
  replacePage(stateView({
    picture: "alert", title: text("session.ended"), sentence: text("session.ended.hint"),
    actions: [element("code", { class: "command", text: "contactsctl open" })],
  }));
}

function showFailure() {
  replacePage(stateView({ picture: "alert", title: text("agent.unreachable"), sentence: text("agent.unreachable.hint") }));
}

function replacePage(view) {
  document.getElementById("status").replaceChildren();
  document.getElementById("toasts").replaceChildren();
  document.getElementById("panes")?.replaceWith(element("main", { class: "whole-page" }, view));
}

// A new link in the address of an open page begins a new session.
addEventListener("hashchange", () => {
  if (location.hash !== "" && !location.hash.startsWith("#/")) location.reload();
});

start();
