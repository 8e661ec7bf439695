// Sends what the user types in one form to the agent, as it is typed. Each form writes a draft of its own: one that
// continues a draft replaces it, so that two tabs never overwrite each other's text.

import { ApiError, call, sendAtOnce } from "./api.js";
import { connectionIsLost } from "./connection.js";
import { drafts, forgetInTab, keepInTab } from "./drafts.js";
import { SessionEnded } from "./session.js";

// Typing pauses for this long before the text is sent, or goes on for the second time.
const pauseMilliseconds = 300;
const longestMilliseconds = 1500;
// While the agent has no room, it is asked again after this time.
const fullMilliseconds = 10_000;

/** Writes the draft of one form. `kind` and `target` say what is edited; `continued` is the draft that the form shows. */
export class DraftWriter {
  #id;
  #sequence = 0;
  #replaces = null;
  // The last text, and whether the agent has it.
  #content = null;
  #isSent = true;
  #sending = null;
  #timer = null;
  #waitsSince = 0;
  #retryTime = 0;
  #releases = [];
  /** Why the draft is only in this tab, an error of the agent; null if it is not. */
  problem = null;

  /** `problemChanged()` is called when `problem` has another value. */
  constructor({ kind, target = null, continued = null, problemChanged = () => {} }) {
    Object.assign(this, { kind, target, problemChanged });
    this.#begin(continued);
  }

  /** Names all requests that save this text, so that a repeated one saves it once. */
  get root() { return this.#id.split(".")[0]; }

  get id() { return this.#id; }

  #begin(continued) {
    const root = continued ? continued.id.split(".")[0] : crypto.randomUUID();
    this.#id = `${root}.${crypto.randomUUID().slice(0, 8)}`;
    this.#replaces = continued ? { id: continued.id, sequence: continued.sequence } : null;
    this.#sequence = 0;
    this.#content = null;
    this.#isSent = true;
    if (continued) this.#releases.push(drafts.claim(continued.id));
  }

  /** Stores the form's texts: in this tab at once, and at the agent when the user pauses. */
  write({ title, address, version = null, base = {}, texts }) {
    if (this.#content === null) {
      drafts.add(this);
      this.#releases.push(drafts.claim(this.#id));
    }
    this.#sequence += 1;
    this.#content = {
      incarnation: drafts.incarnation, kind: this.kind, target: this.target, title, address, version, base, texts,
      sequence: this.#sequence, replaces: this.#replaces,
    };
    this.#isSent = false;
    keepInTab(this.#id, { ...this.#content, changed: new Date().toISOString() });
    if (this.#replaces) forgetInTab(this.#replaces.id);
    this.#schedule();
  }

  #schedule() {
    const now = performance.now();
    if (this.#timer === null) this.#waitsSince = now;
    clearTimeout(this.#timer);
    const latest = this.#waitsSince + longestMilliseconds;
    this.#timer = setTimeout(() => this.flush(), Math.max(Math.min(pauseMilliseconds, latest - now), this.#retryTime - now));
  }

  /** Sends the text if the agent does not have it. */
  async flush() {
    clearTimeout(this.#timer);
    this.#timer = null;
    while (!this.#isSent && !connectionIsLost()) {
      // A text that is typed while one is sent follows it.
      if (this.#sending) { await this.#sending; continue; }
      this.#sending = this.#send();
      const isDone = await this.#sending;
      this.#sending = null;
      if (!isDone) return;
    }
  }

  async #send() {
    const content = this.#content, id = this.#id;
    try {
      if (drafts.incarnation === null) await drafts.refresh();
      await call("PUT", `drafts/${id}`, { body: { ...content, incarnation: content.incarnation ?? drafts.incarnation } });
    } catch (error) {
      if (id === this.#id) this.#failed(error);
      return false;
    }
    if (id !== this.#id) return true;
    if (content.sequence === this.#sequence) {
      this.#isSent = true;
      forgetInTab(id);
    }
    this.#replaces = null;
    this.#setProblem(null);
    drafts.sent({ ...content, id });
    return true;
  }

  #failed(error) {
    if (error instanceof SessionEnded) return;
    if (!(error instanceof ApiError)) throw error;
    // The text is sent when the agent is there again.
    if (error.code === "agentUnreachable") return;
    if (error.reason === "draftsRemoved") return drafts.removed();
    this.#retryTime = performance.now() + fullMilliseconds;
    this.#setProblem(error);
    this.#schedule();
  }

  #setProblem(problem) {
    if (problem === null) this.#retryTime = 0;
    if (this.problem?.message === problem?.message) return;
    this.problem = problem;
    this.problemChanged();
  }

  /** Sends the last keystrokes while the page is being closed. */
  flushAtOnce() {
    if (!this.#isSent) sendAtOnce("PUT", `drafts/${this.#id}`, this.#content);
  }

  /** The text was saved or discarded. A form that stays open can write the next one. */
  async remove() {
    const unwanted = [this.#content ? { id: this.#id } : null, this.#replaces].filter(Boolean), sending = this.#sending;
    drafts.hide(unwanted);
    this.abandon();
    this.#begin(null);
    this.#setProblem(null);
    // Otherwise the agent might get the text after its removal.
    await sending;
    await drafts.removeHidden();
  }

  /** Removes the draft if there is one. */
  clear() { if (this.#content || this.#replaces) this.remove(); }

  /** Sends nothing more. */
  abandon() {
    this.#isSent = true;
    this.close();
  }

  /** The form is left: what it has not sent is sent, and another form can continue the draft. */
  close() {
    clearTimeout(this.#timer);
    this.#timer = null;
    for (const release of this.#releases) release();
    this.#releases = [];
    drafts.delete(this);
  }
}
