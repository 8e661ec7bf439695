// Calls of the agent's API.

import { connected, connectionFailed, connectionIsLost } from "./connection.js";
import { endSession, SessionEnded, sessionToken } from "./session.js";

// What a browser still sends for a page that is being closed.
const lastBytesMaximum = 60_000;

/** An error that the agent reports, or `agentUnreachable`. `reason` is a word for programs; `problems` names invalid fields. */
export class ApiError extends Error {
  constructor(status, { code, message, hint = "", field = null, reason = null, problems = [] }) {
    super(message);
    Object.assign(this, { status, code, hint, field, reason, problems });
  }
}

/**
 * Sends a request and returns `{ data, headers }`.
 *
 * `body` is sent as JSON, unless it is a Blob. `key` makes a repeated write safe (`Idempotency-Key`).
 */
export async function call(method, path, { body, query = {}, version, key, signal } = {}) {
  const headers = { "X-Contacts-Token": sessionToken() ?? "" };
  if (body !== undefined && !(body instanceof Blob)) headers["Content-Type"] = "application/json";
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  if (key) headers["Idempotency-Key"] = key;
  const content = body === undefined || body instanceof Blob ? body : JSON.stringify(body);
  const reply = await send(address(path, query), { method, headers, body: content, signal });
  const type = reply.headers.get("Content-Type") ?? "";
  const data = type.startsWith("application/json") ? await reply.json() : null;
  if (!reply.ok) throw failure(reply, data);
  return { data, headers: reply.headers };
}

/** Returns the JSON of a resource. */
export const read = async (path, query, signal) => (await call("GET", path, { query, signal })).data;

/** Sends a write while the page is being closed. Its reply cannot be read; a body that is too large is not sent. */
export function sendAtOnce(method, path, body) {
  const content = new Blob([JSON.stringify(body)], { type: "application/json" });
  if (connectionIsLost() || content.size > lastBytesMaximum) return;
  const headers = { "X-Contacts-Token": sessionToken() ?? "", "Content-Type": "application/json" };
  fetch(address(path), { method, headers, body: content, keepalive: true }).catch(() => {});
}

/**
 * Returns a function that runs `body` once for all calls that arrive while it runs: they get what it returns when it has
 * begun after them, so that an old reply never replaces a newer one.
 */
export function combined(body) {
  let running = null, next = null;
  const run = () => {
    running = body().finally(() => { running = null; });
    return running;
  };
  return () => {
    if (!running) return run();
    next ??= running.catch(() => {}).then(() => {
      next = null;
      return running ?? run();
    });
    return next;
  };
}

/** Starts a request whose reply the caller reads itself: the event stream, photos, and files. */
export async function open(path, { method = "GET", body, query = {}, headers = {}, signal } = {}) {
  return send(address(path, query), {
    method, body, headers: { "X-Contacts-Token": sessionToken() ?? "", ...headers }, signal,
  });
}

/** The error that a failed reply contains. */
export const errorOf = async (reply) => failure(reply, await reply.json().catch(() => null));

const failure = ({ status, statusText }, data) =>
  new ApiError(status, data?.error ?? { code: "internalError", message: statusText });

/**
 * Posts a file and returns `{ data }`. `progress(part)` gets the part that is sent, from 0 to 1, which `fetch` does
 * not report. With `received(text)`, the reply is a text, which that gets each time more of it has arrived.
 */
export async function upload(path, file, { query = {}, key = null, signal, progress, received = null }) {
  await reached();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
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
    if (key) request.setRequestHeader("Idempotency-Key", key);
    request.upload.onprogress = ({ loaded, total }) => progress(total ? loaded / total : 0);
    if (received) request.onprogress = () => { if (request.status === 200) settle(() => received(request.responseText)); };
    request.onerror = () => {
      connectionFailed();
      reject(new ApiError(0, { code: "agentUnreachable", message: "" }));
    };
    request.onabort = () => reject(new DOMException("The user has stopped the request.", "AbortError"));
    request.onload = () => settle(() => resolve(uploaded(request, received)));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function uploaded(request, received) {
  if (request.status === 401) {
    endSession();
    throw new SessionEnded();
  }
  if (request.status >= 400) throw failure(request, parsed(request.responseText));
  if (!received) return { data: parsed(request.responseText) };
  received(request.responseText);
  return { data: null };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Not an answer of the agent.
  }
}

/** Cuts a text that arrives in pieces into whole lines. */
export class LineReader {
  #rest = "";

  /** Returns the lines that end in the next piece. */
  take(piece) {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop();
    return lines;
  }
}

/** Waits until the program at this address has proved to be the agent, if the connection was lost. Without a session nothing is sent. */
async function reached() {
  if (sessionToken() === null) throw new SessionEnded();
  try {
    await connected();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ApiError(0, { code: "agentUnreachable", message: error.message });
  }
}

async function send(url, options) {
  await reached();
  let reply;
  try {
    reply = await fetch(url, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    connectionFailed();
    throw new ApiError(0, { code: "agentUnreachable", message: error.message });
  }
  if (reply.status === 401) {
    endSession();
    throw new SessionEnded();
  }
  return reply;
}

/** A path that begins with a slash is one of the page's listener, not of the agent's interface. */
export function address(path, query = {}) {
  if (path.startsWith("/")) return path;
  const entries = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (entries.length === 0) return `/v1/${path}`;
  // In forms a plus sign means a blank; to the agent it is a plus sign.
  return `/v1/${path}?${String(new URLSearchParams(entries)).replaceAll("+", "%20")}`;
}
