// An import: the agent first says what it would do, and does it when the user agrees. It goes on while the user looks
// at other views, so there is one job for the whole page.

import { ApiError } from "./api.js";
import { postForLines } from "./line-request.js";

// How many contacts a report lists at most, besides those with a finding.
const longestReport = 2000;
const bufferedBytes = 8e6;

/** The present import. It sends `change` when its state has changed. */
class ImportJob extends EventTarget {
  /** `idle`, `checking`, `checked`, `running`, `done` or `failed`. */
  state = "idle";
  file = null;
  options = { onDuplicate: "skip", group: "" };
  #abort = null;

  /** Asks the agent what it would do with a file. */
  async check(file, options = { onDuplicate: "skip", group: "" }) {
    this.cancel();
    Object.assign(this, { file, options });
    await this.#run("checking", "checked", true);
  }

  /** Does what was checked. */
  async start() {
    this.expected = this.contacts.length + this.unlisted;
    await this.#run("running", "done", false);
  }

  /** Stops, and forgets the file. */
  cancel() {
    this.#abort?.abort();
    this.#abort = null;
    this.file = null;
    this.#set("idle");
  }

  /** Forgets an import that has ended and was undone, unless the user has begun another one. */
  forget() { if (this.state === "done") this.cancel(); }

  /**
   * The part that is done, from 0 to 1. A browser reads no line of the report before it has sent the file; but the agent
   * takes no more of the file than it can work on.
   */
  get part() {
    // The buffers of the connection take a small file at once.
    if (this.counted === 0) return this.file?.size > bufferedBytes ? this.sent : 0;
    return Math.min(1, this.counted / (this.expected || Infinity));
  }

  /** Stops an import that runs. What was imported before stays. */
  stop() { this.#abort?.abort(); }

  async #run(during, after, dryRun) {
    const abort = this.#abort = new AbortController();
    Object.assign(this, { contacts: [], findings: [], unlisted: 0, counted: 0, sent: 0, summary: null, error: null, wasStopped: false });
    this.#set(during);
    try {
      await this.#read(dryRun, abort.signal);
      if (!this.summary) throw new ApiError(0, { code: "agentUnreachable", message: "" });
      if (this.#abort === abort) this.#set(after);
    } catch (error) {
      if (this.#abort !== abort) return;
      this.error = error;
      this.wasStopped = error.name === "AbortError";
      this.#set("failed");
    }
  }

  #read(dryRun, signal) {
    const { file, options } = this;
    return postForLines("import", file, {
      signal, query: { ...options, dryRun: dryRun ? "true" : "", file: file.name },
      sent: (part) => { this.sent = part; this.#notify(); },
      lines: (lines) => { for (const line of lines) this.#take(JSON.parse(line)); this.#notify(); },
    });
  }

  #take({ contact, finding, summary, error }) {
    if (error) throw new ApiError(0, error);
    if (summary) this.summary = summary;
    if (finding) this.findings.push(finding);
    if (!contact) return;
    this.counted += 1;
    if (contact.findings.length || contact.outcome === "failed" || this.contacts.length < longestReport) this.contacts.push(contact);
    else this.unlisted += 1;
  }

  #set(state) {
    this.state = state;
    this.#notify();
  }

  #notify() { this.dispatchEvent(new Event("change")); }
}

export const importJob = new ImportJob();
