// Requests whose reply has a line for each thing that the agent has done, and arrives while it works.

import { address, ApiError } from "./api.js";
import { endSession, SessionEnded, sessionToken } from "./session.js";

/**
 * Posts a file. `sent(part)` gets the part that is sent, which `fetch` does not report, and `lines(texts)` the lines of the
 * reply as they arrive.
 */
export function postForLines(path, file, { query, signal, sent, lines }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const reader = new LineReader(lines);
    const settle = (body) => {
      try {
        body();
      } catch (error) {
        reject(error);
        request.abort();
      }
    };
    request.open("POST", address(path, query));
    request.setRequestHeader("X-Contacts-Token", sessionToken() ?? "");
    request.upload.onprogress = ({ loaded, total }) => sent(total ? loaded / total : 0);
    request.onprogress = () => { if (request.status === 200) settle(() => reader.take(request.responseText)); };
    request.onerror = () => reject(new ApiError(0, { code: "agentUnreachable", message: "" }));
    request.onabort = () => reject(new DOMException("The user has stopped the request.", "AbortError"));
    request.onload = () => settle(() => {
      if (request.status === 401) {
        endSession();
        throw new SessionEnded();
      }
      if (request.status !== 200) throw errorOf(request);
      reader.take(request.responseText);
      resolve();
    });
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function errorOf({ status, statusText, responseText }) {
  let content = null;
  try {
    content = JSON.parse(responseText).error;
  } catch { /* Not an answer of the agent. */ }
  return new ApiError(status, content ?? { code: "internalError", message: statusText });
}

/** Cuts a text that grows into whole lines. */
class LineReader {
  #taken = 0;

  constructor(lines) { this.lines = lines; }

  take(text) {
    const end = text.lastIndexOf("\n") + 1;
    if (end <= this.#taken) return;
    const whole = text.slice(this.#taken, end);
    this.#taken = end;
    this.lines(whole.split("\n").filter(Boolean));
  }
}
