// The drafts: what the user has typed and not saved, in this tab and in others. The agent stores them. A tab stores only
// what the agent does not have yet.

import { ApiError, call, combined, read } from "./api.js";
import { SessionEnded } from "./session.js";

const prefix = "draft:";
const channelName = "contacts-drafts";
// Other tabs read the list again this often while the user types.
const reportMilliseconds = 2000;

/** Keeps a text in this tab, also over a reload. If the browser's storage is full, it lasts as long as its form. */
export function keepInTab(id, content) {
  try {
    sessionStorage.setItem(prefix + id, JSON.stringify({ id, ...content }));
  } catch (error) {
    if (error.name !== "QuotaExceededError") throw error;
  }
}

export const forgetInTab = (id) => sessionStorage.removeItem(prefix + id);

/** The drafts that the agent does not have, as far as this tab knows. */
export const draftsInTab = () => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))
  .map((key) => JSON.parse(sessionStorage.getItem(key)));

/** All drafts. The event `changed` says that the list has changed. */
class Drafts extends EventTarget {
  /** The incarnation of the agent's list; null before it is known. */
  incarnation = null;
  #stored = [];
  #writers = new Set();
  // The drafts that forms show: in this tab, in any tab at the last reading, and in this tab at any time.
  #openHere = new Set();
  #open = new Set();
  #everHere = new Set();
  // The drafts of forms of other tabs, whose end this tab waits for.
  #watched = new Set();
  #chosen = null;
  #channel = new BroadcastChannel(channelName);
  #reportTime = -Infinity;
  #sentCount = 0;
  // Drafts to remove, with the last writing that the user has seen: the agent cannot always be reached.
  #hidden = new Map();

  /** Reads the list, and sends what this tab could not send before it was loaded again. */
  async begin() {
    this.#channel.onmessage = () => this.refresh();
    addEventListener("pagehide", () => this.#leave());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.#flush(); else this.refresh(); });
    await this.refresh();
    if (this.incarnation === null) return;
    for (const { id, incarnation, changed, ...content } of draftsInTab()) {
      if (incarnation !== this.incarnation) forgetInTab(id);
      else if (await quietly(() => call("PUT", `drafts/${id}`, { body: { incarnation, ...content } }))) forgetInTab(id);
    }
    await this.refresh();
  }

  /** Reads the list again. */
  refresh = combined(async () => {
    const { held } = await navigator.locks.query();
    this.#open = new Set(held.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => name.slice(prefix.length)));
    for (const id of this.#open) this.#watch(id);
    await quietly(async () => {
      const { incarnation, stored } = await this.#read();
      if (incarnation !== this.incarnation) this.removed();
      this.incarnation = incarnation;
      this.#stored = stored;
      this.dispatchEvent(new Event("changed"));
    }, (error) => { if (error.reason === "draftsRemoved") this.removed(); });
  });

  /** Reads the list as it is after the last text that this tab has sent. */
  async #read() {
    for (;;) {
      const sentCount = this.#sentCount;
      const { incarnation, drafts: stored } = await read("drafts");
      if (sentCount === this.#sentCount) return { incarnation, stored };
    }
  }

  /** All drafts, the latest first. Those that are only in this tab have `isHere`. */
  get all() {
    const unsent = new Map(draftsInTab().filter(({ incarnation }) => incarnation === this.incarnation)
      .map((draft) => [draft.id, { ...draft, isHere: true }]));
    const stored = this.#stored.filter(({ id, sequence }) => !(unsent.get(id)?.sequence >= sequence))
      .filter(({ id }) => ![...unsent.values()].some(({ replaces }) => replaces?.id === id));
    return [...unsent.values(), ...stored].filter(({ id }) => !this.#hidden.has(id))
      .sort((one, other) => other.changed.localeCompare(one.changed));
  }

  /** The drafts of what is edited. */
  of(kind, target) { return this.all.filter((draft) => draft.kind === kind && draft.target === target); }

  /** Whether a form shows the draft, in any tab of this browser. */
  isOpen({ id }) { return this.#openHere.has(id) || (this.#open.has(id) && !this.#everHere.has(id)); }

  /** Notes when the form of another tab is closed. */
  #watch(id) {
    if (this.#watched.has(id) || this.#everHere.has(id)) return;
    this.#watched.add(id);
    navigator.locks.request(prefix + id, { mode: "shared" }, () => {
      this.#watched.delete(id);
      this.#open.delete(id);
      this.dispatchEvent(new Event("changed"));
    });
  }

  /** Lets other tabs see that a form shows the draft. Returns what ends that. */
  claim(id) {
    const claim = { isEnded: false, end: () => {} };
    this.#openHere.add(id);
    this.#everHere.add(id);
    navigator.locks.request(prefix + id, { ifAvailable: true }, (lock) => {
      if (lock && !claim.isEnded) return new Promise((resolve) => { claim.end = resolve; });
    });
    return () => {
      claim.isEnded = true;
      claim.end();
      this.#openHere.delete(id);
    };
  }

  /** The latest draft that no form shows, or null. If the user has chosen one in the list, it is that. */
  free(kind, target) {
    const found = this.of(kind, target);
    const chosen = found.find(({ id }) => id === this.#chosen);
    if (chosen) this.#chosen = null;
    return chosen ?? found.find((draft) => !this.isOpen(draft)) ?? null;
  }

  /** Whether the user has chosen a draft of this kind in the list, and no form has taken it yet. */
  isChosen(kind) { return this.all.some((draft) => draft.kind === kind && draft.id === this.#chosen); }

  /** The next form continues this draft. */
  choose({ id }) { this.#chosen = id; }

  /** Discards a draft, unless its form has written since the user saw it. Fails with the agent's error. */
  async discard({ id, sequence, replaces = null }) {
    await call("DELETE", `drafts/${id}`, { query: { sequence } });
    if (replaces) await call("DELETE", `drafts/${replaces.id}`, { query: { sequence: replaces.sequence } });
    forgetInTab(id);
    this.#stored = this.#stored.filter((draft) => draft.id !== id);
    this.#changed();
  }

  /** Hides drafts that were saved or discarded in their form, until the agent has removed them. */
  hide(found) {
    for (const { id, sequence } of found) {
      this.#hidden.set(id, sequence);
      forgetInTab(id);
    }
  }

  /** Removes the hidden drafts. One that another form has written since is shown again. */
  async removeHidden() {
    if (this.#hidden.size === 0) return;
    for (const [id, sequence] of this.#hidden) {
      const show = () => this.#hidden.delete(id);
      if (!await quietly(() => call("DELETE", `drafts/${id}`, { query: { sequence } }), show)) continue;
      this.#stored = this.#stored.filter((draft) => draft.id !== id);
      show();
    }
    this.#changed();
  }

  #changed() {
    this.#channel.postMessage("changed");
    this.refresh();
  }

  // MARK: Writers

  add(writer) { this.#writers.add(writer); }

  /** A form was left. Its last keystrokes are sent. */
  delete(writer) {
    if (!this.#writers.delete(writer)) return;
    writer.flush().then(() => this.#changed());
  }

  /** A writer has sent a text. */
  sent(draft) {
    this.#sentCount += 1;
    const others = this.#stored.filter(({ id }) => id !== draft.id && id !== draft.replaces?.id);
    this.#stored = [{ ...draft, changed: new Date().toISOString() }, ...others];
    if (performance.now() - this.#reportTime < reportMilliseconds) return;
    this.#reportTime = performance.now();
    this.#changed();
  }

  /** The agent can be reached again. */
  async reconnected() {
    this.#flush();
    await this.removeHidden();
  }

  /** The account has signed out: nothing that was typed for it is shown to another one. The page begins again. */
  removed() {
    if (this.incarnation === null) return;
    for (const { id } of draftsInTab()) forgetInTab(id);
    for (const writer of [...this.#writers]) writer.abandon();
    this.incarnation = null;
    this.#stored = [];
    history.replaceState(null, "", "#/");
    location.reload();
  }

  #flush() { for (const writer of this.#writers) writer.flush(); }

  #leave() {
    for (const writer of this.#writers) writer.flushAtOnce();
    this.#channel.postMessage("changed");
  }
}

export const drafts = new Drafts();

/** Runs a request whose failure is not shown. Returns whether it succeeded. */
async function quietly(body, failed = () => {}) {
  try {
    await body();
    return true;
  } catch (error) {
    if (!(error instanceof SessionEnded) && !(error instanceof ApiError)) throw error;
    if (error instanceof ApiError && error.code !== "agentUnreachable") failed(error);
    return false;
  }
}
