// Whether the program at this address is still the agent. After the connection is lost, another program could listen here,
// also one of another user. Until the agent has proved that it knows the session, the page sends nothing but a random
// number. All modules of the page are loaded at its start, none later.

import { endSession, SessionEnded, sessionToken } from "./session.js";

// A socket that the service manager keeps accepts connections while no agent answers.
const proofMilliseconds = 5000;

let isLost = false;
let proving = null;

/** Whether a proof is needed before the next request. */
export const connectionIsLost = () => isLost;

/** Notes that a request failed, or that the event stream ended. */
export function connectionFailed() { isLost = true; }

/**
 * Waits for the agent's proof if it is needed. Fails with `TypeError` if nothing answers, and with `SessionEnded` if the
 * program at this address does not know the session.
 */
export async function connected() {
  if (!isLost) return;
  proving ??= prove().finally(() => { proving = null; });
  await proving;
}

async function prove() {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  const reply = await fetch("/web/proof", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ nonce }), credentials: "omit",
    signal: AbortSignal.timeout(proofMilliseconds),
  }).catch((error) => { throw new TypeError(error.message); });
  if (!reply.ok) throw new TypeError("The agent gave no proof.");
  const { proofs } = await reply.json().catch(() => ({}));
  const expected = await proof(nonce);
  if (!Array.isArray(proofs) || !proofs.includes(expected)) {
    endSession();
    throw new SessionEnded();
  }
  isLost = false;
}

/** What only an agent can compute that has stored the digest of the session's token. */
async function proof(nonce) {
  const bytes = (words) => new TextEncoder().encode(words);
  const digest = hex(await crypto.subtle.digest("SHA-256", bytes(sessionToken() ?? "")));
  const hash = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes(digest), hash, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, bytes(`${location.origin} ${nonce}`)));
}

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
