// The session with the agent. `contactsctl open` opens the page with a one-time token after the `#`.

const storageKey = "session";

/** The session has ended, or the page was opened without a link. Only `contactsctl open` helps. */
export class SessionEnded extends Error {}

const listeners = new Set();
let token = sessionStorage.getItem(storageKey);

/** Calls `listener` when the agent no longer accepts the session. */
export const onSessionEnded = (listener) => listeners.add(listener);

export const sessionToken = () => token;

/** Exchanges the one-time token in the address for a session. Without one, the tab's session goes on. Returns whether it is a new one. */
export async function beginSession() {
  const once = location.hash.slice(1);
  if (once !== "" && !once.startsWith("/")) {
    // The token leaves the address and the history before anything else can read it.
    history.replaceState(null, "", "#/");
    const reply = await fetch("/web/session", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token: once }),
    });
    if (reply.ok) {
      token = (await reply.json()).token;
      sessionStorage.setItem(storageKey, token);
      return true;
    }
    // A reload of a used link may still have the session that the link gave before.
  }
  if (!token) throw new SessionEnded();
  return false;
}

/** Forgets the session, which the agent has rejected. */
export function endSession() {
  if (token === null) return;
  token = null;
  sessionStorage.removeItem(storageKey);
  for (const listener of listeners) listener();
}
