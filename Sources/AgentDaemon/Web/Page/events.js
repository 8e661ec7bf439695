// The agent's event stream, once for all tabs: browsers allow six connections per origin, and a stream for each
// tab would use them up. A lock elects the tab that reads the stream; it sends each event to the others.

import { LineReader, open } from "./api.js";
import { connectionFailed } from "./connection.js";
import { SessionEnded, sessionToken } from "./session.js";

const longestPause = 5000;
// After this time without the agent the page stops trying, until the user comes back to it.
const patienceMilliseconds = 60_000;

/**
 * The events of the agent, as `CustomEvent`s: `change`, `synced`, `status`, `notification`, `reset`, and `link`,
 * whose detail is whether the agent can be reached. `silent` says that the page has stopped looking for the agent.
 */
export class AgentEvents extends EventTarget {
  #channel = new BroadcastChannel("contacts-events");
  // The id of the last event this tab knows: a newly elected tab resumes after it.
  #lastID = null;
  #reachable = null;
  #isSilent = false;

  start() {
    this.#channel.onmessage = ({ data }) => this.#receive(data);
    // The lock is held until the tab closes.
    navigator.locks.request("contacts-events", () => this.#readForever());
  }

  /** Tells whether a request of this tab reached the agent. */
  get reachable() { return this.#reachable !== false; }

  #send(message) {
    this.#receive(message);
    this.#channel.postMessage(message);
  }

  #receive({ type, id, detail }) {
    if (id) this.#lastID = id;
    if (type === "silent") this.#isSilent = true;
    if (type === "link") {
      // Each tab needs a proof of its own.
      if (!detail) connectionFailed();
      if (this.#reachable === detail) return;
      this.#reachable = detail;
    }
    if (type) this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  async #readForever() {
    let pause = 250, lostSince = null;
    while (sessionToken() && !this.#isSilent) {
      try {
        const resumed = this.#lastID !== null;
        const reply = await open("events/all", {
          headers: resumed ? { "Last-Event-ID": this.#lastID } : {},
        });
        if (!reply.ok) {
          // The agent does not know this id any more: begin at the present, and read the lists again.
          if (reply.status < 500) this.#lastID = null;
          throw new Error(`The event stream was rejected: ${reply.status}.`);
        }
        this.#send({ type: "link", detail: true });
        if (!resumed) this.#send({ type: "reset", detail: {} });
        pause = 250;
        lostSince = null;
        await this.#read(reply.body);
      } catch (error) {
        if (error instanceof SessionEnded) return;
      }
      this.#send({ type: "link", detail: false });
      lostSince ??= performance.now();
      if (performance.now() - lostSince > patienceMilliseconds) return this.#send({ type: "silent" });
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, longestPause);
    }
  }

  async #read(body) {
    let event = { type: null, id: null, data: "" };
    for await (const line of linesOf(body)) {
      if (line === "") {
        if (event.id || event.type) {
          this.#send({ type: event.type, id: event.id, detail: event.data ? JSON.parse(event.data) : null });
        }
        event = { type: null, id: null, data: "" };
        continue;
      }
      const colon = line.indexOf(":");
      const value = line.slice(colon + 1).replace(/^ /, "");
      switch (line.slice(0, Math.max(colon, 0))) {
        case "id": event.id = value; break;
        case "event": event.type = value; break;
        case "data": event.data += value; break;
      }
    }
  }
}

/** The lines of a stream of bytes. */
async function* linesOf(body) {
  const pieces = body.pipeThrough(new TextDecoderStream()).getReader();
  const lines = new LineReader();
  for (;;) {
    const { value, done } = await pieces.read();
    if (done) return;
    yield* lines.take(value);
  }
}
