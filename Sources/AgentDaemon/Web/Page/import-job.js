// An import: the agent first says what it would do, and does it when the user agrees. It goes on while the user looks
// at other views, so there is one job for the whole page.

import { ApiError, errorOf, open } from "./api.js";

// How many contacts a report lists at most, besides those with a finding.
const longestReport = 2000;

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

  /** Stops an import that runs. What was imported before stays. */
  stop() { this.#abort?.abort(); }

  async #run(during, after, dryRun) {
    const abort = this.#abort = new AbortController();
    Object.assign(this, { contacts: [], findings: [], unlisted: 0, counted: 0, summary: null, error: null, wasStopped: false });
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

  async #read(dryRun, signal) {
    const { file, options } = this;
    const reply = await open("import", {
      method: "POST", body: file, signal, query: { ...options, dryRun: dryRun ? "true" : "", file: file.name },
    });
    if (!reply.ok) throw await errorOf(reply);
    let rest = "";
    const decoder = new TextDecoder();
    const reader = reply.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line) this.#take(JSON.parse(line));
      this.#notify();
    }
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
