// Starts the page.

import { App } from "./app.js";
import { drafts } from "./drafts.js";
import { reportOpening } from "./opening.js";
import { beginSession, onSessionEnded, SessionEnded } from "./session.js";
import { showEnded, showFailure } from "./session-end.js";
import { readSettings, setting } from "./page-settings.js";
import { text, useLanguage } from "./texts.js";

async function start() {
  useLanguage();
  onSessionEnded(showEnded);
  try {
    if (await beginSession()) reportOpening();
  } catch (error) {
    return error instanceof SessionEnded ? showEnded() : showFailure();
  }
  await readSettings();
  useLanguage(setting("page-language"));
  document.title = document.getElementById("title").textContent = text("app");
  // A form that was open continues its draft.
  await drafts.begin();
  return new App().start();
}

// A new link in the address of an open page begins a new session.
addEventListener("hashchange", () => {
  if (location.hash !== "" && !location.hash.startsWith("#/")) location.reload();
});

start();
