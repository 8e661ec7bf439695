// Inviting and removing devices need a link to the page that was made within the last five minutes, so that a page that
// was left open gives the contacts to no other device. The page waits for the link, and then goes on by itself.

import { Sheet } from "./dialogs.js";
import { element } from "./elements.js";
import { commandLine } from "./command-line.js";
import { text } from "./texts.js";
import { announce, showToast } from "./toasts.js";

const channelName = "contacts-opened";

/** Runs an action that may need a recent link. Until there is one, a dialog says how to get it. */
export async function afterOpening(run) {
  let waiting = null;
  try {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (error.reason !== "openNeeded") throw error;
        waiting ??= new OpeningSheet();
        await waiting.chance();
      }
    }
  } finally {
    waiting?.end();
  }
}

/** Tells other windows that this one was opened with a new link. One of them may wait for it. */
export function reportOpening() {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }) => { if (data === "continues") showToast(text("opening.elsewhere")); };
  channel.postMessage("opened");
}

const closedByUser = () => new DOMException("The user has closed the dialog.", "AbortError");

/** The dialog that waits for a new link. */
class OpeningSheet {
  #resolve = null;
  #reject = null;
  #isEnded = false;
  #channel = new BroadcastChannel(channelName);

  constructor() {
    this.sheet = new Sheet(text("opening"), {
      closed: () => { this.end(); this.#reject?.(closedByUser()); },
    });
    this.sheet.present(
      element("p", { text: text("opening.hint") }), commandLine("contactsctl open"),
      element("p", { class: "waiting", role: "status" }, element("span", { class: "status-dot" }), text("opening.waiting")));
    this.#channel.onmessage = ({ data }) => {
      if (data !== "opened") return;
      this.#channel.postMessage("continues");
      this.#resolve?.();
    };
    // A link that opens no window here, because another browser shows it.
    this.returned = () => { if (!document.hidden) this.#resolve?.(); };
    addEventListener("focus", this.returned);
    document.addEventListener("visibilitychange", this.returned);
  }

  /** Waits until there may be a new link. Fails if the user closes the dialog. */
  chance() {
    // The user may have closed the dialog while the action was tried again.
    if (this.#isEnded) return Promise.reject(closedByUser());
    return new Promise((resolve, reject) => { this.#resolve = resolve; this.#reject = reject; });
  }

  end() {
    this.#isEnded = true;
    removeEventListener("focus", this.returned);
    document.removeEventListener("visibilitychange", this.returned);
    this.#channel.close();
    if (!this.sheet.isOpen) return;
    this.#reject = null;
    this.sheet.close();
    announce(text("opening.done"));
  }
}
