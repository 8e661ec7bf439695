// What the page says when a request fails.

import { ApiError } from "./api.js";
import { button, stateView } from "./elements.js";
import { SessionEnded } from "./session.js";
import { text } from "./texts.js";
import { showToast } from "./toasts.js";

/** The agent's sentence about an error with what the user can do, in the page's language if the agent is not there. */
export function failureSentence(error) {
  return error.code === "agentUnreachable" ? text("agent.unreachable.hint") : `${error.message} ${error.hint ?? ""}`.trim();
}

/** Shows a failed action as a toast. The end of the session has a view of its own, and a programmer's mistake is thrown. */
export function reportFailure(error) {
  if (error instanceof SessionEnded || error.name === "AbortError") return;
  if (!(error instanceof ApiError)) throw error;
  showToast(error.code === "agentUnreachable" ? text("agent.unreachable") : error.message);
}

/** Returns the view in the place of what cannot be read, or null if something else says so already. */
export function failureView(title, error, retry) {
  if (error instanceof SessionEnded || error.name === "AbortError") return null;
  if (!(error instanceof ApiError)) throw error;
  return stateView({ picture: "alert", title, sentence: failureSentence(error), actions: [button(text("retry"), retry)] });
}
